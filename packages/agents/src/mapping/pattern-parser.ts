/** A regular expression as a tree. `test` matches one UTF-16 unit. */
export type PatternNode =
  | { readonly is: "one"; readonly test: (code: number) => boolean }
  | { readonly is: "edge"; readonly at: "start" | "end" | "word" }
  | { readonly is: "row"; readonly parts: readonly PatternNode[] }
  | { readonly is: "either"; readonly parts: readonly PatternNode[] }
  | { readonly is: "repeat"; readonly part: PatternNode; readonly least: number; readonly most: number };

const MAX_REPEATS = 100;
const MAX_LEVELS = 20;

/**
 * Parses expressions that can be matched in linear time: characters, `.`, classes, `\d \w \s \b`, groups, `|`, `^`, `$` and quantifiers;
 * a leading `(?i)` ignores case. Returns undefined for anything else, including look-around and back-references.
 */
export function parsePattern(text: string): PatternNode | undefined {
  const ignoreCase = text.startsWith("(?i)");
  const parser = new PatternParser(ignoreCase ? text.slice(4) : text, ignoreCase);
  try {
    return parser.parse();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Unreadable extends Error {}

class PatternParser {
  readonly #text: string;
  readonly #ignoreCase: boolean;
  #at = 0;
  #level = 0;

  constructor(text: string, ignoreCase: boolean) {
    this.#text = text;
    this.#ignoreCase = ignoreCase;
  }

  parse(): PatternNode {
    const part = this.#either();
    if (this.#at < this.#text.length) throw new Unreadable();
    return part;
  }

  #either(): PatternNode {
    if (++this.#level > MAX_LEVELS) throw new Unreadable();
    const parts = [this.#row()];
    while (this.#take("|")) parts.push(this.#row());
    this.#level--;
    return parts.length === 1 ? (parts[0] as PatternNode) : { is: "either", parts };
  }

  #row(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#text.length && !"|)".includes(this.#peek())) parts.push(this.#repeated());
    return { is: "row", parts };
  }

  #repeated(): PatternNode {
    let part = this.#atom();
    for (let limits = this.#quantifier(); limits !== undefined; limits = this.#quantifier()) {
      part = { is: "repeat", part, ...limits };
      this.#take("?"); // lazy or greedy: whether it matches is the same
    }
    return part;
  }

  #quantifier(): { readonly least: number; readonly most: number } | undefined {
    if (this.#take("*")) return { least: 0, most: Number.POSITIVE_INFINITY };
    if (this.#take("+")) return { least: 1, most: Number.POSITIVE_INFINITY };
    if (this.#take("?")) return { least: 0, most: 1 };
    const written = /^\{(\d{1,3})(,(\d{0,3}))?\}/.exec(this.#text.slice(this.#at, this.#at + 10));
    if (written === null) return undefined;
    const least = Number(written[1]);
    const most = written[2] === undefined ? least : written[3] === "" ? Number.POSITIVE_INFINITY : Number(written[3]);
    if (least > MAX_REPEATS || (most !== Number.POSITIVE_INFINITY && most > MAX_REPEATS) || most < least) throw new Unreadable();
    this.#at += written[0].length;
    return { least, most };
  }

  #atom(): PatternNode {
    const character = this.#next();
    switch (character) {
      case "(": {
        if (this.#take("?") && !this.#take(":")) throw new Unreadable();
        const inner = this.#either();
        if (!this.#take(")")) throw new Unreadable();
        return inner;
      }
      case "[":
        return { is: "one", test: this.#class() };
      case ".":
        return { is: "one", test: (code) => code !== 10 && code !== 13 && code !== 0x2028 && code !== 0x2029 };
      case "^":
        return { is: "edge", at: "start" };
      case "$":
        return { is: "edge", at: "end" };
      case "\\":
        if (this.#take("b")) return { is: "edge", at: "word" };
        return { is: "one", test: this.#escape() };
      case "*":
      case "+":
      case "?":
      case "{":
      case "}":
      case "]":
        throw new Unreadable();
      default:
        return { is: "one", test: this.#exactly(character.charCodeAt(0)) };
    }
  }

  #class(): (code: number) => boolean {
    const isNegated = this.#take("^");
    const tests: ((code: number) => boolean)[] = [];
    while (!this.#take("]")) {
      const from = this.#next();
      if (from === "\\") {
        tests.push(this.#escape());
        continue;
      }
      if (this.#peek() === "-" && this.#text.charAt(this.#at + 1) !== "]") {
        this.#at++;
        const to = this.#next();
        if (to === "\\" || to < from) throw new Unreadable();
        tests.push(this.#range(from.charCodeAt(0), to.charCodeAt(0)));
      } else {
        tests.push(this.#exactly(from.charCodeAt(0)));
      }
    }
    return (code) => tests.some((test) => test(code)) !== isNegated;
  }

  #escape(): (code: number) => boolean {
    const character = this.#next();
    const isSet = SETS[character.toLowerCase()];
    if (isSet !== undefined) return character === character.toLowerCase() ? isSet : (code) => !isSet(code);
    const control = { n: 10, r: 13, t: 9 }[character];
    if (control !== undefined) return this.#exactly(control);
    if (/[A-Za-z0-9]/.test(character)) throw new Unreadable();
    return this.#exactly(character.charCodeAt(0));
  }

  #exactly(wanted: number): (code: number) => boolean {
    const other = this.#ignoreCase ? otherCase(wanted) : wanted;
    return (code) => code === wanted || code === other;
  }

  #range(from: number, to: number): (code: number) => boolean {
    const isIn = (code: number) => code >= from && code <= to;
    return this.#ignoreCase ? (code) => isIn(code) || isIn(otherCase(code)) : isIn;
  }

  #next(): string {
    if (this.#at >= this.#text.length) throw new Unreadable();
    return this.#text.charAt(this.#at++);
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at++;
    return true;
  }
}

export function isWordUnit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}

const SETS: Readonly<Record<string, (code: number) => boolean>> = {
  d: (code) => code >= 48 && code <= 57,
  w: isWordUnit,
  s: (code) => /\s/.test(String.fromCharCode(code)),
};

/** ASCII letters only: patterns match names and commands. */
function otherCase(code: number): number {
  if (code >= 65 && code <= 90) return code + 32;
  return code >= 97 && code <= 122 ? code - 32 : code;
}
