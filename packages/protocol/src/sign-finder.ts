const LENGTH = 3;
const BITS = 6;
const PAIRS = 1 << (2 * BITS);

/**
 * Whether a text has any of the strings looked for. `bytes` are the low bytes of the text's UTF-16 units, from whoever has a
 * way to copy them at once: reading them is faster than asking the text for one character after the other.
 */
export type SignFinder = (text: string, bytes?: Uint8Array) => boolean;

/** Which of the strings looked for a text has. */
export type SignLister = (text: string) => ReadonlySet<string>;

/**
 * Looks for any of many strings of three characters at once. One regular expression with all of them, or one search for
 * each, takes several times as long as parsing the text; this takes a fraction of it. For every two characters a table
 * says which third ones may end a string, and nothing depends on what was found so far but the two characters: so the
 * processor looks at several places at a time, and hardly ever guesses wrong. Only parts of the characters are looked
 * up: that costs a look in vain, never a string.
 */
export function createSignFinder(signs: readonly string[]): SignFinder {
  const thirds = tableOf(signs);
  const all = new Set(signs);
  const isSign = (text: string, end: number): boolean => all.has(text.slice(end - LENGTH, end));

  function isInText(text: string): boolean {
    let pair = 0;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if ((((thirds[pair] ?? 0) >> code) & 1) !== 0 && isSign(text, index + 1)) return true;
      pair = pairOf(pair, code);
    }
    return false;
  }

  function isInBytes(text: string, bytes: Uint8Array): boolean {
    const { length } = text;
    let pair = 0;
    for (let index = 0; index < length; index++) {
      const code = bytes[index] ?? 0;
      if ((((thirds[pair] ?? 0) >> code) & 1) !== 0 && isSign(text, index + 1)) return true;
      pair = pairOf(pair, code);
    }
    return false;
  }

  return (text, bytes) => (bytes === undefined ? isInText(text) : isInBytes(text, bytes));
}

/** One pass for all of the strings, which have ASCII characters: searching for each of them takes as many passes. */
export function createSignLister(signs: readonly string[]): SignLister {
  const byCodes = new Map(signs.map((sign) => [keyOf(sign.charCodeAt(0), sign.charCodeAt(1), sign.charCodeAt(2)), sign]));
  const thirds = tableOf(signs);
  return (text) => {
    const found = new Set<string>();
    let first = 0;
    let second = 0;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if ((((thirds[pairOf(pairOf(0, first), second)] ?? 0) >> code) & 1) !== 0) {
        const sign = byCodes.get(keyOf(first, second, code));
        if (sign !== undefined) found.add(sign);
      }
      first = second;
      second = code;
    }
    return found;
  };
}

function keyOf(first: number, second: number, third: number): number {
  return (first * 0x1_0000 + second) * 0x1_0000 + third;
}

/** By two characters: a bit for each third one. */
function tableOf(signs: readonly string[]): Int32Array {
  const thirds = new Int32Array(PAIRS);
  for (const sign of signs) {
    const [first = 0, second = 0, third = 0] = Array.from(sign, (character) => character.charCodeAt(0));
    const pair = pairOf(pairOf(0, first), second);
    thirds[pair] = (thirds[pair] ?? 0) | (1 << third); // shifting takes the low five bits of it
  }
  return thirds;
}

function pairOf(before: number, code: number): number {
  return ((before << BITS) | (code & ((1 << BITS) - 1))) & (PAIRS - 1);
}
