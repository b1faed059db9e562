import type { IncomingMessage } from "node:http";
import { EarshotError } from "@earshot/protocol";
import type { Whom } from "../whom.ts";
import { type Alarm, type DeviceKey, type DeviceRecord, isDeviceKey } from "./access-state.ts";
import { AccessStore } from "./access-store.ts";
import { ApproverReset } from "./approver-reset.ts";
import { Connections } from "./connections.ts";
import { Credentials } from "./credentials.ts";
import { Challenges, isSigned, isUsableKey, ticketText } from "./device-key.ts";
import { Gate } from "./gate.ts";
import { readName } from "./names.ts";
import { ownAddressOf, type Reach } from "./own-address.ts";
import { Pairings } from "./pairings.ts";
import { PinGuard } from "./pin-guard.ts";
import { createCode } from "./secrets.ts";
import { StartCodes } from "./start-codes.ts";

export interface AccessOptions {
  readonly path: string;
  readonly files: { readonly viewer: string; readonly producer: string };
  readonly now: () => number;
  readonly reach?: Reach;
  /** Told what a person should hear of. Names and numbers, never a credential. */
  readonly log: (message: string) => void;
  /** Told every alarm, with whom it is about, where that is an agent. */
  readonly onAlarm?: (whom: Whom | undefined) => void;
  /** Whether there was an access file once, as far as other files tell. */
  readonly expectsFile?: boolean;
}

export interface Ticket {
  readonly ticket: string;
  readonly expiresInMs: number;
}

const MOST_ALARMS = 100;

/** Who may do what, and how one becomes somebody who may. Everything about credentials is behind this. */
export class Access implements Disposable {
  readonly gate: Gate;
  readonly credentials: Credentials;
  readonly pairings: Pairings;
  readonly connections: Connections;
  readonly reset: ApproverReset;
  readonly #store: AccessStore;
  readonly #pin: PinGuard;
  readonly #startCodes: StartCodes;
  readonly #challenges: Challenges;
  readonly #options: AccessOptions;

  constructor(options: AccessOptions) {
    const { path, files, now, reach = {} } = options;
    this.#options = options;
    const store = new AccessStore(path);
    this.#store = store;
    this.credentials = new Credentials({ store, now, files, onRevoked: (id) => this.connections.cut(id) });
    this.connections = new Connections((id) => this.credentials.isLive(id));
    this.gate = new Gate(this.credentials, reach);
    this.pairings = new Pairings(this.credentials, now);
    this.#pin = new PinGuard({ store, now, onLocked: (message) => this.raise(message) });
    this.#startCodes = new StartCodes(now);
    this.#challenges = new Challenges(now);
    this.reset = new ApproverReset({
      store,
      now,
      raise: (message) => this.raise(message),
      onDue: () => this.credentials.revokeApprovers(),
    });
    if (store.isNew && options.expectsFile === true)
      this.raise("The file of credentials was missing: whoever was admitted before is not any more.");
  }

  /** Whether somebody can decide. Until then the first who comes by the start link, or sets the PIN, becomes that. */
  get hasApprover(): boolean {
    return this.#pin.isSet;
  }

  /** Under which name the user's own programs speak. */
  get producer(): string {
    return this.credentials.producer;
  }

  get alarms(): readonly Alarm[] {
    return this.#store.state.alarms;
  }

  /** The one-time code of the start link; there is none once somebody can decide. */
  createStartCode(): string {
    this.#requireNoApprover();
    return this.#startCodes.issue();
  }

  /** The first browser: approver and admin. */
  async admitFirst(first: {
    readonly code: string;
    readonly key: unknown;
    readonly name: unknown;
    readonly pin: unknown;
  }): Promise<DeviceRecord> {
    this.#requireNoApprover();
    if (!this.#startCodes.isGood(first.code)) {
      throw new EarshotError({ code: "CODE_REFUSED", message: "This start link was used before or has expired." });
    }
    const name = readName(first.name, "The name");
    const key = readKey(first.key);
    await this.setFirstPin(first.pin);
    return this.credentials.admit({ name, role: "admin", key, admittedBy: "the start link" });
  }

