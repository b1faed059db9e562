import { isObject, type JsonValue } from "@earshot/protocol";
import { hash53 } from "../bounded.ts";

/** Scripts without spaces between words: every character is indexed as a word, and a word is searched as a phrase. */
const SCRIPTS = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"];
const UNSPACED = new RegExp(`[${SCRIPTS.map((script) => `\\p{Script=${script}}`).join("")}]`, "gu");
/** No script above has a lower character. */
const MAYBE_UNSPACED = /[\u0e00-\uffff]/;
/** A zero-width separator for the index, removed before display. */
const JOINER = "\u2060";

/**
 * A private-use character that the tokenizer treats as a letter. Filter terms start with it, so filtering by session, agent and type is
 * as fast as searching for a word.
 */
const OURS = "\ue000";
const RESERVED = /[\0\ue000-\ue002\u2060]/g;
/** Longer words are cut: they are never typed and would make the index as long as the text. */
const MAX_WORD_CHARACTERS = 128;
const TOO_LONG = /[^\s!-/:-@[-`{-~]{129,}/gu;

/** The index form of a text, and of a query. */
export function toIndexed(text: string): string {
  const plain = text.replaceAll(RESERVED, " ").replaceAll(TOO_LONG, (word) => word.slice(0, MAX_WORD_CHARACTERS));
  return (MAYBE_UNSPACED.test(plain) ? plain.replaceAll(UNSPACED, `${JOINER}$&${JOINER}`) : plain).toWellFormed();
}

export function sessionWord(session: number): string {
  return `${OURS}s${session}`;
}

export function agentWord(agent: string): string {
  return `${OURS}a${hash53(agent).toString(36)}`;
}

export function typeWord(type: string): string {
  return `${OURS}t${hash53(type).toString(36)}`;
}

/** Separates two texts of one field, so that no phrase matches across them. */
export const BETWEEN_TEXTS = ` ${OURS} `;

const MAX_SHOWN = 240;
const SHOWN_BEFORE_MATCH = 60;

/** An index snippet for display: marks as UTF-16 offsets, cut to the size of a page. */
export function toShown(
  raw: string,
  [start, end]: readonly [start: string, end: string],
): { readonly snippet: string; readonly marks: readonly (readonly [start: number, end: number])[] } {
  let text = "";
  const marks: [number, number][] = [];
  const said = raw.replaceAll(BETWEEN_TEXTS, " … ").replaceAll(OURS, "").replaceAll(JOINER, "").replaceAll(/\s/g, " ");
  for (const part of said.split(new RegExp(`(?=[${start}${end}])`, "u"))) {
    const open = marks.at(-1);
    if (part.startsWith(start)) marks.push([text.length, text.length]);
    else if (part.startsWith(end) && open !== undefined) open[1] = text.length;
    text += part.startsWith(start) || part.startsWith(end) ? part.slice(1) : part;
  }
  if (text.length <= MAX_SHOWN) return { snippet: text.toWellFormed(), marks };
  const first = marks[0]?.[0] ?? 0;
  const from = first <= SHOWN_BEFORE_MATCH ? 0 : first - SHOWN_BEFORE_MATCH;
  const to = Math.min(text.length, from + MAX_SHOWN);
  const before = from === 0 ? "" : "…";
  const snippet = `${before}${text.slice(from, to)}${to === text.length ? "" : "…"}`.toWellFormed();
  const place = (at: number) => at - from + before.length;
  const kept = marks.filter(([at]) => at < to).map(([at, until]) => [place(at), place(Math.min(until, to))] as const);
  return { snippet, marks: kept };
}

/** The texts in a value, without JSON syntax, up to `room` characters: `command: npm test, timeout: 60`. */
export function textsInValue(value: JsonValue | undefined, room: number): string {
  const pieces: string[] = [];
  gather(value, "", room, pieces);
  return pieces.join(", ");
}

/** Returns the remaining room. */
function gather(value: JsonValue | undefined, name: string, room: number, pieces: string[]): number {
  if (room <= 0 || value === undefined || value === null) return room;
  let left = room;
  if (isObject(value)) {
    for (const key in value) {
      if (left <= 0) break;
      left = gather(value[key], key, left, pieces);
    }
    return left;
  }
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) {
      if (left <= 0) break;
      left = gather(item, name, left, pieces);
    }
    return left;
  }
  const text = String(value).slice(0, room);
  if (text === "") return room;
  const piece = name === "" ? text : `${name}: ${text}`;
  pieces.push(piece);
  return room - piece.length - 2;
}
