import type { Finding } from "../finding.ts";
import type { JsonObject } from "../json.ts";
import type { ProtocolReading } from "../protocol.ts";
import { readTimestamp } from "../timestamp.ts";
import { CORE_TYPES, type CoreType } from "./names.ts";
import type { AaepRuleId } from "./rules.ts";

/** One event or message as the lifecycle sees it. The type of each field of `value` is checked before use. */
export interface AaepSignal {
  readonly type: CoreType | "extension" | "confirmation.reply" | "clarification.reply";
  readonly value: JsonObject;
  readonly agentId: string;
  /** Undefined if the timestamp cannot be parsed. */
  readonly ms: number | undefined;
  readonly at: number;
  /**
   * Whether the stream contains any subscriber message. An event-only recording does not contain the answers, so a missing answer proves
   * nothing there.
   */
  readonly repliesRecorded: boolean;
  /** False if a handshake shows that no subscriber can reply: defaults then apply immediately. */
  readonly canReply: boolean;
}

const CORE: ReadonlySet<string> = new Set(CORE_TYPES);

/** The members of a reading that a signal needs. */
type Told = Pick<ProtocolReading, "kind" | "type" | "agentId" | "value">;

export function toAaepSignal(reading: Told, at: number, listening: Pick<AaepSignal, "repliesRecorded" | "canReply">): AaepSignal {
  const stamp = reading.value["timestamp"];
  return {
    type: signalType(reading),
    value: reading.value,
    agentId: reading.agentId ?? "?",
    ms: typeof stamp === "string" ? readTimestamp(stamp)?.ms : undefined,
    at,
    repliesRecorded: listening.repliesRecorded,
    canReply: listening.canReply,
  };
}

function signalType({ kind, type }: Told): AaepSignal["type"] {
  if (kind === "message") return isReplyType(type) ? type : "extension";
  return isCore(type) ? type : "extension";
}

export function isReplyType(type: string): type is "confirmation.reply" | "clarification.reply" {
  return type === "confirmation.reply" || type === "clarification.reply";
}

function isCore(type: string): type is CoreType {
  return CORE.has(type);
}

/** Collects findings during one step. */
export type NoteFinding = (rule: AaepRuleId, message: string, detail?: Omit<Finding, "rule" | "message">) => void;

export function readTextField(value: JsonObject, field: string): string | undefined {
  const found = value[field];
  return typeof found === "string" ? found : undefined;
}
