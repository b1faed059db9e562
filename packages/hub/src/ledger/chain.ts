import { hash } from "node:crypto";

/**
 * The chain of a session: each entry's hash covers the hash before it, everything that was stored with the entry, and the
 * entry's text. The first one covers the session's own name, so that entries cannot be moved from one session to another.
 * Whoever changes, removes or reorders an entry has to change every later hash of the session, and the seals cover those.
 */
export interface Link {
  readonly position: number;
  readonly receivedAt: number;
  readonly kind: number;
  readonly verified: number;
  readonly type: string;
  readonly agent: string;
  readonly sequence: number | null;
  readonly identity: string | null;
  /** Digest of what was said, where less of it was stored. */
  readonly said: Uint8Array | null;
  /** Flags and redactions, as stored; null for none. */
  readonly notes: string | null;
  readonly text: string;
}

/** What the first entry of a session is linked to. */
export function chainSeed(protocol: string, source: string, session: string): Buffer {
  return sha256(`earshot chain 1\n${sized(protocol)}${sized(source)}${sized(session)}`);
}

/** Lengths stand before texts of any content, so that no two links are written the same way. */
export function linkHash(before: Buffer, link: Link): Buffer {
  const { position, receivedAt, kind, verified, type, agent, sequence, identity, said, notes, text } = link;
  const numbers = `${before.toString("hex")} ${position} ${receivedAt} ${kind} ${verified} ${sequence ?? "-"} `;
  const digest = said === null ? "" : `said:${Buffer.from(said).toString("hex")} `;
  return sha256(`${numbers}${digest}${sized(type)}${sized(agent)}${sized(identity)}${sized(notes)}${text}`);
}

function sized(text: string | null): string {
  return text === null ? "- " : `${text.length}:${text} `;
}

function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
