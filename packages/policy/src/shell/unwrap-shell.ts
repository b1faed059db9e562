import { isExact, type ShellInput, type ShellWord, type Unwrapped } from "./shell-command.ts";

/** Shells whose language is near enough to be read as bash. */
const READ = new Set(["sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "rbash", "rzsh"]);
/** Shells of another language. */
const FOREIGN = new Set(["fish", "csh", "tcsh", "pwsh", "powershell", "cmd", "nu", "nushell", "elvish", "xonsh", "rc", "es"]);

export function isShell(name: string): boolean {
  return READ.has(name) || FOREIGN.has(name);
}

export function isReadableShell(name: string): boolean {
  return READ.has(name);
}

const LONG = new Set(["--login", "--norc", "--noprofile", "--posix", "--verbose", "--restricted", "--noediting"]);
const TELLS = new Set(["--version", "--help", "--dump-strings", "--dump-po-strings"]);

/** What a shell is told: by `-c`, by a script, or through its standard input. */
export function unwrapShell(name: string, words: readonly ShellWord[], input: ShellInput | undefined): Unwrapped | undefined {
  const opaque = (why: string): Unwrapped => ({ inner: [], itself: true, why });
  if (words.slice(1).some(({ text }) => TELLS.has(text))) return undefined;
  if (FOREIGN.has(name)) return opaque(`\`${name}\` has a language of its own, which is not read here`);
  let command = false;
  let fromInput = false;
  let index = 1;
  for (; index < words.length; index++) {
    const word = words[index];
    if (word === undefined || (!isExact(word) && !/^[-+$`*?[{]/.test(word.text))) break;
    if (!isExact(word)) {
      if (word.process !== undefined) break;
      if (command) break;
      return opaque(`what \`${name}\` runs is only known when it runs`);
    }
    const { text } = word;
    if (text === "--" || text === "-") {
      index++;
      break;
    }
    if (text === "--rcfile" || text === "--init-file") return opaque(`\`${text}\` has the shell run a file first`);
    if (LONG.has(text)) continue;
    if (!/^[-+]/.test(text) || text.length < 2) break;
    if (!/^[-+][A-Za-z]+$/.test(text)) return opaque(`the option \`${text}\` of \`${name}\` is not known here`);
    command ||= text.startsWith("-") && text.includes("c");
    fromInput ||= text.startsWith("-") && text.includes("s");
    if (/[oO]$/.test(text)) index++;
  }
  const operand = words[index];
  if (command) {
    return operand === undefined ? undefined : { inner: [{ text: operand, kind: "text" }], itself: false };
  }
  if (operand !== undefined && !fromInput && !/^\/(?:dev\/(?:stdin|fd\/)|proc\/self\/fd\/)/.test(operand.text)) {
    return isExact(operand) ? undefined : opaque(`what \`${name}\` runs is only known when it runs`);
  }
  if (input === undefined) return opaque(`\`${name}\` starts a shell, and what that is told is only known when it runs`);
  if (input.kind === "text") return { inner: [{ text: input.word, kind: "text" }], itself: false };
  return opaque(`what is fed to \`${name}\` is only known when it runs`);
}
