import { TEXT_VARIABLES } from "../catalogue/variables.ts";
import { programName } from "../paths.ts";
import { foreignCode } from "./foreign-code.ts";
import type { ShellContext } from "./read-shell.ts";
import { applyBuiltin, forkScope, freshScope, type ShellScope } from "./scope.ts";
import { isExact, type ShellAssignment, type ShellInput, type ShellWord, type ShellWrapper, type SimpleCommand } from "./shell-command.ts";
import { unwrapCommand } from "./unwrap.ts";
import type { InnerCommand } from "./unwrapped.ts";
import { type WrittenScript, WrittenScripts } from "./written-scripts.ts";

const MAX_COMMANDS = 500;
const MAX_NESTED = 200;
const MAX_DEPTH = 12;

export type WrapperChain = readonly ShellWrapper[];

/** One command that is about to be added to the list. */
export interface StartingCommand {
  readonly words: readonly ShellWord[];
  readonly assignments: readonly ShellAssignment[];
  readonly reads: readonly ShellWord[];
  readonly writes: readonly ShellWord[];
  readonly truncates: readonly ShellWord[];
  readonly input: ShellInput | undefined;
}

/** A command with only these words. */
export function startOfWords(words: readonly ShellWord[]): StartingCommand {
  return { words, assignments: [], reads: [], writes: [], truncates: [], input: undefined };
}

/** Collects the simple commands of a text, without wrappers, and the first reason why it cannot be inspected. */
export class SimpleCommandList {
  readonly commands: SimpleCommand[] = [];
  why: string | undefined;
  /** Something was left out because a limit was reached. */
  isCut = false;
  readonly #home: string | undefined;
  readonly #onText: (text: string, scope: ShellScope, via: WrapperChain) => void;
  readonly #written: WrittenScripts;
  #depth = 0;
  #nested = 0;

  /** `onText` receives the nested texts that a shell would read. */
  constructor({ home, written }: ShellContext, onText: (text: string, scope: ShellScope, via: WrapperChain) => void) {
    this.#home = home;
    this.#written = new WrittenScripts(written);
    this.#onText = onText;
  }

  get links(): ReadonlyMap<string, string> {
    return this.#written.links;
  }

  /** The first reason counts; later ones often result from it. */
  fail(why: string): void {
    this.why ??= `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
  }

  /** Like `fail`, and the remaining text is left out. */
  cut(why: string): void {
    this.isCut = true;
    this.fail(why);
  }

  /** Runs a function one level deeper, unless the depth limit is reached. */
  deeper(work: () => void): void {
    if (this.#depth >= MAX_DEPTH) this.cut("it is nested too deeply");
    else if (++this.#nested > MAX_NESTED) this.cut("it has too many parts");
    else {
      this.#depth++;
      work();
      this.#depth--;
    }
  }

  /** Removes the wrappers and lists the remaining command. */
  start(started: StartingCommand, scope: ShellScope, via: WrapperChain): void {
    const { words, assignments, input } = started;
    for (const { name, value } of assignments) if (TEXT_VARIABLES.has(name)) this.#readText(value, forkScope(scope), via, name);
    const [first] = words;
    if (first === undefined || !isExact(first)) {
      if (first !== undefined) this.fail(`which program runs is only known when it runs: \`${brief(first.text)}\``);
      this.#add(started, "", scope, via);
      return;
    }
    const name = programName(first.text);
    const script = this.#written.find(name, words, scope.cwd);
    const unwrapped = unwrapCommand(name, words, input);
    if (unwrapped === undefined || unwrapped.itself) this.#add(started, name, scope, via, script);
    const { text, language } = script ?? {};
    if (text !== undefined && language === undefined)
      this.deeper(() => this.#readText(text, freshScope(scope), [...via, { name, words, kind: "text", input, assignments }], name));
    else if (script !== undefined && text === undefined)
      this.fail("it runs a file that it writes itself, and what is in that is only known then");
    if (unwrapped === undefined) {
      applyBuiltin(name, words, scope, this.#home);
      return;
    }
    if (unwrapped.why !== undefined) this.fail(unwrapped.why);
    // The files that the wrapper itself opens, which no other command lists.
    if (!unwrapped.itself) this.#add({ ...started, words: [], assignments: [], truncates: [] }, "", scope, via);
    for (const inner of unwrapped.inner)
      this.deeper(() => this.#startInner(inner, started, scope, [...via, { name, words, kind: inner.kind, input, assignments }]));
  }

  #startInner(inner: InnerCommand, { assignments, input }: StartingCommand, scope: ShellScope, via: WrapperChain): void {
    if ("text" in inner) {
      this.#readText(inner.text, inner.here === true ? scope : freshScope(scope), via, via.at(-1)?.name ?? "");
      return;
    }
    const all = [...assignments, ...(inner.assignments ?? [])];
    this.start({ ...startOfWords(inner.words), assignments: all, input: inner.kind === "supplied" ? undefined : input }, scope, via);
  }

  #readText(text: ShellWord, scope: ShellScope, via: WrapperChain, name: string): void {
    if (!isExact(text)) this.fail(`the text that \`${name}\` runs is only known when it runs: \`${brief(text.text)}\``);
    this.#onText(text.text, scope, via);
  }

  #add(
    { truncates, input, ...started }: StartingCommand,
    name: string,
    scope: ShellScope,
    via: WrapperChain,
    script: WrittenScript = {},
  ): void {
    const { words, assignments, reads, writes } = started;
    if (words.length + assignments.length + reads.length + writes.length === 0) return;
    if (this.commands.length >= MAX_COMMANDS) {
      this.cut(`it has more than ${MAX_COMMANDS} commands`);
      return;
    }
    const { text, language } = script;
    const written = text === undefined || language === undefined ? undefined : { language, text: text.text };
    const code = foreignCode(name, words, input) ?? written;
    const command: SimpleCommand = {
      name,
      words,
      assignments,
      reads,
      writes,
      via,
      cwd: scope.cwd,
      ...(truncates.length === 0 ? {} : { truncates }),
      ...(input === undefined ? {} : { input }),
      ...(code === undefined ? {} : { code }),
    };
    this.commands.push(command);
    this.#written.note(command);
  }
}

function brief(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
