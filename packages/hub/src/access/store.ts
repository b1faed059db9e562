import { createHmac, hash } from "node:crypto";
import { EarshotError } from "@earshot/protocol";
import Type, { type Static } from "typebox";
import { Compile } from "typebox/compile";
import { readRegularFile } from "../regular-file.ts";
import { writeFileAtomically } from "../write-file-atomically.ts";
import { pinKeyOfSeed } from "./pin-key.ts";
import { includesRole } from "./roles.ts";

const MAX_BYTES = 16 * 1024 * 1024;

const text = () => Type.String();
const roleSchema = Type.Union([Type.Literal("producer"), Type.Literal("viewer"), Type.Literal("approver"), Type.Literal("admin")]);

/** The public half of a non-exportable browser key. */
export const deviceKeySchema = Type.Object({
  kty: Type.Literal("EC"),
  crv: Type.Literal("P-256"),
  x: Type.String({ pattern: "^[\\w-]{43}$" }),
  y: Type.String({ pattern: "^[\\w-]{43}$" }),
});

/** A program's credential. Only its SHA-256 is stored: a token has 256 random bits, so no slow hash is needed. */
const tokenSchema = Type.Object({
  id: text(),
  name: text(),
  role: roleSchema,
  owner: text(),
  hash: text(),
  createdAt: text(),
  expiresAt: Type.Optional(text()),
  revokedAt: Type.Optional(text()),
  /** Valid in URLs (`/k/TOKEN/…`) and nowhere else. */
  inAddress: Type.Optional(Type.Literal(true)),
  /** The one web origin that may use it. */
  origin: Type.Optional(text()),
});

const deviceSchema = Type.Object({
  id: text(),
  name: text(),
  role: roleSchema,
  key: deviceKeySchema,
  admittedBy: text(),
  createdAt: text(),
  revokedAt: Type.Optional(text()),
});

/** The PIN itself is never stored or received: this is the public key derived from it. */
export const pinSchema = Type.Object({
  salt: Type.String({ pattern: "^[\\w-]{22}$" }),
  cost: Type.Integer(),
  key: Type.String({ pattern: "^[\\w-]{43}$" }),
});

const alarmSchema = Type.Object({
  id: text(),
  at: text(),
  message: text(),
  seenBy: Type.Optional(text()),
  /** Number of repetitions, if more than one. */
  count: Type.Optional(Type.Integer()),
  lastAt: Type.Optional(text()),
});

const common = {
  tokens: Type.Array(tokenSchema),
  devices: Type.Array(deviceSchema),
  /** Wrong PINs since the last correct one. `blockedUntil` is in Unix milliseconds. */
  failures: Type.Object({ count: Type.Number(), blockedUntil: Type.Number() }),
  /** A pending removal of every approver. */
  reset: Type.Optional(Type.Object({ askedAt: text(), dueAt: Type.Number() })),
  alarms: Type.Array(alarmSchema),
};

const stateSchema = Type.Object({ version: Type.Literal(2), pin: Type.Optional(pinSchema), ...common });
/** Version 0.1 stored the scrypt hash of the PIN. */
const firstSchema = Type.Object({
  version: Type.Literal(1),
  pin: Type.Optional(Type.Object({ salt: text(), hash: text(), cost: Type.Integer() })),
  ...common,
});

export type TokenRecord = Readonly<Static<typeof tokenSchema>>;
export type DeviceKey = Readonly<Static<typeof deviceKeySchema>>;
export type DeviceRecord = Readonly<Static<typeof deviceSchema>>;
export type PinRecord = Readonly<Static<typeof pinSchema>>;
export type AccessAlarm = Readonly<Static<typeof alarmSchema>>;
export type AccessState = Readonly<Omit<Static<typeof stateSchema>, "tokens" | "devices" | "alarms">> & {
  readonly tokens: readonly TokenRecord[];
  readonly devices: readonly DeviceRecord[];
  readonly alarms: readonly AccessAlarm[];
};

const stateReader = Compile(stateSchema);
const firstReader = Compile(firstSchema);
const deviceKeyReader = Compile(deviceKeySchema);
const pinReader = Compile(pinSchema);

export const NO_PIN_FAILURES = { count: 0, blockedUntil: 0 };
export const EMPTY_ACCESS_STATE: AccessState = { version: 2, tokens: [], devices: [], failures: NO_PIN_FAILURES, alarms: [] };

export const isDeviceKey = (value: unknown): value is DeviceKey => deviceKeyReader.Check(value);
export const isPinRecord = (value: unknown): value is PinRecord => pinReader.Check(value);

/** The state of the file when the hub started. `unsealed`: written by something other than a hub. */
export type FoundAccess = "new" | "first-version" | "sealed" | "unsealed";

export interface AccessFiles {
  readonly path: string;
  /** The file with the MACs of the latest states. */
  readonly sealPath: string;
  readonly sealKey: string;
  /** The state is written by `Access.change` into a document that several hubs share; the file is only read, where there is one. */
  readonly isShared?: boolean;
}

