import { createHmac, randomBytes } from "node:crypto";
import { EarshotError } from "@earshot/protocol";
import type { Caller } from "./gate.ts";
import { readName, readOrigin, readSourceName } from "./names.ts";
import { includesRole, type Role } from "./roles.ts";
import { createCode, createTokenSecret, hashSecret, isEqualSecret } from "./secrets.ts";
import type { AccessStore, DeviceKey, DeviceRecord, TokenRecord } from "./store.ts";

/** A known credential shown by a caller. */
export interface Credential {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** The only web origin that may use it, besides programs, which have none. */
  readonly origin?: string;
  /** Expiry in Unix milliseconds. */
  readonly until?: number;
}

/** How a credential was shown. One made for URLs may have been seen by others and is valid nowhere else. */
export type CredentialPlace = "in a header" | "in the address";

export interface CredentialsPorts {
  readonly store: AccessStore;
  readonly now: () => number;
  /** Credentials of the user's own programs, which read them from files. */
  readonly files: { readonly viewer: string; readonly producer: string };
  readonly onRevoked: (id: string) => void;
  /** Seals tickets; left out, those of this process are good for nothing after it. */
  readonly ticketKey?: Buffer;
}

export interface TokenRequest {
  readonly name: unknown;
  readonly role: Role;
  readonly owner: unknown;
  readonly expiresInMs?: number;
  readonly inAddress?: boolean;
  readonly origin?: unknown;
}

const PRODUCER = "producer";
/** The terminal's credential after the PIN, separate so that it can be revoked. */
const PIN: Credential = { id: "pin", name: "the PIN", role: "admin" };
/** Revoked records are kept to name their past actions; beyond this number the oldest are dropped. */
const MAX_RECORDS = 1000;
export const TICKET_MS = 5 * 60_000;

/** A short-lived credential in place of one that cannot be sent: a browser's key, or the PIN. */
export interface Ticket {
  readonly ticket: string;
  readonly expiresInMs: number;
}

/** Everything that can be shown to the hub, and whom it stands for. A ticket is not kept anywhere: it carries a seal of the hub's. */
export class HubCredentials {
  readonly #ports: CredentialsPorts;
  readonly #ticketKey: Buffer;
  readonly #files: ReadonlyMap<string, Credential>;
  #tokens = new Map<string, TokenRecord>();

