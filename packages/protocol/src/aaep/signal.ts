import type { Finding } from "../finding.ts";
import type { JsonObject } from "../json.ts";
import type { Reading } from "../protocol.ts";
import { readTimestamp } from "../timestamp.ts";
import { CORE_TYPES, type CoreType } from "./names.ts";
import type { AaepRuleId } from "./rules.ts";

/** One event or message as the lifecycle sees it. Fields of `value` are believed only after a look at their type. */
export interface Signal {
  readonly type: CoreType | "extension" | "confirmation.reply" | "clarification.reply";
  readonly value: JsonObject;
  readonly agentId: string;
  /** undefined when the timestamp cannot be read. */
  readonly ms: number | undefined;
  readonly at: number;
  /**
   * Whether the stream has carried anything said by a subscriber. An event-only recording does not show the answers,
   * so that the lack of one proves nothing there.
   */
  readonly repliesRecorded: boolean;
  /** false when a handshake says that nobody who listens can reply: then defaults apply at once. */
  readonly canReply: boolean;
}

const CORE: ReadonlySet<string> = new Set(CORE_TYPES);

/** What is needed of a reading. */
type Told = Pick<Reading, "kind" | "type" | "agentId" | "value">;

export function signalOf(reading: Told, at: number, listening: Pick<Signal, "repliesRecorded" | "canReply">): Signal {
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

function signalType({ kind, type }: Told): Signal["type"] {
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
export type Note = (rule: AaepRuleId, message: string, detail?: Omit<Finding, "rule" | "message">) => void;

export function text(value: JsonObject, field: string): string | undefined {
  const found = value[field];
  return typeof found === "string" ? found : undefined;
}
