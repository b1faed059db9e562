import type { HereDoc, Redirection } from "unbash";
import { expandParts, expandToText, expandWord, type WordContext } from "./expand-word.ts";
import type { ShellInput, ShellWord } from "./shell-command.ts";

export interface Redirections {
  readonly reads: readonly ShellWord[];
  readonly writes: readonly ShellWord[];
  /** Those of `writes` that are emptied first. */
  readonly truncates: readonly ShellWord[];
  /** The last redirection of standard input counts. */
  readonly input: ShellInput | undefined;
}

const NONE: Redirections = { reads: [], writes: [], truncates: [], input: undefined };

export function readRedirections(redirects: readonly Redirection[], context: WordContext): Redirections {
  if (redirects.length === 0) return NONE;
  const reads: ShellWord[] = [];
  const writes: ShellWord[] = [];
  const truncates: ShellWord[] = [];
  let input: ShellInput | undefined;
  for (const redirect of redirects) {
    const number = redirect.descriptor?.type === "FileDescriptor" ? redirect.descriptor.value : undefined;
    const isInput = number === undefined ? redirect.descriptor === undefined : number === 0;
    if (redirect.type === "HereDoc") {
      if (isInput) input = { kind: "text", word: bodyOf(redirect, context) };
      continue;
    }
    if (redirect.target === undefined) continue;
    if (redirect.type === "HereString") {
      if (isInput) input = { kind: "text", word: expandToText(redirect.target, context) };
      continue;
    }
    const { operator } = redirect;
    for (const word of expandWord(redirect.target, context)) {
      // `2>&1` copies, `>&-` closes; `>&file` writes.
      if ((operator === ">&" || operator === "<&") && /^(?:\d+-?|-)$/.test(word.text)) continue;
      if (word.process !== undefined) {
        if (operator === "<" && isInput) input = { kind: "pipe", from: [] };
        continue;
      }
      if (operator !== "<" && operator !== "<&") writes.push(word);
      if (operator === ">" || operator === ">|" || operator === "&>" || operator === ">&") truncates.push(word);
      if (operator === "<" || operator === "<>" || operator === "<&") {
        reads.push(word);
        if (isInput) input = { kind: "file", word };
      }
    }
  }
  return { reads, writes, truncates, input };
}

function bodyOf({ operator, delimiter, body }: HereDoc, context: WordContext): ShellWord {
  const parts = delimiter?.quoted === true ? undefined : body.parts;
  const word = parts === undefined ? { text: body.text } : expandParts(parts, context);
  if (operator === "<<") return word;
  const strip = (text: string) => text.replaceAll(/^\t+/gm, "");
  return "shape" in word && word.shape !== undefined ? { text: strip(word.text), shape: strip(word.shape) } : { text: strip(word.text) };
}
