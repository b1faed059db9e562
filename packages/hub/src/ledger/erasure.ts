import { hash } from "node:crypto";
import { contentDigest } from "@earshot/judge";
import { chainSeed, linkHash } from "./chain.ts";
import type { ErasureWrites, PlannedErasure } from "./ledger-engine.ts";
import type { Erasure } from "./seal-line.ts";

const sha256 = (text: string) => hash("sha256", text, "hex");
/** Refusals are stored in part, possibly ending inside a string. */
const MAX_PART_LENGTH = 24;
const MIN_PART_LENGTH = 8;

/** The replacement of an entry's text: its digest, by which redelivery is recognized, and a signed line in the removal log. */
export function planErasure(erasure: PlannedErasure, sign: (line: Erasure) => string, now: number): ErasureWrites {
  const { number, session, entry, state } = erasure;
  // If less was stored than was sent, only the digest of what was sent recognizes it.
  const said = entry.said ?? Buffer.from(digestOf(entry.text), "hex");
  const { protocol, source, id } = session;
  const head = Buffer.from(entry.hash, "hex");
  const line = sign({
    tombstone: number,
    at: new Date(now).toISOString(),
    session,
    erased: entry.position,
    before: (erasure.before ?? chainSeed(protocol, source, id)).toString("hex"),
    head: entry.hash,
    rest: linkHash(head, { ...entry, said, notes: null, text: "" }).toString("hex"),
    reason: "erased",
  });
  const telling = distinctiveStrings(entry.text, new Set([id, source, entry.agent, entry.type]));
  const parts = telling
    .filter((one) => one.length >= MIN_PART_LENGTH)
    .map((one) => JSON.stringify(one).slice(1, -1).slice(0, MAX_PART_LENGTH));
  return { line, said, state: state === null ? null : forgetStrings(state, entry.text, telling), tellingParts: parts };
}

function digestOf(text: string): string {
  try {
    return contentDigest(text, sha256);
  } catch {
    return sha256(text); // damaged: it will not come again like this
  }
}

/** The longest strings identify a text best. */
const MAX_TELLING_STRINGS = 50;
const SHORTEST = 4;
const SHORTEST_PART = 8;
/** Protocol words, states, times and numbers are everywhere and identify nothing. */
const NAMES = /^(?:[a-z][a-z_.-]{0,31}|[\d.:TZ+-]+)$/;
/** Members of a state that hold an agent's own words. */
const TEXT_MEMBERS = new Set(["goal", "action", "choices", "question", "title", "tail", "after"]);

/** Strings by which copies of an entry's text are recognized, without names such as session, agent, type and ids. */
export function distinctiveStrings(text: string, names: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>();
  try {
    collect(JSON.parse(text), found);
  } catch {
    found.add(text); // nothing we have written; all of it is to be forgotten
  }
  const telling = [...found].filter((one) => one.length >= SHORTEST && !NAMES.test(one) && !names.has(one));
  return telling.toSorted((a, b) => b.length - a.length).slice(0, MAX_TELLING_STRINGS);
}

function collect(value: unknown, found: Set<string>): void {
  if (typeof value === "string") found.add(value);
  else if (typeof value === "object" && value !== null) for (const one of Object.values(value)) collect(one, found);
}

/** A stored state without what it remembers of a text. The rest stays, so that judging can continue. */
export function forgetStrings(state: string, said: string, telling: readonly string[]): string {
  const whole = new Set<string>();
  try {
    collect(JSON.parse(said), whole);
  } catch {
    // Then there is no part of it to be found.
  }
  const isTold = (text: string) =>
    telling.some((one) => text.includes(one) || (text.length >= SHORTEST_PART && !NAMES.test(text) && one.includes(text)));
  let renamed = 0;
  const forget = (value: unknown, member: string): unknown => {
    if (typeof value === "string") return isTold(value) || (TEXT_MEMBERS.has(member) && whole.has(value)) ? "" : value;
    if (Array.isArray(value)) return value.map((one) => forget(one, member));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [isTold(key) ? `:erased ${++renamed}` : key, forget(one, key)] as const),
    );
  };
  return JSON.stringify(forget(JSON.parse(state), ""));
}