  constructor(ports: CredentialsPorts) {
    this.#ports = ports;
    this.#ticketKey = ports.ticketKey ?? randomBytes(32);
    this.#files = new Map([
      [hashSecret(ports.files.viewer), { id: "viewer-file", name: "commands", role: "viewer" }],
      [hashSecret(ports.files.producer), { id: "producer-file", name: PRODUCER, role: "producer" }],
    ]);
    this.#index();
  }

  get tokens(): readonly TokenRecord[] {
    return this.#ports.store.state.tokens;
  }

  /** The name of the producer whose token is in a file. */
  get producer(): string {
    return PRODUCER;
  }

  get devices(): readonly DeviceRecord[] {
    return this.#ports.store.state.devices;
  }

  /** Looked up by hash, without comparing characters. */
  find(secret: string, shown: CredentialPlace): Credential | undefined {
    const hash = hashSecret(secret);
    const token = this.#tokens.get(hash);
    if (token !== undefined) {
      if (!this.#isLive(token) || (token.inAddress === true) !== (shown === "in the address")) return undefined;
      return token.expiresAt === undefined ? token : { ...token, until: Date.parse(token.expiresAt) };
    }
    return shown === "in the address" ? undefined : (this.#files.get(hash) ?? this.#readTicket(secret));
  }

  #readTicket(ticket: string): Credential | undefined {
    const parts = readTicketParts(ticket);
    const { credential, until } = parts;
    if (!(until > this.#ports.now()) || !isEqualSecret(ticket, this.#sealTicket(parts))) return undefined;
    const holder = credential === PIN.id ? PIN : this.devices.find(({ id, revokedAt }) => id === credential && revokedAt === undefined);
    return holder === undefined ? undefined : { ...holder, until };
  }

  /** Whether a previously admitted caller is still allowed. */
  isCurrent({ credential, until = Number.POSITIVE_INFINITY }: Pick<Caller, "credential" | "until">): boolean {
    if (until <= this.#ports.now()) return false;
    if (credential === PIN.id) return this.#ports.store.state.pin !== undefined;
    return ![...this.tokens, ...this.devices].some(({ id, revokedAt }) => id === credential && revokedAt !== undefined);
  }

  /** Whether a web application of this origin holds a token. */
  mayCallFrom(origin: string): boolean {
    return this.tokens.some((token) => token.origin === origin && this.#isLive(token));
  }

  /** For a device, or for the PIN without one. */
  createTicket(credential: string = PIN.id): Ticket {
    const nonce = randomBytes(12).toString("base64url");
    return { ticket: this.#sealTicket({ credential, until: this.#ports.now() + TICKET_MS, nonce }), expiresInMs: TICKET_MS };
  }

  /** A ticket of the PIN ends with that PIN. */
  #sealTicket({ credential, until, nonce }: TicketParts): string {
    const text = Buffer.from(`${credential} ${until}`).toString("base64url");
    const bound = credential === PIN.id ? (this.#ports.store.state.pin?.key ?? "") : "";
    const seal = createHmac("sha256", this.#ticketKey).update(`${text} ${nonce} ${bound}`).digest("base64url");
    return `${TICKET_PREFIX}${seal}${nonce}${text}`;
  }

  /** Returns the token once; only its hash is stored. */
  createToken(wish: TokenRequest): { readonly token: string; readonly record: TokenRecord } {
    const name = wish.role === "producer" ? readSourceName(wish.name) : readName(wish.name, "The name");
    // A name stays taken after its token is revoked, because it is the source of past events.
    if (name === "local" || [...this.#files.values(), ...this.tokens].some((one) => one.name === name)) {
      throw new EarshotError({ code: "NAME_TAKEN", message: `The name ${JSON.stringify(name)} is taken.` });
    }
    const token = createTokenSecret();
    const now = this.#ports.now();
    const record: TokenRecord = {
      id: createCode(6),
      name,
      role: wish.role,
      owner: readName(wish.owner, "The owner"),
      hash: hashSecret(token),
      createdAt: new Date(now).toISOString(),
      ...(wish.expiresInMs === undefined ? {} : { expiresAt: new Date(now + wish.expiresInMs).toISOString() }),
      ...(wish.inAddress === true ? { inAddress: true as const } : {}),
      ...(wish.origin === undefined ? {} : { origin: readOrigin(wish.origin) }),
    };
    this.#save({ tokens: withRoom([...this.tokens, record]) });
    return { token, record };
  }

  admit(device: { readonly name: string; readonly role: Role; readonly key: DeviceKey; readonly admittedBy: string }): DeviceRecord {
    const record: DeviceRecord = { id: createCode(9), createdAt: new Date(this.#ports.now()).toISOString(), ...device };
    this.#save({ devices: withRoom([...this.devices, record]) });
    return record;
  }

  /** Revokes a token or a device. Nobody can revoke more rights than they have. */
  revoke(id: string, by: Role): void {
    const known = [...this.tokens, ...this.devices].find((one) => one.id === id && one.revokedAt === undefined);
    if (known === undefined)
      throw new EarshotError({ code: "NOT_FOUND", message: "There is no such credential, or it was revoked before." });
    if (!includesRole(by, known.role))
      throw new EarshotError({ code: "NOT_PERMITTED", message: "That credential may do more than yours." });
    this.#revokeWhere((one) => one.id === id);
  }

  /** Revokes everything that may decide. */
  revokeApprovers(): void {
    this.#revokeWhere(({ role }) => role === "approver" || role === "admin");
    this.#ports.onRevoked(PIN.id);
  }

  #revokeWhere(is: (one: TokenRecord | DeviceRecord) => boolean): void {
    const revokedAt = new Date(this.#ports.now()).toISOString();
    const gone = [...this.tokens, ...this.devices].filter((one) => one.revokedAt === undefined && is(one)).map(({ id }) => id);
    const cut = <T extends TokenRecord | DeviceRecord>(one: T): T => (gone.includes(one.id) ? { ...one, revokedAt } : one);
    this.#save({ tokens: this.tokens.map(cut), devices: this.devices.map(cut) });
    for (const id of gone) this.#ports.onRevoked(id);
  }

  #save(change: { readonly tokens?: readonly TokenRecord[]; readonly devices?: readonly DeviceRecord[] }): void {
    this.#ports.store.update(change);
    this.#index();
  }

  /** The store has another state, and these were revoked in it. */
  restored(revoked: readonly string[]): void {
    this.#index();
    for (const id of revoked) this.#ports.onRevoked(id);
  }

  #index(): void {
    this.#tokens = new Map(this.tokens.map((token) => [token.hash, token]));
  }

  #isLive({ revokedAt, expiresAt }: TokenRecord): boolean {
    return revokedAt === undefined && (expiresAt === undefined || Date.parse(expiresAt) > this.#ports.now());
  }
}

const TICKET_PREFIX = "ear_";
/** Of a SHA-256 in base64url. */
const SEAL_CHARACTERS = 43;
const NONCE_CHARACTERS = 16;

interface TicketParts {
  readonly nonce: string;
  readonly credential: string;
  readonly until: number;
}

function readTicketParts(ticket: string): TicketParts {
  const start = TICKET_PREFIX.length + SEAL_CHARACTERS;
  const text = Buffer.from(ticket.slice(start + NONCE_CHARACTERS), "base64url").toString();
  const [credential = "", until = ""] = text.split(" ");
  return { nonce: ticket.slice(start, start + NONCE_CHARACTERS), credential, until: Number(until) };
}

function withRoom<T extends { readonly revokedAt?: string }>(records: readonly T[]): readonly T[] {
  if (records.length <= MAX_RECORDS) return records;
  const oldest = records.findIndex(({ revokedAt }) => revokedAt !== undefined);
  if (oldest < 0) throw new EarshotError({ code: "TOO_MANY_CREDENTIALS", message: `There are ${MAX_RECORDS} credentials already.` });
  return records.toSpliced(oldest, 1);
}
