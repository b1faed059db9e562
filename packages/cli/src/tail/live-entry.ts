import { agentName } from "@earshot/narrate";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import { plainText } from "@earshot/terminal/plain-text";
import type { Style } from "@earshot/terminal/style";
import { shortenId } from "../terminal/table.ts";

/** A ledger entry from the hub. Values chosen by senders are untrusted. */
interface Heard {
  readonly position: number;
  readonly receivedAt: string;
  readonly protocol: string;
  readonly session: string;
  readonly kind: string;
  readonly type: string;
  readonly agent: string;
  /** Severity and rule of each violation. */
  readonly flags: readonly { readonly severity: string; readonly rule: string }[];
  /** Number of masked secrets. */
  readonly masked: number;
  readonly event: JsonValue;
}

/** Parses a frame. Members of a newer hub are ignored; missing ones are shown as empty. */
export function readLiveFrame(json: string): Heard | undefined {
  const value = parse(json);
  if (!isObject(value) || typeof value["position"] !== "number") return undefined;
  const { flags, redactions } = value;
  return {
    position: value["position"],
    receivedAt: textOf(value, "receivedAt"),
    protocol: textOf(value, "protocol"),
    session: textOf(value, "session"),
    kind: textOf(value, "kind"),
    type: textOf(value, "type"),
    agent: textOf(value, "agent"),
    flags: Array.isArray(flags)
      ? flags.filter(isObject).map((flag) => ({ severity: textOf(flag, "severity"), rule: textOf(flag, "rule") }))
      : [],
    masked: Array.isArray(redactions) ? redactions.length : 0,
    event: value["event"] ?? null,
  };
}

function parse(json: string): JsonValue | undefined {
  try {
    return JSON.parse(json) as JsonValue;
  } catch {
    return undefined; // no frame of a hub; reported by the caller
  }
}

function textOf(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}

type Path = readonly string[];

/** Where the three protocols name an event's tool, skill or child. */
const ABOUT: readonly Path[] = [
  ["tool", "name"],
  ["tool"],
  ["payload", "tool_name"],
  ["payload", "tool"],
  ["skill", "name"],
  ["payload", "child_agent_id"],
];

/** Where the three protocols have a text, most informative first. */
const WORDS: readonly Path[] = [
  ["summary_normal"],
  ["summary_terse"],
  ["question"],
  ["action"],
  ["chunk"],
  ["content"],
  ["action", "error", "message"],
  ["action", "input", "command"],
  ["action", "input", "file_path"],
  ["action", "rationale"],
  ["lifecycle", "reason"],
  ["control", "message"],
  ["payload", "content"],
  ["payload", "decision"],
  ["payload", "chosen"],
  ["payload", "goal"],
  ["payload", "reasoning"],
  ["payload", "description"],
  ["payload", "error_message"],
  ["payload", "error"],
  ["payload", "outcome_summary"],
  ["payload", "result_summary"],
  ["payload", "output_summary"],
  ["payload", "summary"],
  ["payload", "current_goal"],
  ["payload", "url"],
  ["payload", "endpoint"],
  ["payload", "key"],
  ["payload", "input", "command"],
  ["payload", "outcome"],
  ["payload", "status"],
  ["progress", "description"],
  ["to_state"],
  ["reason"],
  ["decision", "outcome"],
  ["decision"],
  ["message"],
  ["text"],
];

/** An event's text in the agent's own words: untrusted, not yet safe for a terminal. Empty if there is none. */
export function eventSummaryOf(event: JsonValue): string {
  const about = firstText(event, ABOUT);
  const words = firstText(event, WORDS);
  return about !== "" && words !== "" ? `${about}: ${words}` : about + words;
}

function firstText(event: JsonValue, paths: readonly Path[]): string {
  for (const path of paths) {
    const text = textAt(event, path);
    if (text.trim() !== "") return text;
  }
  return "";
}

function textAt(event: JsonValue, path: Path): string {
  let value: JsonValue | undefined = event;
  for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  if (typeof value === "string") return value;
  // AEP: a list of parts with a text each.
  if (Array.isArray(value)) return value.map((part) => textAt(part, ["text"])).join(" ");
  return "";
}

const LONGEST_SUMMARY = 160;
const LONGEST_NAME = 40;
const SESSION_WIDTH = 12;

/**
 * One event per line: time, protocol, session, agent, event, violations. All foreign text goes through `plainText`, so that a line stays
 * a line. Color only repeats what the words say.
 */
export function formatLiveEntry(heard: Heard, { bold, yellow, red }: Style): string {
  const { protocol, session, agent, kind, type, flags, masked } = heard;
  const remarks = flags.map(({ severity, rule }) => {
    const words = cut(`${severity} ${rule}`, LONGEST_NAME * 2);
    return severity === "error" ? red(words) : yellow(words);
  });
  if (masked > 0) remarks.push(yellow(masked === 1 ? "1 secret masked" : `${masked} secrets masked`));
  const columns = [
    timeOf(heard.receivedAt),
    cut(protocol, LONGEST_NAME).padEnd(4),
    cut(shortenId(session.slice(0, 4096)), LONGEST_NAME).padEnd(SESSION_WIDTH),
    cut(agent === "" ? "" : agentName(agent), LONGEST_NAME),
    bold(cut(kind === "event" || kind === "" ? type : `${kind} ${type}`, LONGEST_NAME * 2)),
    cut(eventSummaryOf(heard.event), LONGEST_SUMMARY),
    remarks.length === 0 ? "" : `[${remarks.join(", ")}]`,
  ];
  return columns.filter((column) => column.trim() !== "").join("  ");
}

/** In the reader's local time. */
function timeOf(receivedAt: string): string {
  const time = new Date(receivedAt);
  if (Number.isNaN(time.getTime())) return "--:--:--.---";
  const [hours, minutes, seconds] = [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, "0"));
  return `${hours}:${minutes}:${seconds}.${String(time.getMilliseconds()).padStart(3, "0")}`;
}

/** Long text is cut before processing, and again after invisible characters were written out. */
function cut(text: string, longest: number): string {
  const characters = [...plainText(text.trim().slice(0, longest * 8))];
  return characters.length <= longest && text.length <= longest * 8 ? characters.join("") : `${characters.slice(0, longest - 1).join("")}…`;
}
