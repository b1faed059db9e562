import { createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { EarshotError } from "@earshot/protocol";
import type { AgentAndFolder } from "../agent-and-folder.ts";
import type { SharedDocuments } from "../cluster/cluster.ts";
import { ApproverReset } from "./approver-reset.ts";
import { OpenConnections } from "./connections.ts";
import { HubCredentials, type Ticket } from "./credentials.ts";
import { Challenges, isSigned, isUsableKey, ticketText } from "./device-key.ts";
import { AccessGate } from "./gate.ts";
import { readName } from "./names.ts";
import { type HubReach, ownAddressOf } from "./own-address.ts";
import { type Pairing, Pairings, type StartCode, StartCodes } from "./pairing.ts";
import { PinStore } from "./pin.ts";
import type { PinParameters } from "./pin-key.ts";
import type { Role } from "./roles.ts";
import { createCode } from "./secrets.ts";
import { type AccessAlarm, AccessStore, approversDigest, type DeviceKey, type DeviceRecord, isDeviceKey } from "./store.ts";

export interface AccessOptions {
  readonly path: string;
  readonly sealPath: string;
  readonly sealKey: string;
  readonly files: { readonly viewer: string; readonly producer: string };
  readonly now: () => number;
  readonly reach?: HubReach;
  /** Logs messages for a person, with names and numbers but no credentials. */
  readonly log: (message: string) => void;
  /** Called with every alarm and the agent it concerns, if any. */
  readonly onAlarm?: (whom: AgentAndFolder | undefined) => void;
  /** Whether other files show that an access file existed. */
  readonly expectsFile?: boolean;
  /** Where several hubs have credentials, pairings and alarms in common. */
  readonly documents?: SharedDocuments | undefined;
}

/** A challenge signed by a client with the PIN's key. */
export interface PinSignature {
  readonly challenge: string;
  readonly signature: string;
}

/** Name of the document that hubs share. */
const DOCUMENT = "access";

/** State that hubs share beside that of the store. */
interface SharedMore {
  readonly pairings: readonly Pairing[];
  readonly startCodes: readonly StartCode[];
  readonly usedChallenges: ReturnType<Challenges["dump"]>;
}

/** Unseen alarms are never dropped. Beyond this number, further ones are counted in a single alarm. */
const MAX_UNSEEN_ALARMS = 500;
const MAX_SEEN_ALARMS = 100;
const TOO_MANY_ALARMS = "More alarms were raised than are kept apart. hub.log has their messages.";

/** Roles, and the admission of devices and programs. All credential handling is behind this class. */
export class HubAccessControl implements Disposable {
  readonly gate: AccessGate;
  readonly credentials: HubCredentials;
  readonly pairings: Pairings;
  readonly connections: OpenConnections;
  readonly reset: ApproverReset;
  readonly #store: AccessStore;
  readonly #pin: PinStore;
  readonly #startCodes: StartCodes;
  readonly #challenges: Challenges;
  readonly #options: AccessOptions;
  #loaded = "";
  #hasWarned = false;

  constructor(options: AccessOptions) {
    const { files, now, reach = {} } = options;
    this.#options = options;
    const isShared = options.documents !== undefined;
    const store = new AccessStore({ ...options, isShared });
    this.#store = store;
    this.connections = new OpenConnections(now);
    const keyFor = (purpose: string) => createHmac("sha256", options.sealKey).update(`earshot ${purpose}`).digest();
    this.credentials = new HubCredentials({
      store,
      now,
      files,
      onRevoked: (id) => this.connections.cut(id),
      ...(isShared ? { ticketKey: keyFor("tickets") } : {}),
    });
    this.gate = new AccessGate(this.credentials, reach);
    this.pairings = new Pairings(this.credentials, now);
    this.#pin = new PinStore(store, now, (message) => this.raise(message));
    this.#startCodes = new StartCodes(now);
    this.#challenges = new Challenges(now, isShared ? keyFor("challenges") : undefined);
    this.reset = new ApproverReset({
      store,
      now,
      hasApprover: () => this.hasApprover,
      raise: (message) => this.raise(message),
      onDue: () => this.credentials.revokeApprovers(),
      change: (work) => this.change(work),
    });
    if (!isShared) this.#raiseWhatWasFound(options.expectsFile === true);
  }

  /** Fulfills when it knows what other hubs have written. */
  async begin(): Promise<void> {
    this.#options.documents?.follow(DOCUMENT, (text) => this.#load(text));
    await this.change(() => {});
  }

  /** Runs what changes credentials, pairings, codes or alarms, on the newest state. It is stored when this fulfills, also when it threw. */
  async change<Result>(work: () => Result): Promise<Result> {
    const { documents } = this.#options;
    if (documents === undefined) return work();
    let before = "";
    let run = (): Result => {
      throw new EarshotError({ code: "LEDGER_UNAVAILABLE", message: "Credentials cannot be changed right now." });
    };
    try {
      await documents.change(DOCUMENT, (text) => {
        before = text;
        this.#load(text);
        try {
          const result = work();
          run = () => result;
        } catch (error) {
          run = () => {
            throw error;
          };
        }
        return this.#dump();
      });
    } catch (error) {
      this.#load(before);
      throw error;
    }
    return run();
  }

  #dump(): string {
    const more: SharedMore = {
      pairings: this.pairings.dump(),
      startCodes: this.#startCodes.codes,
      usedChallenges: this.#challenges.dump(),
    };
    return this.#store.sealed(more);
  }

  /** An empty text was never written: the first hub brings along what its file has. */
  #load(text: string): void {
    if (text === "" || text === this.#loaded) return;
    const live = [...this.credentials.tokens, ...this.credentials.devices].filter(({ revokedAt }) => revokedAt === undefined);
    if (!this.#store.load(text)) {
      if (!this.#hasWarned)
        this.#options.log("Alarm: Something other than a hub has written the credentials in the database. They do not count.");
      this.#hasWarned = true;
      return;
    }
    this.#loaded = text;
    const { pairings, startCodes, usedChallenges } = JSON.parse(text.slice(text.indexOf("\n") + 1)) as SharedMore; // sealed by a hub
    this.pairings.restore(pairings);
    this.#startCodes.codes = startCodes;
    this.#challenges.restore(usedChallenges);
    const still = new Set(
      [...this.credentials.tokens, ...this.credentials.devices].filter((one) => one.revokedAt === undefined).map(({ id }) => id),
    );
    this.credentials.restored(live.filter(({ id }) => !still.has(id)).map(({ id }) => id));
    this.reset.restored();
  }

  #raiseWhatWasFound(expectsFile: boolean): void {
    const { found } = this.#store;
    if (found === "new" && expectsFile) this.raise("The file of credentials was missing: everybody who was admitted before is no longer.");
    if (found === "unsealed")
      this.raise(
        "The file of credentials was changed while no hub was running. Check who is admitted: earshot device list, earshot token list.",
      );
    if (found === "first-version" && this.hasApprover)
      this.raise("The PIN was taken over from an older version, whose file shows enough to prove it. Set a new one: earshot device reset.");
  }

  /** Whether anyone can decide. Otherwise the first person to open the start link or set the PIN becomes the approver. */
  get hasApprover(): boolean {
    return this.#pin.record !== undefined || this.credentials.devices.some(isAdmin);
  }

  /** The name of the user's own programs. */
  get producer(): string {
    return this.credentials.producer;
  }

  get alarms(): readonly AccessAlarm[] {
    return this.#store.state.alarms;
  }

  /** A digest of everything that may decide: the PIN, devices and tokens. */
  get approversDigest(): string {
    return approversDigest(this.#store.state);
  }

  /** Called after every change to the credentials. */
  set onChange(heard: () => void) {
    this.#store.onChange = heard;
  }

  /** The one-time code of the start link; not available once there is an approver. */
  createStartCode(): string {
    this.#requireNoApprover();
    return this.#startCodes.issue();
  }

  /** Admits the first browser as approver and admin. It may set the PIN later. */
  admitFirst(first: { readonly code: string; readonly key: unknown; readonly name: unknown; readonly pin?: unknown }): DeviceRecord {
    this.#requireNoApprover();
    if (!this.#startCodes.isGood(first.code)) {
      throw new EarshotError({ code: "CODE_REFUSED", message: "This start link was used before or has expired." });
    }
    const name = readName(first.name, "The name");
    const key = readKey(first.key);
    if (first.pin !== undefined) this.#pin.set(first.pin);
    const device = this.credentials.admit({ name, role: "admin", key, admittedBy: "the start link" });
    this.#tellOfFirst(`${JSON.stringify(name)}, by the start link,`);
    return device;
  }

  /** Admits the first terminal: from now on the PIN makes an approver. `pin` is its public key. */
  setFirstPin(pin: unknown): void {
    this.#requireNoApprover();
    this.#pin.set(pin);
    this.#tellOfFirst("A PIN, set at a terminal,");
  }

  /** Sets the PIN that the first browser left out. Only an admin may, and only once: a set PIN is changed by a reset. */
  setLaterPin(pin: unknown, setBy: string): void {
    if (this.#pin.record !== undefined)
      throw new EarshotError({ code: "APPROVER_EXISTS", message: "A PIN is set already.", hint: "`earshot device reset` removes it." });
    this.#pin.set(pin);
    this.raise(`A PIN was set by ${setBy}. If that was not you: earshot device reset.`);
  }

  /** Revokes a credential. Without a PIN the last admin's browser stays, since nothing else could admit another. */
  revoke(id: string, by: Role): void {
    const admins = this.credentials.devices.filter(isAdmin);
    if (this.#pin.record === undefined && admins.length === 1 && admins[0]?.id === id)
      throw new EarshotError({
        code: "NOT_PERMITTED",
        message: "This is the only browser that administers this hub, and no PIN is set.",
        hint: "Set a PIN first: Settings, Devices.",
      });
    this.credentials.revoke(id, by);
  }

  #tellOfFirst(who: string): void {
    this.#startCodes.clear();
    // Any program of this account can be faster than the person.
    this.raise(`${who} became the first approver. If that was not you: earshot device reset.`);
  }

  unlock(request: IncomingMessage, signed: PinSignature): Ticket {
    this.#verifyPin(request, "unlock", signed);
    return this.credentials.createTicket();
  }

  claim(code: string, key: unknown, name: unknown): ReturnType<Pairings["claim"]> {
    return this.pairings.claim(code, readKey(key), readName(name, "The name"));
  }

  /** Admits a device by the PIN entered on it. */
  admitByPin(request: IncomingMessage, claim: string, signed: PinSignature): DeviceRecord {
    this.pairings.claimed(claim); // without a claim nobody may guess at the PIN
    this.#verifyPin(request, `admit ${claim}`, signed);
    return this.pairings.admitClaimed(claim, "the PIN");
  }

  createChallenge(): string {
    return this.#challenges.issue();
  }

  /** The parameters for deriving the PIN's key. */
  get pinParameters(): PinParameters | undefined {
    const { record } = this.#pin;
    return record === undefined ? undefined : { salt: record.salt, cost: record.cost };
  }

  #verifyPin(request: IncomingMessage, purpose: string, { challenge, signature }: PinSignature): void {
    if (!this.#challenges.isGood(challenge))
      throw new EarshotError({ code: "CODE_REFUSED", message: "This challenge was used before or has expired." });
    this.#pin.verify({ origin: this.originOf(request), purpose, challenge, signature });
    this.#challenges.use(challenge);
  }

  /** A ticket for a browser that signed a challenge. */
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
    return this.credentials.createTicket(device.id);
  }

  /** The origin at which a browser reaches the hub under this name; the public one if `fromAfar`. */
  originOf(request: IncomingMessage, { fromAfar = false } = {}): string {
    const { publicUrl } = this.#options.reach ?? {};
    return (fromAfar ? publicUrl?.origin : undefined) ?? ownAddressOf(request, this.#options.reach ?? {})?.origin ?? "";
  }

  /** Raises an alarm that a person sees now or later. */
  raise(message: string, whom?: AgentAndFolder): void {
    const isUnseen = (alarm: AccessAlarm) => alarm.message === message && alarm.seenBy === undefined;
    if (this.#options.documents === undefined || this.alarms.some(isUnseen)) this.#raise(message, whom);
    else void this.change(() => this.#raise(message, whom)).catch(() => this.#raise(message, whom));
  }

  #raise(message: string, whom?: AgentAndFolder): void {
    const at = new Date(this.#options.now()).toISOString();
    const unseen = this.alarms.filter(({ seenBy }) => seenBy === undefined);
    const known = unseen.find((alarm) => alarm.message === message);
    const text = known === undefined && unseen.length >= MAX_UNSEEN_ALARMS ? TOO_MANY_ALARMS : message;
    const repeated = known ?? unseen.find((alarm) => alarm.message === text);
    const alarms =
      repeated === undefined
        ? [...this.alarms, { id: createCode(6), at, message: text }]
        : this.alarms.map((alarm) => (alarm === repeated ? { ...alarm, count: (alarm.count ?? 1) + 1, lastAt: at } : alarm));
    // Repeated alarms are written at counts 2, 4, 8 and so on, so that a flood does not cost a write each.
    const count = repeated?.count ?? 1;
    if ((count & (count + 1)) === 0 || repeated === undefined) this.#store.updateOrHold({ alarms });
    else this.#store.hold({ alarms });
    if (known !== undefined) return;
    this.#options.log(`Alarm: ${message}`);
    this.#options.onAlarm?.(whom);
  }

  acknowledge(id: string, seenBy: string): void {
    if (!this.alarms.some((alarm) => alarm.id === id)) throw new EarshotError({ code: "NOT_FOUND", message: "There is no such alarm." });
    const alarms = this.alarms.map((alarm) => (alarm.id === id && alarm.seenBy === undefined ? { ...alarm, seenBy } : alarm));
    const seen = alarms.filter((alarm) => alarm.seenBy !== undefined).slice(-MAX_SEEN_ALARMS);
    this.#store.updateOrHold({ alarms: alarms.filter((alarm) => alarm.seenBy === undefined || seen.includes(alarm)) });
  }

  [Symbol.dispose](): void {
    this.connections[Symbol.dispose]();
    this.reset[Symbol.dispose]();
    this.#store[Symbol.dispose]();
  }

  #requireNoApprover(): void {
    if (this.hasApprover) throw new EarshotError({ code: "APPROVER_EXISTS", message: "There is an approver already." });
  }
}

function isAdmin({ role, revokedAt }: DeviceRecord): boolean {
  return role === "admin" && revokedAt === undefined;
}

function readKey(value: unknown): DeviceKey {
  if (!isDeviceKey(value) || !isUsableKey(value)) {
    throw new EarshotError({ code: "WRONG_QUERY", message: "`key` is the public half of an ECDSA P-256 key, as a JSON Web Key." });
  }
  return { kty: value.kty, crv: value.crv, x: value.x, y: value.y };
}
