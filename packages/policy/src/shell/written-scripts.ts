import { basename, resolvePath } from "../paths.ts";
import { constantOutput } from "./constant-output.ts";
import { scriptLanguage } from "./foreign-code.ts";
import { isExact, type ShellWord, type SimpleCommand, type WorkingFolder } from "./shell-command.ts";
import { isReadableShell } from "./unwrap-shell.ts";

const MAX_FILES = 50;

/** A script that is written and run by the same text: what is in it can be read, where it is a constant. */
export interface WrittenScript {
  /** Left out when it is only known then: downloaded, computed. */
  readonly text?: ShellWord;
  /** Left out for a shell's. */
  readonly language?: string;
}

/** Files that were written before: by earlier commands of the same text, or by earlier calls of the same session. */
export class WrittenScripts {
  readonly #texts = new Map<string, ShellWord | null>();
  readonly #links = new Map<string, string>();

  constructor(written: Readonly<Record<string, string | null>> = {}) {
    for (const [path, text] of Object.entries(written)) this.#texts.set(path, text === null ? null : { text });
  }

  /** Where the links lead that were made. */
  get links(): ReadonlyMap<string, string> {
    return this.#links;
  }

  /** Remembers what a command writes into files, and which links it makes. */
  note(command: SimpleCommand): void {
    const { name, words, writes, cwd } = command;
    if (name === "ln" || (name === "cp" && words.some(({ text }) => /^-\w*s/.test(text)))) this.#noteLink(command);
    const files = name === "tee" ? words.slice(1).filter(({ text }) => !text.startsWith("-")) : [...writes, ...downloads(name, words)];
    const text = files.length === 0 ? undefined : constantOutput(command);
    for (const file of files) {
      const path = isExact(file) ? resolvePath(file.text, cwd.path) : undefined;
      if (path !== undefined && this.#texts.size < MAX_FILES) this.#texts.set(path, text ?? null);
    }
  }

  #noteLink({ words, cwd }: SimpleCommand): void {
    const [target, link = { text: "." }] = words.slice(1).filter(({ text }) => !text.startsWith("-"));
    if (target === undefined || !isExact(target) || !isExact(link) || this.#links.size >= MAX_FILES) return;
    const from = resolvePath(link.text, cwd.path);
    const to = resolvePath(target.text, cwd.path);
    if (from === undefined || to === undefined) return;
    this.#links.set(from, to);
    this.#links.set(`${from}/${basename(to)}`, to);
  }

  /** The script that a command runs, when it was written before. */
  find(name: string, words: readonly ShellWord[], cwd: WorkingFolder): WrittenScript | undefined {
    if (this.#texts.size === 0) return undefined;
    const [program, ...rest] = words;
    const shell = isReadableShell(name) || name === "source" || name === ".";
    const language = scriptLanguage(name);
    const file =
      program?.text.includes("/") === true && !shell && language === undefined ? program : rest.find(({ text }) => !text.startsWith("-"));
    const path = file !== undefined && isExact(file) ? resolvePath(file.text, cwd.path) : undefined;
    const text = path === undefined ? undefined : this.#texts.get(path);
    if (text === undefined || !(shell || file === program || language !== undefined)) return undefined;
    if (text === null) return {};
    return shell || file === program ? scriptOf(text) : { text, ...(language === undefined ? {} : { language }) };
  }
}

/** Files that a download is written to: those it names, or the last part of the address. */
function downloads(name: string, words: readonly ShellWord[]): readonly ShellWord[] {
  const option = name === "curl" ? /^(?:-\w*o|--output)$/ : name === "wget" ? /^(?:-\w*O|--output-document)$/ : undefined;
  if (option === undefined) return [];
  const named = words.flatMap((word, index) => {
    const value = /^--output(?:-document)?=(.+)$/s.exec(word.text)?.[1];
    if (value !== undefined && isExact(word)) return [{ text: value }];
    return option.test(words[index - 1]?.text ?? "") ? [word] : [];
  });
  const byAddress = name === "curl" ? words.some(({ text }) => /^-\w*O|^--remote-name/.test(text)) : named.length === 0;
  if (!byAddress) return named;
  return words.filter(({ text }) => /^(?:https?|ftp):\/\//.test(text)).map(({ text }) => ({ text: basename(text.replace(/[?#].*$/, "")) }));
}

/** A file that is run by itself says in its first line who reads it. */
function scriptOf(text: ShellWord): WrittenScript {
  const [, program = "sh"] = /^#!\s*\S*?(?:env\s+(?:-S\s+)?)?([\w.-]+)(?:\s|$)/.exec(text.text) ?? [];
  return isReadableShell(program) ? { text } : { text, language: scriptLanguage(program) ?? program };
}
