import { createHmac, createPublicKey, randomBytes, timingSafeEqual, verify } from "node:crypto";
import type { DeviceKey } from "./store.ts";

const CHALLENGE_MS = 60_000;
/** Of several hubs, each estimates the clock of their database. */
const CLOCK_TOLERANCE_MS = 1000;
const MAX_USED_CHALLENGES = 100_000;

/**
 * The text that a browser's key signs to get a ticket. The hub's own clock stands in it, under a seal that only a hub with its secret can make:
 * clocks of phones are wrong, and unused challenges need no memory. Each is valid for one ticket.
 */
export class Challenges {
  readonly #now: () => number;
  readonly #secret: Buffer;
  /** Used challenges until their expiry. Only key holders can add one. */
  #used = new Map<string, number>();

  constructor(now: () => number, secret: Buffer = randomBytes(32)) {
    this.#now = now;
    this.#secret = secret;
  }

  dump(): readonly (readonly [challenge: string, until: number])[] {
    return [...this.#used].filter(([, until]) => until > this.#now());
  }

  restore(used: ReturnType<Challenges["dump"]>): void {
    this.#used = new Map(used);
  }

  issue(): string {
    const open = `${this.#now().toString(36)}.${randomBytes(16).toString("base64url")}`;
    return `${open}.${this.#seal(open)}`;
  }

  isGood(challenge: string): boolean {
    const [time = "", random = "", seal = ""] = challenge.split(".");
    const expected = Buffer.from(this.#seal(`${time}.${random}`));
    const given = Buffer.from(seal);
    const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
    const age = this.#now() - Number.parseInt(time, 36);
    return isOurs && age > -CLOCK_TOLERANCE_MS && age < CHALLENGE_MS && !this.#used.has(challenge);
  }

  use(challenge: string): void {
    for (const [old, until] of this.#used) {
      if (until > this.#now() && this.#used.size < MAX_USED_CHALLENGES) break;
      this.#used.delete(old);
    }
    this.#used.set(challenge, this.#now() + CHALLENGE_MS);
  }

  #seal(open: string): string {
    return createHmac("sha256", this.#secret).update(open).digest("base64url");
  }
}

/** The signed text: purpose, hub and device. A signature for another hub's address is invalid here. */
export function ticketText(origin: string, device: string, challenge: string): string {
  return `earshot ticket\n${origin}\n${device}\n${challenge}`;
}

/** ECDSA P-256 with SHA-256 in the browsers' format: both numbers concatenated. */
export function isSigned(text: string, signature: string, key: DeviceKey): boolean {
  try {
    const publicKey = createPublicKey({ key: { ...key }, format: "jwk" });
    return verify("sha256", Buffer.from(text), { key: publicKey, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
  } catch {
    return false; // no point on the curve, or no signature: signed it is not
  }
}

/** Whether a key is usable, checked before it is admitted. */
export function isUsableKey(key: DeviceKey): boolean {
  try {
    return createPublicKey({ key: { ...key }, format: "jwk" }).asymmetricKeyDetails?.namedCurve === "prime256v1";
  } catch {
    return false;
  }
}
