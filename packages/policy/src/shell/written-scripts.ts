import { basename, resolvePath } from "../paths.ts";
import { constantOutput } from "./constant-output.ts";
import { scriptLanguage } from "./foreign-code.ts";
import { isExact, type ShellWord, type SimpleCommand, type WorkingFolder } from "./shell-command.ts";
import { isReadableShell } from "./unwrap-shell.ts";

const MAX_FILES = 50;

/** A script that is written and run by the same text; its contents can be read if they are a constant. */
export interface WrittenScript {
  /** Absent if known only at run time: downloaded, computed. */
  readonly text?: ShellWord;
  /** Absent for a shell script. */
  readonly language?: string;
}

/** Files that were written earlier: by earlier commands of the same text, or by earlier calls of the same session. */
export class WrittenScripts {
  /** The targets of the links that were created. */
  readonly links = new Map<string, string>();
  readonly #texts: Map<string, ShellWord | null>;

  constructor(written: Readonly<Record<string, string | null>> = {}) {
    this.#texts = new Map(Object.entries(written).map(([path, text]) => [path, text === null ? null : { text }]));
  }

  /** Records the files that a command writes and the links it creates. */
  note(command: SimpleCommand): void {
    const { name, words, writes, cwd } = command;
    if (name === "ln" || (name === "cp" && words.some(({ text }) => /^-\w*s/.test(text)))) this.#noteLink(command);
    const files = name === "tee" ? words.slice(1).filter(({ text }) => !text.startsWith("-")) : [...writes, ...downloads(name, words)];
    const text = files.length === 0 ? undefined : constantOutput(command);
    for (const file of files) {
      const path = exactPath(file, cwd);
      if (path !== undefined && this.#texts.size < MAX_FILES) this.#texts.set(path, text ?? null);
    }
  }

  #noteLink({ words, cwd }: SimpleCommand): void {
    const [target, link = { text: "." }] = words.slice(1).filter(({ text }) => !text.startsWith("-"));
    const from = exactPath(link, cwd);
    const to = exactPath(target, cwd);
    if (from === undefined || to === undefined || this.links.size >= MAX_FILES) return;
    this.links.set(from, to).set(`${from}/${basename(to)}`, to);
  }

  /** The script that a command runs, if it was written earlier. */
  find(name: string, [program, ...rest]: readonly ShellWord[], cwd: WorkingFolder): WrittenScript | undefined {
    if (this.#texts.size === 0) return undefined;
    const shell = isReadableShell(name) || name === "source" || name === ".";
    const language = scriptLanguage(name);
    const isOwn = program?.text.includes("/") === true && !shell && language === undefined;
    const path = exactPath(isOwn ? program : rest.find(({ text }) => !text.startsWith("-")), cwd);
    const text = path === undefined ? undefined : this.#texts.get(path);
    if (text === undefined || !(shell || isOwn || language !== undefined)) return undefined;
    if (text === null) return {};
    return language === undefined || shell ? scriptOf(text) : { text, language };
  }
}

function exactPath(word: ShellWord | undefined, { path }: WorkingFolder): string | undefined {
  return word !== undefined && isExact(word) ? resolvePath(word.text, path) : undefined;
}

/** Files that a download is written to: those it names, or the last part of the address. */
function downloads(name: string, words: readonly ShellWord[]): readonly ShellWord[] {
  if (name !== "curl" && name !== "wget") return [];
  const option = name === "curl" ? /^(?:-\w*o|--output)$/ : /^(?:-\w*O|--output-document)$/;
  const named = words.flatMap((word, index) => {
    const value = /^--output(?:-document)?=(.+)$/s.exec(word.text)?.[1];
    if (value !== undefined && isExact(word)) return [{ text: value }];
    return option.test(words[index - 1]?.text ?? "") ? [word] : [];
  });
  const byAddress = name === "curl" ? words.some(({ text }) => /^-\w*O|^--remote-name/.test(text)) : named.length === 0;
  if (!byAddress) return named;
  return words
    .filter(({ text }) => /^(?:https?|ftp):\/\//.test(text))
    .map(({ text }) => ({ text: basename(text.replace(/[?#][\s\S]*$/, "")) }));
}

/** The first line of a file that is run directly names its interpreter. */
function scriptOf(text: ShellWord): WrittenScript {
  const [, program = "sh"] = /^#!\s{0,9}\S{0,200}?(?:env\s{1,9}(?:-S\s{1,9})?)?([\w.-]{1,100})(?:\s|$)/.exec(text.text) ?? [];
  return isReadableShell(program) ? { text } : { text, language: scriptLanguage(program) ?? program };
}
