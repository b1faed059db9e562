import {
  hashContent,
  hashText,
  isObject,
  type JsonObject,
  type JsonValue,
  type Protocol,
  type Reading,
  readJson,
  recogniseProtocol,
  unwrapStream,
} from "@earshot/protocol";

/** One event on its way into a recording. */
export interface Said {
  /** One line of JSON. */
  readonly text: string;
  readonly reading: Reading;
  readonly session: string;
  /** Which event it is: 64 bits of its protocol, its agent and its id, or its number where it has no id. */
  readonly high: number;
  readonly low: number;
  /** 32 bits of what it says. */
  readonly body: number;
  /** The counter and the number on it, where the protocol numbers its events. */
  readonly numbered: { readonly stream: string; readonly sequence: number } | undefined;
}

/** Why something is left out of a recording. */
export type LeftOut = "message" | "not an event" | "again" | "of another session" | "secret in an id";

export type SaidReading = { readonly ok: true; readonly said: Said } | { readonly ok: false; readonly why: LeftOut };

const HIGH_SEED = 0x3c6ef372;
const LOW_SEED = 0x5bd1e995;
const ENDS: ReadonlySet<string> = new Set([
  "agent.session.completed",
  "agent.session.errored",
  "agent.session.cancelled",
  "session.end",
  "session.ended",
]);
const STARTS: ReadonlySet<string> = new Set(["agent.session.started", "session.start", "session.started"]);

/** Reads texts of one source, one after the other: what the one before was settles which protocol a doubtful one is in. */
export class SaidReader {
  #previous: Protocol | undefined;

  /** An event with something wrong in it is still an event: a recording shows what was said. */
  read(given: string): SaidReading {
    const text = inOneLine(given);
    const json = readJson(text, undefined, noHash);
    if (!json.ok || !isObject(json.value)) return { ok: false, why: "not an event" };
    const { value, facts } = json;
    // Messages of a collector's stream were taken apart by whoever read it.
    if (unwrapStream(value) !== value) return { ok: false, why: "not an event" };
    const protocol = recogniseProtocol(value, this.#previous);
    if (protocol === undefined) return { ok: false, why: "not an event" };
    this.#previous = protocol;
    const reading = protocol.read(value, facts);
    return reading.kind === "event" ? { ok: true, said: toSaid(text, protocol, reading) } : { ok: false, why: "message" };
  }
}

function toSaid(text: string, protocol: Protocol, reading: Reading): Said {
  const { live, name } = protocol;
  const { sessionId = "", agentId = "", value } = reading;
  const sequence = live.sequence(reading);
  const stream = `${sessionId}\n${agentId}`;
  const identity = live.identity(reading) ?? (sequence === null ? text : `${stream}\n${sequence}`);
  const key = `${name} ${identity}`;
  return {
    text,
    reading,
    session: live.session(reading) ?? sessionId,
    high: hashText(key, HIGH_SEED),
    low: hashText(key, LOW_SEED),
    body: hashContent(name === "aop" ? inEveryShape(value) : value),
    numbered: sequence === null ? undefined : { stream, sequence },
  };
}

/** A collector that is asked for an event gives it back without members that it does not know, and with nulls for others. */
function inEveryShape({ type, timestamp, payload }: JsonObject): JsonValue {
  return [type ?? null, timestamp ?? null, payload ?? {}];
}

export function endsSession({ type }: Reading): boolean {
  return ENDS.has(type);
}

export function startsSession({ type }: Reading): boolean {
  return STARTS.has(type);
}

/** Line breaks stand between the tokens of JSON only, where a space means the same. */
function inOneLine(text: string): string {
  const line = /[\r\n]/.test(text) ? text.replaceAll(/[\r\n]/g, " ") : text;
  return line.trim();
}

/** What an event says is hashed after it is known what it is. */
function noHash(): number {
  return 0;
}
