import type { JsonObject, JsonValue } from "../json.ts";
import { isObject } from "../json.ts";

/** The twelve types of AOP 1.0, tier by tier. */
export const AOP_TYPES = [
  "session.started",
  "session.heartbeat",
  "session.ended",
  "cognition.thought",
  "cognition.goal",
  "cognition.decision",
  "cognition.uncertainty",
  "operation.tool_start",
  "operation.tool_end",
  "operation.agent_spawn",
  "operation.memory",
  "operation.external_call",
] as const;

export type AopType = (typeof AOP_TYPES)[number];

export interface Spelling {
  /** Payload members that together mean the same as the documented field. */
  readonly names: readonly string[];
  /** Whether the value must equal the documented field's if both are present. */
  readonly compared: boolean;
}

export interface FieldAlias {
  /** The documented name. It takes precedence if present. */
  readonly field: string;
  /** Location of the documented field: the payload, or the payload's `metadata`. */
  readonly home: "payload" | "metadata";
  readonly others: readonly Spelling[];
}

const one = (name: string): Spelling => ({ names: [name], compared: true });
const loose = (...names: readonly string[]): Spelling => ({ names, compared: false });
const alias = (field: string, ...others: readonly Spelling[]): FieldAlias => ({ field, home: "payload", others });
const moved = (field: string): FieldAlias => ({ field, home: "metadata", others: [one(field)] });

/**
 * The documented payload names and the alternative names that deployed software sends and reads. An alias belongs to one type:
 * `reasoning` is the thought itself in one type and the reason for a choice in another. Events are read through this table and stored
 * unchanged.
 *
 * Not compared: `error`, which may hold more than a summary, and `service` with `endpoint`, which name the target of a call differently
 * from a URL.
 */
export const AOP_ALIASES: Readonly<Record<AopType, readonly FieldAlias[]>> = {
  "session.started": [],
  "session.heartbeat": [],
  "session.ended": [alias("outcome", one("status")), moved("total_cost_usd")],
  "cognition.thought": [alias("content", one("reasoning"))],
  "cognition.goal": [],
  "cognition.decision": [alias("decision", one("chosen"))],
  "cognition.uncertainty": [alias("content", one("description"))],
  "operation.tool_start": [alias("tool_name", one("tool"))],
  "operation.tool_end": [
    alias("tool_name", one("tool")),
    alias("result_summary", one("output_summary"), loose("error")),
    alias("duration_ms", one("latency_ms")),
    moved("token_spend_delta"),
  ],
  "operation.agent_spawn": [],
  "operation.memory": [alias("operation", one("action"))],
  "operation.external_call": [alias("url", loose("service", "endpoint")), alias("duration_ms", one("latency_ms"))],
};

/** Members for money, tokens and steps. They are read from `metadata` first and from the payload second. */
export const AOP_NUMBERS: Readonly<Partial<Record<AopType, readonly string[]>>> = {
  "session.heartbeat": ["step", "token_spend"],
  "session.ended": ["total_cost_usd", "total_tokens", "total_steps"],
  "operation.tool_end": ["token_spend_delta"],
};

const KNOWN: ReadonlySet<string> = new Set(AOP_TYPES);

export function isAopType(type: string): type is AopType {
  return KNOWN.has(type);
}

/**
 * The value of a field under its documented name or an alias; undefined if absent. A call's `service` and `endpoint` are joined, for
 * display only.
 */
export function readField(type: AopType, payload: JsonObject, field: string): JsonValue | undefined {
  const aliases = AOP_ALIASES[type];
  for (let index = 0; index < aliases.length; index++) {
    const entry = aliases[index] as FieldAlias;
    if (entry.field === field) return readHome(entry, payload) ?? readOther(entry, payload);
  }
  if (AOP_NUMBERS[type]?.includes(field) === true) {
    const { metadata } = payload;
    const inner = isObject(metadata) && typeof metadata[field] === "number" ? metadata[field] : undefined;
    return inner ?? payload[field];
  }
  return payload[field];
}

/** As `readField`, for fields that hold text. */
export function readFieldText(type: AopType, payload: JsonObject, field: string): string | undefined {
  const value = readField(type, payload, field);
  return typeof value === "string" ? value : undefined;
}

/** As `readField`, for fields that hold a non-negative number. */
export function readAmount(type: AopType, payload: JsonObject, field: string): number | undefined {
  const value = readField(type, payload, field);
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** The event's payload; absent and null read as empty. */
export function payloadOf(value: JsonObject): JsonObject {
  return isObject(value["payload"]) ? value["payload"] : EMPTY;
}

const EMPTY: JsonObject = Object.freeze({});

export function readHome(entry: FieldAlias, payload: JsonObject): JsonValue | undefined {
  if (entry.home === "payload") return payload[entry.field];
  const { metadata } = payload;
  return isObject(metadata) ? metadata[entry.field] : undefined;
}

function readOther(entry: FieldAlias, payload: JsonObject): JsonValue | undefined {
  for (const { names } of entry.others) {
    const value = readSpelling(names, payload);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The value under one alias; all of its member names must be present. */
export function readSpelling(names: readonly string[], payload: JsonObject): JsonValue | undefined {
  const first = payload[names[0] as string];
  if (names.length === 1 || first === undefined) return first;
  const parts: string[] = [];
  for (const name of names) {
    const part = payload[name];
    if (typeof part !== "string") return undefined;
    parts.push(part);
  }
  return parts.join(" ");
}
