import { isObject, type JsonValue } from "@earshot/protocol";
import type { KnownEntry, SourceName, SourceSession } from "./plan.ts";
import type { Submission } from "./submission.ts";

export type Sha256 = (text: string) => string;

// Labels name rows in lookups and snapshots. Length prefixes keep names with spaces distinct.

export function sourceLabel({ protocol, source }: SourceName): string {
  return `${protocol} ${source.length} ${source}`;
}

export function sessionLabel(session: SourceSession): string {
  return `${sourceLabel(session)} ${session.id}`;
}

export function nameLabel(source: SourceName, name: string): string {
  return `${sourceLabel(source)} ${name}`;
}

export function numberLabel(session: string, { agent, sequence }: Pick<Submission, "agent" | "sequence">, keyEnd: string): string {
  return `${sequence} ${keyEnd} ${agent.length} ${agent} ${session}`;
}

export function toSessionName({ source, session }: Submission): SourceSession {
  return { protocol: source.protocol, source: source.name, id: session };
}

const MAX_IDENTITY_LENGTH = 200;

/** Time-ordered ids keep their order, so that index pages stay together; only very long ids are hashed. */
export function identityKeyEnd(identity: string, sha256: Sha256): string {
  return identity.length <= MAX_IDENTITY_LENGTH ? identity : `#${sha256(identity)}`;
}

export function identityKey(sourceKey: number, keyEnd: string): string {
  return `${sourceKey} ${keyEnd}`;
}

/** Identifies an event whose number another event already used: by its content, independent of member order. */
export function repeatKeyEnd({ sequence, agent, reading }: Submission, sha256: Sha256): string {
  return `${sequence} ${sha256(`${agent.length}:${agent}${canonicalJson(reading.value)}`)}`;
}

export function repeatKey(sourceKey: number, sessionKey: number, keyEnd: string): string {
  return `${sourceKey} =${sessionKey} ${keyEnd}`;
}

function canonicalJson(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(",")}}`;
}

/** Whether it is the same event: nearly always the same text, otherwise the same content. */
export function isSameEvent({ said, text: stored }: KnownEntry, text: string, sha256: Sha256): boolean {
  if (said !== null) {
    const digest = toHex(said);
    return digest === sha256(text) || (stored === "" && digest === contentDigest(text, sha256));
  }
  if (stored === text) return true;
  try {
    return contentText(stored) === contentText(text);
  } catch {
    return false; // a damaged entry has no duplicates
  }
}

/** The digest of a JSON text's content, independent of member order, white space, and the spelling of numbers and strings. */
export function contentDigest(text: string, sha256: Sha256): string {
  return sha256(contentText(text));
}

function contentText(text: string): string {
  return JSON.stringify(inOrder(JSON.parse(text)));
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  // As pairs: an object would sort numeric keys first and treat `__proto__` specially.
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { members: members.map(([name, one]) => [name, inOrder(one)]) };
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