/**
 * Credentials and alarms, in memory and in a private file. Only the hub writes the file, and it reads it only at its start; later
 * external changes are overwritten. A seal beside it reveals at the next start whether another program wrote the file meanwhile.
 */
export class AccessStore {
  readonly #files: AccessFiles;
  #state: AccessState;
  #text: string;
  #isHeld = false;
  readonly found: FoundAccess;
  onChange: () => void = () => {};

  constructor(files: AccessFiles) {
    this.#files = files;
    const known = readState(files.path);
    this.#text = known?.text ?? "";
    this.#state = known?.state ?? EMPTY_ACCESS_STATE;
    this.found = known === undefined ? "new" : known.isFirst ? "first-version" : this.#isSealed() ? "sealed" : "unsealed";
    if (this.found !== "sealed") this.#write(this.#state);
  }

  /** Takes a state that a hub has written. Gives false, and keeps its own, when it carries no seal of a hub's. */
  load(sealed: string): boolean {
    const [seal = "", text = ""] = sealed.split("\n", 2);
    if (seal !== this.#seal(text)) return false;
    const { state }: { readonly state: unknown } = JSON.parse(text);
    if (!stateReader.Check(state)) return false;
    this.#state = state;
    return true;
  }

  /** The state and what goes with it, as other hubs read it. */
  sealed(more: object): string {
    const text = JSON.stringify({ state: this.#state, ...more });
    return `${this.#seal(text)}\n${text}`;
  }

  get state(): AccessState {
    return this.#state;
  }

  /** On disk when it returns; unchanged if it cannot be written. */
  update(change: Partial<AccessState>): void {
    this.replace({ ...this.#state, ...change });
  }

  replace(next: AccessState): void {
    this.#write(next);
    this.#state = next;
    this.onChange();
  }

  /** As `update`, but a change that cannot be written is kept in memory, so that deciding and alarms work on a full disk. */
  updateOrHold(change: Partial<AccessState>): void {
    try {
      this.update(change);
    } catch {
      this.hold(change);
    }
  }

  /** In memory only; the next write includes it. */
  hold(change: Partial<AccessState>): void {
    this.#state = { ...this.#state, ...change };
    this.#isHeld = true;
  }

  /** Writes what is held. */
  [Symbol.dispose](): void {
    if (this.#isHeld) this.updateOrHold({});
  }

  #isSealed(): boolean {
    try {
      return readRegularFile(this.#files.sealPath, { maxBytes: MAX_BYTES }).split("\n").includes(this.#seal(this.#text));
    } catch {
      return false; // no seal, though a hub of this version wrote the file
    }
  }

  #seal(written: string): string {
    return createHmac("sha256", this.#files.sealKey).update(`earshot access ${written}`).digest("base64url");
  }

  /** The seal covers the old and the new state, so that a crash between the two writes breaks neither. */
  #write(state: AccessState): void {
    if (this.#files.isShared === true) return;
    const next = `${JSON.stringify(state, null, 2)}\n`;
    writeFileAtomically(this.#files.sealPath, `${this.#seal(this.#text)}\n${this.#seal(next)}\n`);
    writeFileAtomically(this.#files.path, next);
    this.#text = next;
    this.#isHeld = false;
  }
}

/** A digest of everything that may decide. Empty if nothing may. */
export function approversDigest({ pin, devices, tokens }: AccessState): string {
  const deciding = [...devices, ...tokens].filter(({ role, revokedAt }) => includesRole(role, "approver") && revokedAt === undefined);
  const named = [pin?.key ?? [], ...deciding.map((one) => [one.role, "key" in one ? one.key : one.hash])]
    .flat()
    .map((one) => JSON.stringify(one));
  return named.length === 0 ? "" : hash("sha256", named.toSorted().join("\n"), "hex");
}

/** An unreadable file is an error rather than an empty one; a missing file means that nobody was admitted yet. */
function readState(path: string): { readonly state: AccessState; readonly text: string; readonly isFirst: boolean } | undefined {
  let read: string;
  try {
    read = readRegularFile(path, { maxBytes: MAX_BYTES });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw unreadable(path, error);
  }
  let value: unknown;
  try {
    value = JSON.parse(read);
  } catch (error) {
    throw unreadable(path, error);
  }
  if (stateReader.Check(value)) return { state: value, text: read, isFirst: false };
  if (!firstReader.Check(value)) throw unreadable(path, undefined);
  const { pin, ...rest } = value;
  const taken =
    pin === undefined ? {} : { pin: { salt: pin.salt, cost: pin.cost, key: pinKeyOfSeed(Buffer.from(pin.hash, "base64url")).publicKey } };
  return { state: { ...rest, ...taken, version: 2 }, text: read, isFirst: true };
}

function unreadable(path: string, cause: unknown): EarshotError {
  return new EarshotError({ code: "ACCESS_UNREADABLE", message: `${path} cannot be read as a list of credentials.` }, { cause });
}
