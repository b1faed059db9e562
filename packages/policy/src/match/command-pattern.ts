import { isSecretPath } from "../catalogue/secrets.ts";
import { isInside, resolvePath } from "../paths.ts";
import type { TextPattern } from "../policy.ts";
import { withoutGlobalOptions } from "../shell/options.ts";
import { joinWords, type ShellWord, type SimpleCommand, UNKNOWN_PART } from "../shell/shell-command.ts";
import { type Glob, lettersOf, readGlob, searchPairs } from "./glob.ts";
import { compileRegex, type PatternEngine } from "./text-pattern.ts";

export type CommandTest = (command: SimpleCommand, roots: readonly string[], broad: boolean) => boolean;

/** One word; `*`: any number of words; `<words>`: any number of words that are not options and stay in the workspace. */
type Token = Glob | "*" | "<words>";
type Tokens = readonly Token[];
type Words = readonly ShellWord[];

const MAX_WORDS = 512;
const NO_TOKENS: readonly Tokens[] = [];

/**
 * Compiles patterns for simple commands, matched word by word. For a permissive rule, all words must match, the program must be exactly
 * as written, and a wrapper that changes the meaning of the command must be named. For a restrictive rule, the beginning is enough, the
 * program may be in any folder, and wrappers and general options are optional.
 */
export function compileCommand(patterns: readonly TextPattern[], engine: PatternEngine | undefined): CommandTest {
  const regexes = patterns.flatMap((pattern) => (typeof pattern === "string" ? [] : [compileRegex(pattern.regex, engine)]));
  const texts = patterns.filter((pattern) => typeof pattern === "string").map(tokenizeCommandPattern);
  const programOf = ([first]: Tokens) => (typeof first === "object" ? first.literal?.toLowerCase() : undefined);
  const byProgram = Map.groupBy(texts, programOf);
  const always = byProgram.get(undefined) ?? NO_TOKENS;
  return (command, roots, broad) =>
    candidates(command, broad).some((words) => {
      const fits = (tokens: Tokens) =>
        words.length > MAX_WORDS ? broad && startsAlike(tokens, words) : matchWords(tokens, words, { command, roots, broad });
      const named = byProgram.get(words[0]?.text.toLowerCase() ?? "") ?? NO_TOKENS;
      return named.some(fits) || always.some(fits) || regexes.some((test) => test(joinWords(words), broad));
    });
}

/** For a text that was not parsed: whether the words of a pattern occur in it in order. */
export function compileMention(patterns: readonly TextPattern[], engine: PatternEngine | undefined): (text: string) => boolean {
  const tests = patterns.map((pattern): ((text: string) => boolean) => {
    if (typeof pattern !== "string") {
      const test = compileRegex(pattern.regex, engine);
      return (text) => test(text, true);
    }
    const words = tokenizeCommandPattern(pattern).flatMap((token) => (typeof token === "string" ? [] : lettersOf(token)));
    return (text) => hasInOrder(text.toLowerCase(), words);
  });
  return (text) => tests.some((test) => test(text));
}

/** Whether words occur in a text in this order, none of them inside another word. */
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
  const joins = (before: string | undefined, after: string | undefined) => /^[a-z\d]{2}$/.test(`${before}${after}`);
  return joins(text[at - 1] ?? " ", word[0]) || joins(word.at(-1), text[at + word.length] ?? " ");
}

/** Words in a pattern are separated by spaces; quotes keep some together. */
export function tokenizeCommandPattern(pattern: string): Tokens {
  return [...pattern.matchAll(/"((?:\\.|[^"\\])*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain = ""]): Token => {
    if (plain === "*" || plain === "<words>") return plain;
    return readGlob(single?.replaceAll(/[\\*?]/g, String.raw`\$&`) ?? double?.replaceAll(String.raw`\"`, '"') ?? plain);
  });
}

function candidates({ via, words, name }: SimpleCommand, broad: boolean): readonly Words[] {
  if (!broad) {
    const [outer] = via;
    if (outer === undefined) return [words];
    const named = via.every(({ kind }) => kind !== "text" && kind !== "supplied") ? [outer.words] : [];
    return via.every(({ kind }) => kind === "transparent") ? [words, ...named] : named;
  }
  const [first] = words;
  const plain = withoutGlobalOptions(name, words);
  const own = plain === words ? [words] : [words, plain];
  const all = [...own, ...via.map((wrapper) => wrapper.words)];
  if (first === undefined || first.text === name || name === "") return all;
  return [...all, ...own.map((some) => [{ text: name }, ...some.slice(1)])];
}

/** If there are too many words, only the program is compared. */
function startsAlike([token]: Tokens, [word]: Words): boolean {
  return token === undefined || typeof token === "string" || word === undefined || token.matches(word.text, true);
}

interface Matching {
  readonly command: SimpleCommand;
  readonly roots: readonly string[];
  readonly broad: boolean;
}

function matchWords(tokens: Tokens, words: Words, { command, roots, broad }: Matching): boolean {
  return searchPairs(MAX_WORDS + 1, (token, at, goOn) => {
    const wanted = tokens[token];
    const word = words[at];
    if (wanted === undefined) return broad || word === undefined;
    if (typeof wanted === "string") {
      if (goOn(token + 1, at)) return true;
      return word !== undefined && (wanted === "*" || broad || staysInside(word, command, roots)) && goOn(token, at + 1);
    }
    if (word === undefined) return false;
    // A part known only at run time may be any word, or several.
    if (word.shape?.includes(UNKNOWN_PART) === true || word.process !== undefined)
      return broad && at > 0 && (goOn(token + 1, at + 1) || goOn(token + 1, at) || goOn(token, at + 1));
    return wanted.matches(word.text, broad) && (word.shape === undefined || broad) && goOn(token + 1, at + 1);
  });
}

function staysInside(word: ShellWord, { cwd }: SimpleCommand, roots: readonly string[]): boolean {
  const { text, shape = text } = word;
  if (word.process !== undefined || shape.includes(UNKNOWN_PART) || text.startsWith("-") || /^[A-Za-z_]\w*=|:\/\//.test(text)) return false;
  const path = resolvePath(shape, cwd.path);
  return path !== undefined && cwd.sure && roots.some((root) => isInside(path, root)) && !isSecretPath(path);
}
