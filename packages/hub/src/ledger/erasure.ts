import { hash } from "node:crypto";
import { contentDigest } from "@earshot/judge";
import { chainSeed, linkHash } from "./chain.ts";
import type { Erasing, PlannedErasure } from "./ledger-engine.ts";
import type { Erasure } from "./seal-line.ts";
import { forgetStrings, tellingStrings } from "./telling-strings.ts";

const sha256 = (text: string) => hash("sha256", text, "hex");
/** Refusals are stored in part only, which may end in the middle of a string. */
const MAX_PART_LENGTH = 24;
const MIN_PART_LENGTH = 8;

/** What replaces the text of an entry: its digest, by which it is recognized when it comes again, and a signed line in the removal log. */
export function planErasure(erasure: PlannedErasure, sign: (line: Erasure) => string, now: number): Erasing {
  const { number, session, entry, state } = erasure;
  // Where less was stored than was sent, only the digest of what was sent recognizes it.
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
  const telling = tellingStrings(entry.text, new Set([id, source, entry.agent, entry.type]));
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
