import { EarshotError } from "@earshot/protocol";
import type { DeviceKey, DeviceRecord } from "./access-state.ts";
import type { Credentials } from "./credentials.ts";
import { matchCodeOf, type Pairing, type PairingSignal, stepPairing } from "./pairing.ts";
import type { Role } from "./roles.ts";
import { createCode, hashOf, isEqual } from "./secrets.ts";
import { createSpokenCode, normaliseSpokenCode } from "./spoken-code.ts";

export const PAIRING_MS = 5 * 60_000;
/** More at a time is nobody's wish. The oldest goes. */
const MOST_PAIRINGS = 16;
/** Wrong spoken codes in five minutes, whoever says them; links go on working. */
const SPOKEN_TRIES = 5;
const MATCH_TRIES = 3;

export interface Offer {
  readonly id: string;
  readonly code: string;
  readonly spoken: string;
  readonly expiresInMs: number;
}

/** Admissions under way, in memory: after a restart everybody begins again. */
export class Pairings {
  readonly #credentials: Pick<Credentials, "admit">;
  readonly #now: () => number;
  readonly #pairings = new Map<string, Pairing>();
  #wrongSpoken: readonly number[] = [];

  constructor(credentials: Pick<Credentials, "admit">, now: () => number) {
    this.#credentials = credentials;
    this.#now = now;
  }

  /** Those that wait for somebody. */
  get open(): readonly Pairing[] {
    this.#timeOut();
    return [...this.#pairings.values()].filter(({ state }) => state === "offered" || state === "claimed");
  }

  offer(role: Role, offeredBy: string): Offer {
    this.#timeOut();
    const [oldest] = this.#pairings.keys();
    if (this.#pairings.size >= MOST_PAIRINGS && oldest !== undefined) this.#pairings.delete(oldest);
    const [id, code, spoken] = [createCode(6), createCode(), createSpokenCode()];
    const hashes = { linkHash: hashOf(code), spokenHash: hashOf(spoken) };
    this.#pairings.set(id, { id, role, offeredBy, ...hashes, until: this.#now() + PAIRING_MS, state: "offered", wrongMatches: 0 });
    return { id, code, spoken, expiresInMs: PAIRING_MS };
  }

  /** Somebody has the code. Gives what the new device shows, and with what it asks how it went. */
  claim(code: string, key: DeviceKey, name: string): { readonly secret: string; readonly match: string; readonly role: Role } {
    const pairing = this.#byCode(code);
    const secret = createCode();
    this.#step(pairing, "claim", { claim: { key, name, secretHash: hashOf(secret) } });
    return { secret, match: matchCodeOf(pairing.id, key), role: pairing.role };
  }

  /** What became of a claim. */
  claimed(secret: string): Pairing {
    this.#timeOut();
    const hash = hashOf(secret);
    const pairing = [...this.#pairings.values()].find(({ claim }) => claim?.secretHash === hash);
    if (pairing === undefined) throw new EarshotError({ code: "CODE_REFUSED", message: "This admission is unknown or over." });
    return pairing;
  }

  find(id: string): Pairing {
    this.#timeOut();
    const pairing = this.#pairings.get(id);
    if (pairing === undefined) throw new EarshotError({ code: "NOT_FOUND", message: "There is no such admission, or it is long over." });
    return pairing;
  }

  /** By an approver, who types what the new device shows. */
  confirm(id: string, match: string, admittedBy: string): DeviceRecord {
    const pairing = this.find(id);
    const expected = pairing.claim === undefined ? "" : matchCodeOf(id, pairing.claim.key);
    if (pairing.state === "claimed" && !isEqual(match.replace(/\D/g, ""), expected)) {
      const wrongMatches = pairing.wrongMatches + 1;
      this.#pairings.set(id, { ...pairing, wrongMatches });
      if (wrongMatches >= MATCH_TRIES) this.refuse(id);
      throw new EarshotError({ code: "CODE_REFUSED", message: "That is not the number that the new device shows." });
    }
    return this.#admit(pairing, admittedBy);
  }

  /** By somebody who has typed the PIN on the new device itself. */
  admitClaimed(secret: string, admittedBy: string): DeviceRecord {
    return this.#admit(this.claimed(secret), admittedBy);
  }

  refuse(id: string): void {
    this.#step(this.find(id), "refuse");
  }

  #admit(pairing: Pairing, admittedBy: string): DeviceRecord {
    const { claim, role, state } = pairing;
    const next = stepPairing(state, "confirm");
    if (claim === undefined || typeof next !== "string") throw refusal(typeof next === "string" ? "" : next.because);
    const device = this.#credentials.admit({ name: claim.name, role, key: claim.key, admittedBy });
    this.#step(pairing, "confirm", { device: device.id });
    return device;
  }

  #byCode(code: string): Pairing {
    this.#timeOut();
    const all = [...this.#pairings.values()];
    const linkHash = hashOf(code);
    const linked = all.find((one) => one.linkHash === linkHash);
    if (linked !== undefined) return linked;
    this.#wrongSpoken = this.#wrongSpoken.filter((at) => at > this.#now() - PAIRING_MS);
    if (this.#wrongSpoken.length >= SPOKEN_TRIES) throw refusal("Too many wrong codes were tried. Use the link, or wait five minutes.");
    const spokenHash = hashOf(normaliseSpokenCode(code));
    const spoken = all.find((one) => one.spokenHash === spokenHash);
    if (spoken !== undefined) return spoken;
    this.#wrongSpoken = [...this.#wrongSpoken, this.#now()];
    throw refusal("This code is wrong, was used before, or has expired.");
  }

  #step(pairing: Pairing, signal: PairingSignal, more: Partial<Pairing> = {}): void {
    const next = stepPairing(pairing.state, signal);
    if (typeof next !== "string") throw refusal(next.because);
    this.#pairings.set(pairing.id, { ...pairing, ...more, state: next });
  }

  #timeOut(): void {
    const now = this.#now();
    for (const pairing of this.#pairings.values()) {
      const isOpen = pairing.state === "offered" || pairing.state === "claimed";
      if (isOpen && pairing.until <= now) this.#step(pairing, "time-out");
      // Kept a while longer, so that both sides can ask how it ended.
      else if (pairing.until + PAIRING_MS <= now) this.#pairings.delete(pairing.id);
    }
  }
}

function refusal(message: string): EarshotError {
  return new EarshotError({ code: "CODE_REFUSED", message });
}