  /** The first terminal: from now on the PIN makes an approver. */
  async setFirstPin(pin: unknown): Promise<void> {
    this.#requireNoApprover();
    await this.#pin.set(pin, () => this.#requireNoApprover());
    this.#startCodes.forget();
    this.#options.log("The first approver was admitted.");
  }

  async unlock(pin: unknown): Promise<Ticket> {
    await this.#pin.verify(pin);
    return this.credentials.ticketForPin();
  }

  claim(code: string, key: unknown, name: unknown): ReturnType<Pairings["claim"]> {
    return this.pairings.claim(code, readKey(key), readName(name, "The name"));
  }

  /** The PIN, typed on the new device itself, stands for an approver. */
  async admitByPin(claim: string, pin: unknown): Promise<DeviceRecord> {
    this.pairings.claimed(claim); // without a claim nobody may guess at the PIN
    await this.#pin.verify(pin);
    return this.pairings.admitClaimed(claim, "the PIN");
  }

  createChallenge(): string {
    return this.#challenges.issue();
  }

  /** A ticket for a browser that signed a challenge with its key. */
  ticketForDevice(
    request: IncomingMessage,
    signed: { readonly device: string; readonly challenge: string; readonly signature: string },
  ): Ticket {
    const origin = this.originOf(request);
    const device = this.credentials.devices.find(({ id, revokedAt }) => id === signed.device && revokedAt === undefined);
    const text = ticketText(origin, signed.device, signed.challenge);
    if (device === undefined || !this.#challenges.isGood(signed.challenge) || !isSigned(text, signed.signature, device.key)) {
      throw new EarshotError({ code: "NOT_AUTHORISED", message: "This browser is not admitted, or not any more." });
    }
    this.#challenges.use(signed.challenge);
    return this.credentials.ticketFor(device.id);
  }

  /** Where a browser finds the hub that was asked under this name: from afar, if there is a name for that. */
  originOf(request: IncomingMessage, { fromAfar = false } = {}): string {
    const { publicUrl } = this.#options.reach ?? {};
    return (fromAfar ? publicUrl?.origin : undefined) ?? ownAddressOf(request, this.#options.reach ?? {})?.origin ?? "";
  }

  /** Something that a person has to hear of, now and when they come back. */
  raise(message: string, whom?: Whom): void {
    const alarm: Alarm = { id: createCode(6), at: new Date(this.#options.now()).toISOString(), message };
    this.#store.update({ alarms: [...this.alarms, alarm].slice(-MOST_ALARMS) });
    this.#options.log(`Alarm: ${message}`);
    this.#options.onAlarm?.(whom);
  }

  acknowledge(id: string, seenBy: string): void {
    if (!this.alarms.some((alarm) => alarm.id === id)) throw new EarshotError({ code: "NOT_FOUND", message: "There is no such alarm." });
    this.#store.update({
      alarms: this.alarms.map((alarm) => (alarm.id === id && alarm.seenBy === undefined ? { ...alarm, seenBy } : alarm)),
    });
  }

  [Symbol.dispose](): void {
    this.connections[Symbol.dispose]();
    this.reset[Symbol.dispose]();
  }

  #requireNoApprover(): void {
    if (this.hasApprover) throw new EarshotError({ code: "APPROVER_EXISTS", message: "There is an approver already." });
  }
}

function readKey(value: unknown): DeviceKey {
  if (!isDeviceKey(value) || !isUsableKey(value)) {
    throw new EarshotError({ code: "WRONG_QUERY", message: "`key` is the public half of an ECDSA P-256 key, as a JSON Web Key." });
  }
  return { kty: value.kty, crv: value.crv, x: value.x, y: value.y };
}
