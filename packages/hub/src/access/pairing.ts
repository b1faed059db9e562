import { createHash, randomBytes } from "node:crypto";
import { EarshotError } from "@earshot/protocol";
import type { HubCredentials } from "./credentials.ts";
import type { Role } from "./roles.ts";
import { createCode, hashSecret, isEqualSecret } from "./secrets.ts";
import type { DeviceKey, DeviceRecord } from "./store.ts";

export const PAIRING_MS = 5 * 60_000;
const MAX_PAIRINGS = 16;
const MAX_WRONG_NUMBERS = 3;
export const START_CODE_MS = 60_000;
/** A link may be opened twice in a hurry. */
const MAX_START_CODES = 3;

export interface NewPairing {
  readonly id: string;
  readonly code: string;
  readonly expiresInMs: number;
}

/** One admission from offer to result. */
export interface Pairing {
  readonly id: string;
  readonly role: Role;
  readonly offeredBy: string;
  readonly codeHash: string;
  readonly until: number;
  readonly state: "offered" | "claimed" | "admitted" | "refused" | "expired";
  readonly wrongNumbers: number;
  /** The asking device and the number it shows. */
  readonly claim?: { readonly key: DeviceKey; readonly name: string; readonly secretHash: string; readonly number: string };
  /** The device's id once admitted. */
  readonly device?: string;
}

/** Pairings under way. A hub that is alone has them in memory: after a restart everybody begins again. */
export class Pairings {
  readonly #credentials: Pick<HubCredentials, "admit">;
  readonly #now: () => number;
  readonly #pairings = new Map<string, Pairing>();

  constructor(credentials: Pick<HubCredentials, "admit">, now: () => number) {
    this.#credentials = credentials;
    this.#now = now;
  }

  dump(): readonly Pairing[] {
    return [...this.#pairings.values()];
  }

  restore(pairings: readonly Pairing[]): void {
    this.#pairings.clear();
    for (const pairing of pairings) this.#pairings.set(pairing.id, pairing);
  }

  get open(): readonly Pairing[] {
    this.#expire();
    return [...this.#pairings.values()].filter(isOpen);
  }

  offer(role: Role, offeredBy: string): NewPairing {
    this.#expire();
    const [oldest] = this.#pairings.keys();
    if (this.#pairings.size >= MAX_PAIRINGS && oldest !== undefined) this.#pairings.delete(oldest);
    const [id, code] = [createCode(6), createCode()];
    this.#pairings.set(id, {
      id,
      role,
      offeredBy,
      codeHash: hashSecret(code),
      until: this.#now() + PAIRING_MS,
      state: "offered",
      wrongNumbers: 0,
    });
    return { id, code, expiresInMs: PAIRING_MS };
  }

  /** Uses a code. Returns the number for the new device to show, and the secret for polling the result. */
  claim(code: string, key: DeviceKey, name: string): { readonly secret: string; readonly match: string; readonly role: Role } {
    this.#expire();
    const codeHash = hashSecret(code);
    const pairing = [...this.#pairings.values()].find((one) => one.codeHash === codeHash);
    if (pairing?.state !== "offered") throw refusal("This code is wrong, was used before, or has expired.");
    const secret = createCode();
    const number = createPairingNumber(pairing.id, key);
    this.#pairings.set(pairing.id, { ...pairing, state: "claimed", claim: { key, name, secretHash: hashSecret(secret), number } });
    return { secret, match: number, role: pairing.role };
  }

  /** The pairing of a claim. */
  claimed(secret: string): Pairing {
    this.#expire();
    const hash = hashSecret(secret);
    const pairing = [...this.#pairings.values()].find(({ claim }) => claim?.secretHash === hash);
    if (pairing === undefined) throw refusal("This admission is unknown or over.");
    return pairing;
  }

  find(id: string): Pairing {
    this.#expire();
    const pairing = this.#pairings.get(id);
    if (pairing === undefined) throw new EarshotError({ code: "NOT_FOUND", message: "There is no such admission, or it is long over." });
    return pairing;
  }

  /** Confirmed by an approver who enters the number shown on the new device. */
  confirm(id: string, number: string, admittedBy: string): DeviceRecord {
    const pairing = this.find(id);
    if (pairing.state === "claimed" && !isEqualSecret(number.replace(/\D/g, ""), pairing.claim?.number ?? "")) {
      const wrongNumbers = pairing.wrongNumbers + 1;
      this.#pairings.set(id, { ...pairing, wrongNumbers });
      if (wrongNumbers >= MAX_WRONG_NUMBERS) this.refuse(id);
      throw refusal("That is not the number that the new device shows.");
    }
    return this.#admit(pairing, admittedBy);
  }

  /** Admitted by the PIN entered on the new device. */
  admitClaimed(secret: string, admittedBy: string): DeviceRecord {
    return this.#admit(this.claimed(secret), admittedBy);
  }

  refuse(id: string): void {
    const pairing = this.find(id);
    if (!isOpen(pairing)) throw refusal("This admission is over.");
    this.#pairings.set(id, { ...pairing, state: "refused" });
  }

  #admit(pairing: Pairing, admittedBy: string): DeviceRecord {
    const { claim, role, state, id } = pairing;
    if (state === "offered") throw refusal("This code has not been used yet.");
    if (state !== "claimed" || claim === undefined)
      throw refusal(state === "expired" ? "This admission has expired." : "This admission is over.");
    const device = this.#credentials.admit({ name: claim.name, role, key: claim.key, admittedBy });
    this.#pairings.set(id, { ...pairing, state: "admitted", device: device.id });
    return device;
  }

  #expire(): void {
    const now = this.#now();
    for (const pairing of this.#pairings.values()) {
      if (isOpen(pairing) && pairing.until <= now) this.#pairings.set(pairing.id, { ...pairing, state: "expired" });
      // Kept for a while so that both sides can read the result.
      else if (pairing.until + PAIRING_MS <= now) this.#pairings.delete(pairing.id);
    }
  }
}

function isOpen({ state }: Pairing): boolean {
  return state === "offered" || state === "claimed";
}

/**
 * Six digits that the new device shows and the approver enters. They depend on the key, so that a program in between shows another
 * number, and on randomness drawn after the key is known, so that nobody can choose a key for a wanted number.
 */
function createPairingNumber(pairing: string, { x, y }: DeviceKey): string {
  const digest = createHash("sha256").update(`${pairing}.${x}.${y}`).update(randomBytes(32)).digest();
  return String(digest.readUInt32BE(0) % 1_000_000).padStart(6, "0");
}

function refusal(message: string): EarshotError {
  return new EarshotError({ code: "CODE_REFUSED", message });
}

export interface StartCode {
  readonly hash: string;
  readonly until: number;
}

/** One-time codes of the link that `earshot start` opens. */
export class StartCodes {
  readonly #now: () => number;
  codes: readonly StartCode[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  issue(): string {
    const code = createCode();
    this.codes = [...this.codes, { hash: hashSecret(code), until: this.#now() + START_CODE_MS }].slice(-MAX_START_CODES);
    return code;
  }

  isGood(code: string): boolean {
    const hash = hashSecret(code);
    return this.codes.some((one) => one.hash === hash && one.until > this.#now());
  }

  /** Called for the first approver: there are no start codes afterwards. */
  clear(): void {
    this.codes = [];
  }
}
