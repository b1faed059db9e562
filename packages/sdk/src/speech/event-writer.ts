import { type Plain, PlainCopy, type PlainObject } from "../plain/plain-copy.ts";

/** The largest body that every AOP collector takes. */
export const MAX_EVENT_BYTES = 65_536;

/**
 * Character limits of a payload, tried in turn; in most texts a character is one byte. A character takes at most six bytes, so the last
 * limit always fits.
 */
const PAYLOAD_CHARACTERS = [60_000, 20_000, 9_000] as const;

export interface WritingAgent {
  readonly sessionId: string;
  readonly agentId: string;
  readonly agentVersion: string | undefined;
  readonly parentSessionId: string | undefined;
}

export interface AopEventWriterOptions {
  readonly speaker: WritingAgent;
  readonly now: () => number;
  readonly names: "documented" | "both";
}

export type Payload = Readonly<Record<string, unknown>>;

/** Writes the events of one session as lines of JSON, numbered from 1. */
export class AopEventWriter {
  readonly #head: string;
  readonly #now: () => number;
  readonly #writesBoth: boolean;
  #sequence = 1;
  #lastMs = 0;

  constructor({ speaker, now, names }: AopEventWriterOptions) {
    const { sessionId, agentId, agentVersion, parentSessionId } = speaker;
    const members = {
      spec: "aop/1.0",
      session_id: sessionId,
      ...(parentSessionId === undefined ? {} : { parent_session_id: parentSessionId }),
      agent_id: agentId,
      ...(agentVersion === undefined ? {} : { agent_version: agentVersion }),
    };
    this.#head = `${JSON.stringify(members).slice(0, -1)},"sequence":`;
    this.#now = now;
    this.#writesBoth = names === "both";
  }

  /** The number of the next event. */
  get sequence(): number {
    return this.#sequence;
  }

  /** `facts` go into `metadata` after the caller's own members. */
  write(type: string, payload: Payload, facts?: PlainObject): string {
    // A clock that is set back must not make the session run backwards.
    this.#lastMs = Math.max(this.#lastMs, this.#now());
    const time = new Date(this.#lastMs).toISOString();
    const head = `${this.#head}${this.#sequence},"timestamp":"${time}","type":${JSON.stringify(type)},"payload":`;
    for (const characters of PAYLOAD_CHARACTERS) {
      const line = `${head}${this.#payload(type, payload, facts, characters)}}`;
      if (line.length * 3 > MAX_EVENT_BYTES && sizeOf(line) > MAX_EVENT_BYTES) continue;
      this.#sequence++;
      return line;
    }
    throw new Error("An event that is too large however much is left out of it.");
  }

  #payload(type: string, payload: Payload, facts: PlainObject | undefined, characters: number): string {
    const copy = new PlainCopy(this.#writesBoth ? characters / 2 : characters);
    const plain: PlainObject = {};
    for (const name in payload) {
      const value = copy.of(payload[name]);
      if (value !== undefined) plain[name] = name === "metadata" || name === "input" ? toObject(value) : value;
    }
    if (facts !== undefined) plain["metadata"] = { ...facts, ...(plain["metadata"] as PlainObject | undefined) };
    if (this.#writesBoth) addOtherNames(type, plain);
    return JSON.stringify(plain);
  }
}

/** `input` and `metadata` must be objects; other values are wrapped in one. */
export function toObject(value: Plain): PlainObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : { value };
}

/** Bytes in UTF-8. */
function sizeOf(text: string): number {
  let size = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0x800 && (code < 0xd800 || code > 0xdfff)) size += 2;
    else if (code >= 0x80) size += 1; // half of a pair counts two: four for both
  }
  return size;
}

/** Member names that the AOP collector's dashboard reads instead of the documented ones. Written beside those, never instead of them. */
const ALSO: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "session.ended": { outcome: "status" },
  "cognition.thought": { content: "reasoning" },
  "cognition.decision": { decision: "chosen" },
  "cognition.uncertainty": { content: "description" },
  "operation.tool_start": { tool_name: "tool" },
  "operation.tool_end": { tool_name: "tool", duration_ms: "latency_ms" },
  "operation.memory": { operation: "action" },
  "operation.external_call": { duration_ms: "latency_ms" },
};

/** Documented in `metadata`, but read from the payload there. */
const LIFTED: Readonly<Record<string, readonly string[]>> = {
  "session.heartbeat": ["step", "token_spend", "current_goal"],
  "session.ended": ["total_steps", "total_tokens", "total_cost_usd"],
  "operation.tool_end": ["token_spend_delta"],
};

/** Adds the other names to a complete, bounded payload. */
function addOtherNames(type: string, payload: PlainObject): void {
  for (const [documented, other] of Object.entries(ALSO[type] ?? {})) {
    const value = payload[documented];
    if (value !== undefined) payload[other] = value;
  }
  const { metadata } = payload;
  if (typeof metadata === "object" && metadata !== null && !Array.isArray(metadata)) {
    for (const name of LIFTED[type] ?? []) if (metadata[name] !== undefined) payload[name] = metadata[name];
  }
  if (type === "operation.tool_start") payload["input"] ??= {}; // without it the dashboard's page breaks down
  if (type === "operation.tool_end") addResult(payload);
  if (type === "operation.external_call") addTarget(payload);
}

function addResult(payload: PlainObject): void {
  const summary = payload["result_summary"];
  if (summary !== undefined) payload[payload["success"] === true ? "output_summary" : "error"] = summary;
}

function addTarget(payload: PlainObject): void {
  const match = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)([^?#]*)/i.exec(String(payload["url"]));
  payload["service"] = match?.[1] ?? String(payload["url"]);
  payload["endpoint"] = match?.[2] || "/";
}
