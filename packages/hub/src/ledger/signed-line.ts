import { hash, type KeyObject, sign, verify } from "node:crypto";

/**
 * A JSON object on one line whose last member is the signature of all the text before it. What is signed is the text as it
 * stands, so that nobody has to agree on how JSON is written; and what it is said to be, so that no line passes for another.
 */
export type LineKind = "seal" | "tombstone";

const SIGNATURE = /,"signature":"([0-9a-f]{128})"\}$/;

export function signLine(kind: LineKind, body: object, privateKey: KeyObject): string {
  const text = JSON.stringify(body).slice(0, -1);
  return `${text},"signature":"${sign(null, signedBytes(kind, text), privateKey).toString("hex")}"}`;
}

/** The object on the line; undefined when it was not signed with this key, or not as this kind. */
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
