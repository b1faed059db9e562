import {
  hashContent,
  hashKey,
  isObject,
  type JsonObject,
  type JsonValue,
  type Protocol,
  type ProtocolReading,
  RecentMap,
  readJson,
  recogniseProtocol,
  unwrapStream,
} from "@earshot/protocol";
import { isTerminalType } from "@earshot/protocol/aaep-names";

/** An event about to be recorded. */
export interface ReadableEvent {
  /** One line of JSON. */
  readonly text: string;
  readonly reading: ProtocolReading;
  readonly session: string;
  /** Identifies the event: 53 bits of its protocol, agent and id, or its number if it has no id. */
  readonly key: number;
  /** 32 bits of its content. */
  readonly body: number;
}

/** Why something is left out of a recording. */
export type LeftOutReason = "message" | "not an event" | "again" | "of another session" | "secret in an id";

export type EventReading = { readonly ok: true; readonly said: ReadableEvent } | { readonly ok: false; readonly why: LeftOutReason };

const STARTS: ReadonlySet<string> = new Set(["agent.session.started", "session.start", "session.started"]);

/** Reads the texts of one source in order: earlier ones decide the protocol of an ambiguous one. */
export class EventReader {
  #previous: Protocol | undefined;

  /** An invalid event is still an event: a recording shows what was sent. */
  read(given: string): EventReading {
    const text = inOneLine(given);
    const json = readJson(text, undefined, noHash);
    if (!json.ok || !isObject(json.value)) return { ok: false, why: "not an event" };
    const { value, facts } = json;
    // The stream reader has already unwrapped its messages.
    if (unwrapStream(value) !== value) return { ok: false, why: "not an event" };
    const protocol = recogniseProtocol(value, this.#previous);
    if (protocol === undefined) return { ok: false, why: "not an event" };
    this.#previous = protocol;
    const reading = protocol.read(value, facts);
    return reading.kind === "event" ? { ok: true, said: toSaid(text, protocol, reading) } : { ok: false, why: "message" };
  }
}

function toSaid(text: string, protocol: Protocol, reading: ProtocolReading): ReadableEvent {
  const { live, name } = protocol;
  const { sessionId = "", agentId = "", value } = reading;
  const sequence = live.sequence(reading);
  const identity = live.identity(reading) ?? (sequence === null ? text : `${sessionId}\n${agentId}\n${sequence}`);
  const key = `${name} ${identity}`;
  return {
    text,
    reading,
    session: live.session(reading) ?? sessionId,
    key: hashKey(key),
    body: hashContent(name === "aop" ? inEveryShape(value) : value),
  };
}

/** A collector returns events without unknown members and with nulls for others. */
function inEveryShape({ type, timestamp, payload }: JsonObject): JsonValue {
  return [type ?? null, timestamp ?? null, payload ?? {}];
}

/** Whether an event of this type ends its session, in any protocol. */
export function endsSession(type: string): boolean {
  return isTerminalType(type) || type === "session.end" || type === "session.ended";
}

function startsSession({ type }: ProtocolReading): boolean {
  return STARTS.has(type);
}

/** Line breaks only occur between JSON tokens, where a space is equivalent. */
function inOneLine(text: string): string {
  const line = /[\r\n]/.test(text) ? text.replaceAll(/[\r\n]/g, " ") : text;
  return line.trim();
}

/** The content is hashed once its kind is known. */
function noHash(): number {
  return 0;
}

const MAX_REMEMBERED = 50_000;

/** Tracks which captured sessions have ended. */
export class OpenSessions {
  readonly #open = new Set<string>();
  readonly #ended = new Set<string>();

  /** Every captured session has ended, and there was at least one. */
  get allEnded(): boolean {
    return this.#open.size === 0 && this.#ended.size > 0;
  }

  handle({ reading, session }: ReadableEvent): void {
    if (session === "") return;
    const key = `${reading.protocol} ${session}`;
    if (endsSession(reading.type)) {
      this.#open.delete(key);
      remember(this.#ended, key);
    } else if (!this.#ended.has(key) || (startsSession(reading) && reading.protocol !== "aop")) {
      // In AOP a late first event does not restart a session; in the others a second start does.
      this.#ended.delete(key);
      remember(this.#open, key);
    }
  }
}

function remember(set: Set<string>, key: string): void {
  set.add(key);
  for (const oldest of set) {
    if (set.size <= MAX_REMEMBERED) return;
    set.delete(oldest);
  }
}

const CAPACITY = 500_000;

/**
 * The recorded events as hashes: beyond half a million the oldest are dropped and counted. An event with another's id and different
 * content is separate.
 */
export class WrittenEvents {
  readonly #table: RecentMap<number, number>;

  constructor(capacity = CAPACITY) {
    this.#table = new RecentMap(capacity);
  }

  get forgotten(): number {
    return this.#table.forgotten;
  }

  /** Adds an event; returns whether it is new. */
  add({ key, body }: ReadableEvent): boolean {
    const known = this.#table.add(key, body);
    if (known === undefined) return true;
    if (known === body) return false;
    return this.#table.add(hashKey(`${key} ${body}`), body) === undefined;
  }
}
