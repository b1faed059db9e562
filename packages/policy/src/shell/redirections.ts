import type { HereDoc, Redirection } from "unbash";
import { expandParts, expandToText, expandWord, type WordContext } from "./expand-word.ts";
import type { ShellInput, ShellWord } from "./shell-command.ts";

export interface Redirections {
  readonly reads: ShellWord[];
  readonly writes: ShellWord[];
  /** Those of `writes` that are emptied first. */
  readonly truncates: ShellWord[];
  /** The last redirection of standard input wins. */
  input: ShellInput | undefined;
}

const NONE: Redirections = { reads: [], writes: [], truncates: [], input: undefined };

export function readRedirections(redirects: readonly Redirection[], context: WordContext): Redirections {
  if (redirects.length === 0) return NONE;
  const found: Redirections = { reads: [], writes: [], truncates: [], input: undefined };
  for (const redirect of redirects) {
    const { descriptor } = redirect;
    const isInput = descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 0);
    if (redirect.type === "HereDoc" || redirect.type === "HereString") {
      const word = redirect.type === "HereDoc" ? bodyOf(redirect, context) : redirect.target && expandToText(redirect.target, context);
      if (isInput && word !== undefined) found.input = { kind: "text", word };
      continue;
    }
    if (redirect.target === undefined) continue;
    for (const word of expandWord(redirect.target, context)) addTarget(redirect.operator, word, isInput, found);
  }
  return found;
}

function addTarget(operator: string, word: ShellWord, isInput: boolean, found: Redirections): void {
  // `2>&1` copies, `>&-` closes; `>&file` writes.
  if ((operator === ">&" || operator === "<&") && /^(?:\d+-?|-)$/.test(word.text)) return;
  if (word.process !== undefined) {
    if (operator === "<" && isInput) found.input = { kind: "pipe", from: [] };
    return;
  }
  if (operator !== "<" && operator !== "<&") found.writes.push(word);
  if (/^(?:>|>\||&>|>&)$/.test(operator)) found.truncates.push(word);
  if (!operator.startsWith("<")) return;
  found.reads.push(word);
  if (isInput) found.input = { kind: "file", word };
}

function bodyOf({ operator, delimiter, body }: HereDoc, context: WordContext): ShellWord {
  const parts = delimiter?.quoted === true ? undefined : body.parts;
  const word: ShellWord = parts === undefined ? { text: body.text } : expandParts(parts, context);
  if (operator === "<<") return word;
  const strip = (text: string) => text.replaceAll(/^\t+/gm, "");
  return { text: strip(word.text), ...(word.shape === undefined ? {} : { shape: strip(word.shape) }) };
}
