import { isExact, type ShellInput, type ShellWord } from "./shell-command.ts";
import { opaqueCommand, startsInner, type UnwrappedCommand } from "./unwrapped.ts";

/** Shells whose language is close enough to bash to be read as bash, and shells with another language. */
const READ = /^(?:sh|bash|zsh|dash|ksh|mksh|ash|rbash|rzsh)$/;
const FOREIGN = /^(?:fish|csh|tcsh|pwsh|powershell|cmd|nu|nushell|elvish|xonsh|rc|es)$/;

export function isShell(name: string): boolean {
  return READ.test(name) || FOREIGN.test(name);
}

export function isReadableShell(name: string): boolean {
  return READ.test(name);
}

const LONG_OPTION = /^--(?:login|norc|noprofile|posix|verbose|restricted|noediting)$/;
const TELLS = /^--(?:version|help|dump-strings|dump-po-strings)$/;

/** The text that a shell runs: from `-c`, from a script, or from its standard input. */
export function unwrapShell(name: string, words: readonly ShellWord[], input: ShellInput | undefined): UnwrappedCommand | undefined {
  const later = opaqueCommand(`what \`${name}\` runs is only known when it runs`);
  if (words.slice(1).some(({ text }) => TELLS.test(text))) return undefined;
  if (FOREIGN.test(name)) return opaqueCommand(`\`${name}\` has a language of its own, which is not read here`);
  let command = false;
  let fromInput = false;
  let index = 1;
  for (; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) break;
    const { text } = word;
    if (!isExact(word)) {
      if (!/^[-+$`*?[{]/.test(text) || word.process !== undefined || command) break;
      return later;
    }
    if (text === "--" || text === "-") {
      index++;
      break;
    }
    if (text === "--rcfile" || text === "--init-file") return opaqueCommand(`\`${text}\` has the shell run a file first`);
    if (LONG_OPTION.test(text)) continue;
    if (!/^[-+]./s.test(text)) break;
    if (!/^[-+][A-Za-z]+$/.test(text)) return opaqueCommand(`the option \`${text}\` of \`${name}\` is not known here`);
    command ||= text.startsWith("-") && text.includes("c");
    fromInput ||= text.startsWith("-") && text.includes("s");
    if (/[oO]$/.test(text)) index++;
  }
  const operand = words[index];
  if (command) return operand === undefined ? undefined : startsInner({ text: operand, kind: "text" });
  if (operand !== undefined && !fromInput && !/^\/(?:dev\/(?:stdin|fd\/)|proc\/self\/fd\/)/.test(operand.text))
    return isExact(operand) ? undefined : later;
  if (input === undefined) return opaqueCommand(`\`${name}\` starts a shell, and what that is told is only known when it runs`);
  return input.kind === "text"
    ? startsInner({ text: input.word, kind: "text" })
    : opaqueCommand(`what is fed to \`${name}\` is only known when it runs`);
}
