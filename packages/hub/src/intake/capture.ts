import type { JsonValue, ProtocolName } from "@earshot/protocol";
import { countCodePoints } from "@earshot/protocol/code-points";
import { kindOf, type MemberKind, STRUCTURE } from "./capture-members.ts";
import { type Rewritten, rewriteStrings } from "./redact-strings.ts";

/** How much of what agents say is kept: everything; the beginning of each text; or the structure without the texts. */
export const CAPTURE_LEVELS = ["full", "summary", "minimal"] as const;
export type CaptureLevel = (typeof CAPTURE_LEVELS)[number];

/** Code points of a text that `summary` keeps. */
const SUMMARY_LENGTH = 280;
const NAME_LENGTH = 120;
const CODE = /^[\w.:/+@-]{0,64}$/;
const ALREADY_REPLACED = /^\(\d+ characters not kept\)$/;
const ALREADY_REPLACED_URI = /^earshot:\d+-characters-not-kept$/;
const ALREADY_CUT = / … \(\d+ characters not kept\)$/;

/**
 * The event with less in it, or undefined when all of it is kept. What is left reads as an event of the same type: ids,
 * types, states, names, times, numbers and booleans stay as they were said.
 */
export function reduce(text: string, value: JsonValue, level: CaptureLevel, protocol: ProtocolName): Rewritten | undefined {
  if (level === "full") return undefined;
  const structure = STRUCTURE[protocol];
  const shorten = level === "summary" ? cut : replace;
  return rewriteStrings(text, value, { value: (said, pointer) => shorten(said, kindOf(structure, pointer)), key: (said) => said });
}

function cut(said: string, kind: MemberKind | undefined): string {
  // Fewer units are fewer code points: nearly every string is decided here.
  if (said.length <= SUMMARY_LENGTH || kind === "kept" || kind === "uri") return said;
  const length = countCodePoints(said);
  if (length <= SUMMARY_LENGTH) return said;
  const end = unitsOf(said, SUMMARY_LENGTH);
  const rest = said.slice(end);
  if (ALREADY_CUT.exec(rest)?.index === 0) return said;
  return `${said.slice(0, end)} … (${length - SUMMARY_LENGTH} characters not kept)`;
}

function replace(said: string, kind: MemberKind | undefined): string {
  if (said === "" || kind === "kept" || ALREADY_REPLACED.test(said)) return said;
  if (kind === "code" && CODE.test(said)) return said;
  if (kind === "name" && countCodePoints(said) <= NAME_LENGTH) return said;
  const length = countCodePoints(said);
  if (kind === "uri") return ALREADY_REPLACED_URI.test(said) ? said : `earshot:${length}-characters-not-kept`;
  return `(${length} characters not kept)`;
}

/** How many UTF-16 units the first code points of a text take. */
function unitsOf(text: string, count: number): number {
  let units = 0;
  for (let index = 0; index < count; index++) units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  return units;
}
