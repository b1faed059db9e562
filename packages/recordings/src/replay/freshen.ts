import { hash } from "node:crypto";
import { type ProtocolName, readTimestamp } from "@earshot/protocol";
import { type Playable, readRecorded } from "./recorded.ts";
import { rewriteStringsByPath, type StringPath } from "./rewrite-strings.ts";

export interface FreshenOptions {
  /** Replaces ids, deterministically for a seed. */
  readonly seed?: string | undefined;
  /** Replaces times: the first event gets this time and the others keep their distance. Unix milliseconds. */
  readonly firstAtMs?: number | undefined;
}

export type Freshen = (recorded: Playable) => Playable;

/** Gives the events of a recording new ids and times. Each event must be passed once, in recorded order. */
export function createFreshen({ seed, firstAtMs }: FreshenOptions): Freshen {
  if (seed === undefined && firstAtMs === undefined) return (recorded) => recorded;
  const freshId = seed === undefined ? undefined : createFreshIds(seed);
  let shift: number | undefined;
  return (recorded) => {
    const { protocol, text, line, atMs } = recorded;
    if (protocol === undefined) return recorded;
    if (firstAtMs !== undefined && atMs !== undefined) shift ??= Math.round((firstAtMs - atMs) / 1000);
    const seconds = shift;
    const written = rewriteStringsByPath(text, (path, value) => {
      if (freshId !== undefined && isIdAt(protocol, path, value)) return freshId(value);
      return seconds !== undefined && isTimeAt(protocol, path) ? shiftTimestamp(value, seconds) : undefined;
    });
    const fresh = readRecorded(written, line, protocol);
    // Playback is paced by the recorded times, not by the replaced ones.
    return fresh !== undefined && "text" in fresh ? { ...fresh, atMs } : recorded;
  };
}

/** Names of members that hold an id of the same recording, in extension data as well. */
const NAMES = new Set(
  (
    "event_id session_id parent_session_id child_session_id root_session_id reply_token tool_call_id call_id output_id subscription_id " +
    "correlation_id request_event_id action_id spawning_action_id conversation_id root_conversation_id turn_id instance_id"
  ).split(" "),
);
const AAEP_SHAPE = /^(?:evt|sess|call|rpl|out|sub)_[A-Za-z0-9]{1,64}$/;
/** Members of AAEP with free content from the agent. */
const AAEP_OWN = new Set(["extensions", "extra_context", "packaged_context"]);
const AEP_PLACES = new Set(
  (
    "id request_event_id action_id agent/instance_id action/id session/id session/conversation_id session/turn_id " +
    "session/root_conversation_id session/parent/conversation_id session/parent/spawning_action_id"
  ).split(" "),
);
const AOP_PLACES = new Set("session_id parent_session_id payload/tool_call_id payload/child_session_id".split(" "));

/** Whether the string at this path is an id of an event, session, call, question or output of the recording. */
function isIdAt(protocol: ProtocolName, path: StringPath, value: string): boolean {
  const [first = ""] = path;
  const last = path.at(-1) ?? "";
  switch (protocol) {
    case "aaep":
      if (path.length === 1) return NAMES.has(first);
      return AAEP_OWN.has(first) && (NAMES.has(last) || AAEP_SHAPE.test(value));
    case "aep":
      return AEP_PLACES.has(path.join("/")) || (first === "extensions" && NAMES.has(last));
    case "aop":
      return AOP_PLACES.has(path.join("/")) || (first === "payload" && path[1] === "metadata" && NAMES.has(last));
  }
}

const PREFIXED = /^([a-z]{1,16})_[A-Za-z0-9]{1,64}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const REMEMBERED = 20_000;
/** The maximum id length that all protocols accept. */
const MAX_ID_CHARACTERS = 128;
const SUFFIX = 12;

/**
 * Replaces each id, deterministically for a seed, so ids need not be stored and references remain valid. The form of the id is preserved,
 * so an invalid id remains invalid.
 */
export function createFreshIds(seed: string): (id: string) => string {
  const made = new Map<string, string>();
  return (id) => {
    const known = made.get(id);
    if (known !== undefined) return known;
    if (made.size >= REMEMBERED) made.clear();
    const fresh = inItsForm(id, hash("sha256", `${seed}\n${id}`, "hex"));
    made.set(id, fresh);
    return fresh;
  };
}

function inItsForm(id: string, digest: string): string {
  if (id === "") return id;
  const prefix = PREFIXED.exec(id)?.[1];
  if (prefix !== undefined) return `${prefix}_${digest.slice(0, 32)}`;
  if (UUID.test(id)) {
    // The digits for the UUID's version and variant are preserved.
    const digits = digest.slice(0, 12) + id.charAt(14) + digest.slice(13, 16) + id.charAt(19) + digest.slice(17, 32);
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }
  const kept =
    id.length <= MAX_ID_CHARACTERS && id.length + SUFFIX + 1 > MAX_ID_CHARACTERS ? id.slice(0, MAX_ID_CHARACTERS - SUFFIX - 1) : id;
  return `${kept}-${digest.slice(0, SUFFIX)}`;
}

const PLACES: Readonly<Record<ProtocolName, readonly string[]>> = {
  aaep: ["timestamp"],
  aep: ["time", "decision/time"],
  aop: ["timestamp"],
};

function isTimeAt(protocol: ProtocolName, path: StringPath): boolean {
  return PLACES[protocol].includes(path.join("/"));
}

/** Shifts a timestamp by whole seconds and preserves its time zone and fraction. Text that is not a timestamp is returned unchanged. */
export function shiftTimestamp(text: string, seconds: number): string {
  if (readTimestamp(text) === undefined) return text;
  const moved = new Date(Date.parse(`${text.slice(0, 17)}00Z`) + (Number(text.slice(17, 19)) + seconds) * 1000);
  const year = moved.getUTCFullYear();
  return year >= 0 && year <= 9999 ? moved.toISOString().slice(0, 19) + text.slice(19) : text;
}
