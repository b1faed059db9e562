import { isSecretPath } from "../catalogue/secrets.ts";
import { isInside, resolvePath } from "../paths.ts";
import type { TextPattern } from "../policy.ts";
import { withoutGlobalOptions } from "../shell/options.ts";
import { HOLE, joinWords, type ShellWord, type SimpleCommand } from "../shell/shell-command.ts";
import { type Glob, readGlob } from "./glob.ts";
import type { PatternEngine } from "./pattern-engine.ts";
import { compileRegex } from "./text-pattern.ts";

export type CommandTest = (command: SimpleCommand, roots: readonly string[], broad: boolean) => boolean;

/** One word; `*`: any number of words; `<words>`: any number that are no options and stay in the workspace. */
type Token = Glob | "*" | "<words>";

const MOST_WORDS = 512;

/**
 * Patterns for simple commands, word by word. For a rule that lets through: all words, the program exactly as written, and
 * a wrapper that changes whose command it is must be named. For one that restricts: the beginning is enough, the program may
 * stand in any folder, and wrappers and general options may be there or not.
 */
export function compileCommand(patterns: readonly TextPattern[], engine: PatternEngine | undefined): CommandTest {
  const regexes = patterns.flatMap((pattern) => (typeof pattern === "string" ? [] : [compileRegex(pattern.regex, engine)]));
  const byProgram = new Map<string, (readonly Token[])[]>();
  const always: (readonly Token[])[] = [];
  for (const pattern of patterns) {
    if (typeof pattern !== "string") continue;
    const tokens = readCommandPattern(pattern);
    const [first] = tokens;
    const program = typeof first === "object" ? first.literal?.toLowerCase() : undefined;
    if (program === undefined) always.push(tokens);
    else byProgram.set(program, [...(byProgram.get(program) ?? []), tokens]);
  }
  return (command, roots, broad) => {
    for (const words of candidates(command, broad)) {
      const named = byProgram.get(words[0]?.text.toLowerCase() ?? "") ?? NO_TOKENS;
      if (named.some((tokens) => fits(tokens, words, command, roots, broad))) return true;
      if (always.some((tokens) => fits(tokens, words, command, roots, broad))) return true;
      if (regexes.length > 0 && regexes.some((test) => test(joinWords(words), broad))) return true;
    }
    return false;
  };
}

/** For a text that was not taken apart: whether the words of a pattern stand in it, one after the other. */
export function compileMention(patterns: readonly TextPattern[], engine: PatternEngine | undefined): (text: string) => boolean {
  const tests = patterns.map((pattern): ((text: string) => boolean) => {
    if (typeof pattern !== "string") {
      const test = compileRegex(pattern.regex, engine);
      return (text) => test(text, true);
    }
    const words = readCommandPattern(pattern).flatMap((token) => (typeof token === "string" ? [] : lettersOf(token)));
    return (text) => hasInOrder(text.toLowerCase(), words);
  });
  return (text) => tests.some((test) => test(text));
}

/** The letters of a glob between its stars. */
export function lettersOf({ tokens }: Glob): readonly string[] {
  const pieces: string[] = [""];
  for (const token of tokens) {
    if (token.length > 1) pieces.push("");
    else pieces.push((pieces.pop() ?? "") + token.toLowerCase());
  }
  return pieces.filter((piece) => piece !== "");
}

/** Whether words stand in a text in this order, none of them in the middle of another word. */
export function hasInOrder(text: string, words: readonly string[]): boolean {
  let at = 0;
  for (const word of words) {
    do {
      at = text.indexOf(word, at) + 1;
      if (at === 0) return false;
    } while (isInsideWord(text, at - 1, word));
    at += word.length - 1;
  }
  return true;
}

function isInsideWord(text: string, at: number, word: string): boolean {
  const letter = /[a-z\d]/;
  return (
    (letter.test(word[0] ?? "") && letter.test(text[at - 1] ?? "")) ||
    (letter.test(word.at(-1) ?? "") && letter.test(text[at + word.length] ?? ""))
  );
}

const NO_TOKENS: readonly (readonly Token[])[] = [];

function fits(
  tokens: readonly Token[],
  words: readonly ShellWord[],
  command: SimpleCommand,
  roots: readonly string[],
  broad: boolean,
): boolean {
  return words.length > MOST_WORDS ? broad && startsAlike(tokens, words) : matchWords(tokens, words, command, roots, broad);
}

/** Words in a pattern are separated by spaces; quotes keep some together. */
export function readCommandPattern(pattern: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const [, double, single, plain] of pattern.matchAll(/"((?:\\.|[^"\\])*)"|'([^']*)'|(\S+)/g)) {
    if (plain === "*" || plain === "<words>") tokens.push(plain);
    else tokens.push(readGlob(single?.replaceAll(/[\\*?]/g, String.raw`\$&`) ?? double?.replaceAll(String.raw`\"`, '"') ?? plain ?? ""));
  }
  return tokens;
}

function candidates(command: SimpleCommand, broad: boolean): readonly (readonly ShellWord[])[] {
  const { via, words, name } = command;
  if (!broad) {
    const [outer] = via;
    if (outer === undefined) return [words];
    const named = via.every(({ kind }) => kind !== "text" && kind !== "supplied") ? [outer.words] : [];
    return via.every(({ kind }) => kind === "transparent") ? [words, ...named] : named;
  }
  const all: (readonly ShellWord[])[] = [words, ...via.map((wrapper) => wrapper.words)];
  const plain = withoutGlobalOptions(name, words);
  if (plain !== words) all.push(plain);
  const [first, ...rest] = words;
  if (first !== undefined && first.text !== name && name !== "") all.push([{ text: name }, ...rest]);
  if (plain !== words && first?.text !== name) all.push([{ text: name }, ...plain.slice(1)]);
  return all;
}

/** Of too many words only the program is looked at. */
function startsAlike([token]: readonly Token[], [word]: readonly ShellWord[]): boolean {
  return token === undefined || typeof token === "string" || word === undefined || token.matches(word.text, true);
}

function matchWords(
  tokens: readonly Token[],
  words: readonly ShellWord[],
  command: SimpleCommand,
  roots: readonly string[],
  broad: boolean,
): boolean {
  const seen = new Set<number>();
  const visit = (token: number, at: number): boolean => {
    const key = token * (MOST_WORDS + 1) + at;
    if (seen.has(key)) return false;
    seen.add(key);
    const wanted = tokens[token];
    const word = words[at];
    if (wanted === undefined) return broad || word === undefined;
    if (wanted === "*" || wanted === "<words>") {
      if (visit(token + 1, at)) return true;
      if (word === undefined) return false;
      return (wanted === "*" || broad || staysInside(word, command, roots)) && visit(token, at + 1);
    }
    if (word === undefined) return false;
    // What is only known when it runs may be any word, or several.
    if (word.shape?.includes(HOLE) === true || word.process !== undefined) {
      return broad && at > 0 && (visit(token + 1, at + 1) || visit(token + 1, at) || visit(token, at + 1));
    }
    return wanted.matches(word.text, broad) && (word.shape === undefined || broad) && visit(token + 1, at + 1);
  };
  return visit(0, 0);
}

function staysInside(word: ShellWord, { cwd }: SimpleCommand, roots: readonly string[]): boolean {
  const { text, shape = text } = word;
  if (word.process !== undefined || shape.includes(HOLE) || text.startsWith("-") || /^[A-Za-z_]\w*=|:\/\//.test(text)) return false;
  const path = resolvePath(shape, cwd.path);
  return path !== undefined && cwd.sure && roots.some((root) => isInside(path, root)) && !isSecretPath(path);
}
