import { createHash } from "node:crypto";
import type { DeviceKey } from "./access-state.ts";
import type { Role } from "./roles.ts";

/** One admission, from the offer to its end. */
export type PairingState = "offered" | "claimed" | "admitted" | "refused" | "expired";
export type PairingSignal = "claim" | "confirm" | "refuse" | "time-out";

const no = (because: string) => ({ because });
const USED = "This code was used before.";
const OVER = "This admission is over.";

/** A cell for every pair, so that a code is used once and an end is an end. */
const STEPS: Readonly<Record<PairingState, Readonly<Record<PairingSignal, PairingState | { readonly because: string }>>>> = {
  offered: { claim: "claimed", confirm: no("Nobody has used this code yet."), refuse: "refused", "time-out": "expired" },
  claimed: { claim: no(USED), confirm: "admitted", refuse: "refused", "time-out": "expired" },
  admitted: { claim: no(USED), confirm: no(OVER), refuse: no(OVER), "time-out": no(OVER) },
  refused: { claim: no(OVER), confirm: no(OVER), refuse: no(OVER), "time-out": no(OVER) },
  expired: { claim: no("This code has expired."), confirm: no("This admission has expired."), refuse: no(OVER), "time-out": no(OVER) },
};

export function stepPairing(state: PairingState, signal: PairingSignal): PairingState | { readonly because: string } {
  return STEPS[state][signal];
}

/** Who asks to be admitted, with which key. */
export interface Claim {
  readonly key: DeviceKey;
  readonly name: string;
  /** With which the claimer asks what became of it. */
  readonly secretHash: string;
}

export interface Pairing {
  readonly id: string;
  readonly role: Role;
  readonly offeredBy: string;
  readonly linkHash: string;
  readonly spokenHash: string;
  readonly until: number;
  readonly state: PairingState;
  readonly wrongMatches: number;
  readonly claim?: Claim;
  /** Of the device, once it is admitted. */
  readonly device?: string;
}

/**
 * Six digits that the new device shows and the approver types: an admission that somebody else began shows them to somebody
 * else. They follow from the key, so that they are the same for nobody who came between.
 */
export function matchCodeOf(pairing: string, { x, y }: DeviceKey): string {
  const number = createHash("sha256").update(`${pairing}.${x}.${y}`).digest().readUInt32BE(0) % 1_000_000;
  return String(number).padStart(6, "0");
}
