import { resolvePath } from "../paths.ts";
import { constantOutput } from "./constant-output.ts";
import { scriptLanguage } from "./foreign-code.ts";
import { isExact, type ShellWord, type SimpleCommand, type WorkingFolder } from "./shell-command.ts";
import { isReadableShell } from "./unwrap-shell.ts";

const MOST_FILES = 50;

/** A script that is written and run by the same text: what is in it can be read, where it is a constant. */
export interface WrittenScript {
  /** Left out when it is only known then: downloaded, computed. */
  readonly text?: ShellWord;
  /** Left out for a shell's. */
  readonly language?: string;
}

export class WrittenScripts {
  readonly #texts = new Map<string, ShellWord | null>();

  /** Remembers what a command writes into files. */
  note(command: SimpleCommand): void {
    const { name, words, writes, cwd } = command;
    const files = name === "tee" ? words.slice(1).filter(({ text }) => !text.startsWith("-")) : [...writes, ...downloads(name, words)];
    const text = files.length === 0 ? undefined : constantOutput(command);
    for (const file of files) {
      const path = isExact(file) ? resolvePath(file.text, cwd.path) : undefined;
      if (path !== undefined && this.#texts.size < MOST_FILES) this.#texts.set(path, text ?? null);
    }
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

/** Files that a download is written to. */
function downloads(name: string, words: readonly ShellWord[]): readonly ShellWord[] {
  const option = name === "curl" ? /^(?:-\w*o|--output)$/ : name === "wget" ? /^(?:-\w*O|--output-document)$/ : undefined;
  const attached = /^--output(?:-document)?=(.+)$/s;
  if (option === undefined) return [];
  return words.flatMap((word, index) => {
    const value = attached.exec(word.text)?.[1];
    if (value !== undefined && isExact(word)) return [{ text: value }];
    return option.test(words[index - 1]?.text ?? "") ? [word] : [];
  });
}

/** A file that is run by itself says in its first line who reads it. */
function scriptOf(text: ShellWord): WrittenScript {
  const [, program = "sh"] = /^#!\s*\S*?(?:env\s+(?:-S\s+)?)?([\w.-]+)(?:\s|$)/.exec(text.text) ?? [];
  return isReadableShell(program) ? { text } : { text, language: scriptLanguage(program) ?? program };
}
