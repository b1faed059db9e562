import { createHash, hash, randomBytes, timingSafeEqual } from "node:crypto";

/** The prefix of every Earshot credential, so that scanners and the hub's own log recognize leaked ones. */
const PREFIX = "ear_";

export function createTokenSecret(): string {
  return `${PREFIX}${randomBytes(32).toString("base64url")}`;
}

/** For one-minute codes and for names. */
export function createCode(bytes = 16): string {
  return randomBytes(bytes).toString("base64url");
}

export function hashSecret(secret: string): string {
  return hash("sha256", secret, "hex");
}

/** Constant-time comparison. */
export function isEqualSecret(given: string, expected: string): boolean {
  return timingSafeEqual(createHash("sha256").update(given).digest(), createHash("sha256").update(expected).digest());
}
