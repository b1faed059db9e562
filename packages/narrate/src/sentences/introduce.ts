import { capitalize } from "../amounts.ts";
import { cutText } from "./speakable.ts";
import type { Segment, Words } from "./words.ts";

/** Source, verb, words. The source comes first, if named, so that a listener knows at once who acts. */
export function introduce(words: Words, from: string | undefined, aside?: string): readonly Segment[] {
  const { verb, language, segments } = words;
  const said = [from && roomFor(verb, from), from === undefined ? capitalize(verb) : verb]
    .filter((part) => part !== undefined && part !== "")
    .join(" ");
  const head = aside === undefined ? said : `${said}, ${aside}`;
  if (head === "") return segments;
  return [{ text: segments.length === 0 ? `${head}.` : `${head}:`, language }, ...segments];
}

/** The width of a short braille display. */
const SHOWN_AT_ONCE = 40;
const HEAD_OF_A_VERB = 9;
const LONGEST_HEAD = 14;

/** Shortens the project's name so that the verb's start is still visible; some languages have long verbs. */
function roomFor(verb: string, from: string): string {
  let head = "";
  for (const word of verb.split(" ")) {
    const longer = head === "" ? word : `${head} ${word}`;
    if (head.length >= HEAD_OF_A_VERB || (head !== "" && longer.length > LONGEST_HEAD)) break;
    head = longer;
  }
  const room = SHOWN_AT_ONCE - 1 - Math.min(head.length, LONGEST_HEAD);
  return from.length <= room ? from : `${cutText(from, room - 1).trimEnd()}…`;
}
