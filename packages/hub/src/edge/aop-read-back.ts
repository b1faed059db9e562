import type { Entry } from "../ledger/ledger.ts";

/** The members of an event in the order in which the official collector gives them, and what stands for a missing one. */
const MEMBERS: readonly (readonly [name: string, missing: string])[] = [
  ["spec", '"aop/1.0"'],
  ["session_id", "null"],
  ["parent_session_id", "null"],
  ["agent_id", "null"],
  ["agent_version", "null"],
  ["sequence", "null"],
  ["timestamp", "null"],
  ["type", "null"],
  ["payload", "{}"],
];
const PLACES: ReadonlyMap<string, number> = new Map(MEMBERS.map(([name], place) => [name, place]));
const PAYLOAD = MEMBERS.length - 1;

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;

/**
 * An event as a collector's clients read it, in one line: known members first, in the official order, then all others.
 * Values are copied as they were written and never parsed, so that no digit of a number is lost.
 */
export function readBack({ text, session, agent, sequence, type }: Entry): string {
  const values: (string | undefined)[] = new Array(MEMBERS.length);
  let more = "";
  try {
    for (const [key, value] of membersOf(text)) {
      const name = key.includes("\\") ? String(JSON.parse(key)) : key.slice(1, -1);
      const place = PLACES.get(name);
      if (place === undefined) more += `,${key}:${value}`;
      else values[place] = value;
    }
  } catch {
    // A text that was damaged on disk: what the ledger wrote beside it is shown instead, and the others are still shown.
    const known = { session_id: session, agent_id: agent, sequence, type };
    for (const [name, value] of Object.entries(known)) values[PLACES.get(name) ?? PAYLOAD] = JSON.stringify(value);
    more = "";
  }
  if (values[PAYLOAD] === "null") values[PAYLOAD] = "{}";
  let json = "";
  for (let place = 0; place < MEMBERS.length; place++) {
    const [name, missing] = MEMBERS[place] as (typeof MEMBERS)[number];
    json += `${place === 0 ? "{" : ","}"${name}":${values[place] ?? missing}`;
  }
  json += `${more}}`;
  // Line breaks stand between tokens only, where a space means the same.
  return /[\r\n]/.test(json) ? json.replaceAll(/[\r\n]+/g, " ") : json;
}

/** The members of an object as they are written: the key with its quotes, the value. Throws when it is none. */
function* membersOf(text: string): Generator<readonly [key: string, value: string]> {
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

/** Past the quote that ends the string begun at `start`. */
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
