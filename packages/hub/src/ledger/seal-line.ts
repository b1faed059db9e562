import { hash, type KeyObject, sign, verify } from "node:crypto";
import type { CutReason, LoggedRemoval } from "./ledger.ts";

/** The hub's statement that these were the heads of the sessions active since the previous seal. */
export interface Seal {
  readonly seal: number;
  /** ISO 8601. */
  readonly at: string;
  /** Covers the entries after this position … */
  readonly after: number;
  /** … up to and including this one. */
  readonly upTo: number;
  /** Number of those entries. */
  readonly entries: number;
  /** For each active session: its key, the position of its last entry in the range, and that entry's hash. */
  readonly sessions: readonly (readonly [key: number, position: number, head: string])[];
  /** Number of tombstones so far. */
  readonly cuts: number;
  /** Number and digest of those not named by an earlier seal. */
  readonly tombstones: readonly (readonly [number: number, digest: string])[];
  /** Up to here, the entries were unsigned for more than a minute when the hub started. */
  readonly late?: number;
  /** Digest of the previous seal's line; null for the first. */
  readonly before: string | null;
}

/** The hub's statement about removed entries: they existed, and their removal was requested. */
export interface Tombstone {
  readonly tombstone: number;
  /** ISO 8601. */
  readonly at: string;
  readonly session: { readonly key: number; readonly protocol: string; readonly source: string; readonly id: string };
  /** The position up to which the session had been cut before; 0 for never. */
  readonly after: number;
  /** The position of the last entry cut. */
  readonly upTo: number;
  /** Its hash, which the session's next entry is linked to. */
  readonly head: string;
  readonly entries: number;
  readonly reason: CutReason;
}

/** The hub's statement about the removed text of one entry, whose place in the chain stays. */
export interface Erasure {
  readonly tombstone: number;
  /** ISO 8601. */
  readonly at: string;
  readonly session: Tombstone["session"];
  /** The position of the entry. */
  readonly erased: number;
  /** The hash it is linked to, … */
  readonly before: string;
  /** … its own hash, which can no longer be computed and which the next entry is linked to, … */
  readonly head: string;
  /** … and a hash over its remaining columns, so that these cannot be changed either: `linkHash(head, …)`. */
  readonly rest: string;
  readonly reason: "erased";
}

export function signSeal(seal: Seal, key: KeyObject): string {
  return signLine("seal", seal, key);
}

/** Trusted without further checks, because only the hub has the key. Undefined without a valid signature. */
export function readSeal(line: string, publicKey: KeyObject): Seal | undefined {
  return readSignedLine("seal", line, publicKey) as Seal | undefined;
}

export function signTombstone(tombstone: Tombstone, key: KeyObject): string {
  return signLine("tombstone", tombstone, key);
}

export function signErasure(erasure: Erasure, key: KeyObject): string {
  return signLine("tombstone", erasure, key);
}

export function readTombstone(line: string, publicKey: KeyObject): Tombstone | Erasure | undefined {
  return readSignedLine("tombstone", line, publicKey) as Tombstone | Erasure | undefined;
}

/** A signed line of the removal log as a removal. */
export function toRemoval(line: string): LoggedRemoval {
  const removal = JSON.parse(line) as Tombstone | Erasure;
  const { tombstone: number, at, session, reason } = removal;
  const range = "erased" in removal ? { after: removal.erased - 1, upTo: removal.erased } : { after: removal.after, upTo: removal.upTo };
  return { number, at: Date.parse(at), session: session as LoggedRemoval["session"], reason, ...range };
}

/**
 * A JSON object on one line whose last member is the signature of all text before it. The text itself is signed, so that no canonical
 * JSON is needed, together with its kind, so that no line passes for another kind.
 */
export type LineKind = "seal" | "tombstone";

const SIGNATURE = /,"signature":"([0-9a-f]{128})"\}$/;

export function signLine(kind: LineKind, body: object, privateKey: KeyObject): string {
  const text = JSON.stringify(body).slice(0, -1);
  return `${text},"signature":"${sign(null, signedBytes(kind, text), privateKey).toString("hex")}"}`;
}

/** The object on the line; undefined if it was not signed with this key as this kind. */
export function readSignedLine(kind: LineKind, line: string, publicKey: KeyObject): unknown {
  const found = SIGNATURE.exec(line);
  if (found === null) return undefined;
  const [{ length }, signature = ""] = found;
  if (!verify(null, signedBytes(kind, line.slice(0, -length)), publicKey, Buffer.from(signature, "hex"))) return undefined;
  return JSON.parse(line);
}

export function lineDigest(line: string): string {
  return hash("sha256", line, "hex");
}

function signedBytes(kind: LineKind, text: string): Buffer {
  return Buffer.from(`earshot ${kind} 1\n${text}`);
}
