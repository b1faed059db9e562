import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/**
 * Over TCP anybody may hold the port. So a hub proves that it is this user's: with a key that is in a file of the user's alone
 * and never on the wire. First that it is the one that listens at this very port, before it is told anything; and then, with
 * every answer, that this is its answer to this question, asked just now.
 */
export function proveHub(key: string, nonce: string, port: number): string {
  return sign(key, ["earshot hub", nonce, String(port)]);
}

export interface Verdict {
  readonly nonce: string;
  /** The request that was waited for; empty where there is none. */
  readonly request: string;
  /** What was sent. */
  readonly asked: string | Uint8Array;
  /** What was answered. */
  readonly answer: string;
}

export function proveVerdict(key: string, { nonce, request, asked, answer }: Verdict): string {
  return sign(key, ["earshot verdict", nonce, request, digestOf(asked), digestOf(answer)]);
}

export function isProof(expected: string, given: string | undefined): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given ?? "")];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** No part can be taken for two: each is said with its length. */
function sign(key: string, parts: readonly string[]): string {
  const text = parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(",");
  return createHmac("sha256", key).update(text).digest("base64url");
}

function digestOf(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("base64url");
}
