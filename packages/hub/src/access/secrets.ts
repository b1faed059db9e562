import { createHash, hash, randomBytes, timingSafeEqual } from "node:crypto";

/** Begins every credential of ours, so that scanners and our own log recognise one that got out. */
const PREFIX = "ear_";

export function createToken(): string {
  return `${PREFIX}${randomBytes(32).toString("base64url")}`;
}

/** For codes that live a minute, and for names of things. */
export function createCode(bytes = 16): string {
  return randomBytes(bytes).toString("base64url");
}

export function hashOf(secret: string): string {
  return hash("sha256", secret, "hex");
}

/** Takes as long whatever is given. */
export function isEqual(given: string, expected: string): boolean {
  return timingSafeEqual(createHash("sha256").update(given).digest(), createHash("sha256").update(expected).digest());
}
