import { hash } from "node:crypto";

/**
 * The digest of what a JSON text says, however it is written: the order of members, spaces and the spelling of numbers and
 * strings do not count. Two texts that are the same event have the same one.
 */
export function contentDigest(text: string): Buffer {
  return hash("sha256", JSON.stringify(inOrder(JSON.parse(text))), "buffer");
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  // As pairs: an object would put members with numbers for names first, and take `__proto__` for something else.
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { members: members.map(([name, one]) => [name, inOrder(one)]) };
}
