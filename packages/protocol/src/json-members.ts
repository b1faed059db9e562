const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;

/** The members of an object as written: the key with its quotes, and the value. Throws if the text is not an object. */
export function* membersOf(text: string): Generator<readonly [key: string, value: string]> {
  let index = skipSpace(text, 0);
  if (text[index] !== "{") throw new SyntaxError("Not an object.");
  index = skipSpace(text, index + 1);
  while (text[index] !== "}") {
    const keyEnd = endOfString(text, index);
    const key = text.slice(index, keyEnd);
    index = skipSpace(text, keyEnd);
    if (text[index] !== ":") throw new SyntaxError("Not a member.");
    index = skipSpace(text, index + 1);
    const end = endOfValue(text, index);
    yield [key, text.slice(index, end)];
    index = skipSpace(text, end);
    if (text.charCodeAt(index) === COMMA) index = skipSpace(text, index + 1);
    else if (text[index] !== "}") throw new SyntaxError("Not the end of a member.");
  }
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(text, index) - 1;
      if (depth === 0) return index + 1;
    } else if (code === 123 || code === 91) {
      depth++;
    } else if (code === 125 || code === 93) {
      if (depth === 0) return index; // the object that a number or a word stood last in
      if (--depth === 0) return index + 1;
    } else if (depth === 0 && (code === COMMA || code <= 32)) {
      return index;
    }
  }
  throw new SyntaxError("The value does not end.");
}

/** The index after the quote that ends the string begun at `start`. */
function endOfString(text: string, start: number): number {
  if (text.charCodeAt(start) !== QUOTE) throw new SyntaxError("Not a string.");
  for (let end = text.indexOf('"', start + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let slashes = end;
    while (text.charCodeAt(slashes - 1) === BACKSLASH) slashes--;
    if ((end - slashes) % 2 === 0) return end + 1;
  }
  throw new SyntaxError("The string does not end.");
}

function skipSpace(text: string, start: number): number {
  let index = start;
  while (text.charCodeAt(index) <= 32) index++;
  return index;
}

/** One member as written; undefined if the object has no such member, or if the text is not an object. */
export function memberText(text: string, name: string): string | undefined {
  try {
    for (const [key, value] of membersOf(text)) if ((key.includes("\\") ? JSON.parse(key) : key.slice(1, -1)) === name) return value;
  } catch {
    // A text that is not an object has no members.
  }
  return undefined;
}
