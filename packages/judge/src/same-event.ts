import type { Sha256 } from "./labels.ts";
import type { KnownEntry } from "./plan.ts";

/** The same event again: nearly always the same text; else the same content. */
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

/** The digest of a JSON text's content: the order of members, spaces, and the spelling of numbers and strings do not count. */
export function contentDigest(text: string, sha256: Sha256): string {
  return sha256(contentText(text));
}

function contentText(text: string): string {
  return JSON.stringify(inOrder(JSON.parse(text)));
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  // As pairs: an object would put members with numbers for names first, and treat `__proto__` specially.
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { members: members.map(([name, one]) => [name, inOrder(one)]) };
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
