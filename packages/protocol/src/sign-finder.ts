const LENGTH = 3;
const BITS = 6;
const PAIRS = 1 << (2 * BITS);

/**
 * Whether a text contains any of the strings. `bytes` are the low bytes of the text's UTF-16 units, from a caller that can copy them in
 * bulk: reading them is faster than reading the text character by character.
 */
export type SignFinder = (text: string, bytes?: Uint8Array) => boolean;

/** The searched strings that a text contains. */
export type SignLister = (text: string) => ReadonlySet<string>;

/**
 * Searches for many three-character strings at once. One regular expression with all of them, or one search for each, takes several times
 * as long as parsing the text; this takes a fraction of it. A table maps every two characters to the possible third ones, and each step
 * depends only on the two characters before it, so the processor works on several positions in parallel and rarely mispredicts a branch.
 * The lookup uses only some bits of the characters: that may cost a needless check, never a match.
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

/** One pass for all strings, which consist of ASCII characters; separate searches would take one pass each. */
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

/** Maps two characters to a bit set of third characters. */
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
