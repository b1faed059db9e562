import { payloadOf, readField, readText } from "@earshot/protocol";
import type { HeardEvent } from "./aop-session.ts";
import { hash53 } from "./hash53.ts";
import { beginningOf } from "./json-beginning.ts";

/** Something about a session that a person should look at. Members are those of the official collector. */
export interface Alert {
  readonly session_id: string;
  readonly type: "loop" | "confidence_drop" | "error_cascade";
  readonly message: string;
  readonly severity: "warning" | "critical";
  /** ISO, with its zone; by the hub's clock. */
  readonly created_at: string;
}

export interface AlertRules {
  /** Calls of one tool within the window, and which share of them must repeat an input. */
  readonly loopCalls: number;
  readonly loopWindowMs: number;
  readonly loopSimilarity: number;
  /** Thoughts of low confidence in a row. */
  readonly lowThoughts: number;
  /** Failed tools in a row. */
  readonly failures: number;
}

/** The numbers of the official collector. */
export const ALERT_RULES: AlertRules = { loopCalls: 5, loopWindowMs: 60_000, loopSimilarity: 0.4, lowThoughts: 3, failures: 3 };

/** What is watched in one session: a plain JSON value of bounded size, changed in place. */
export interface SessionWatch {
  /** The last tool calls, oldest first. */
  readonly calls: Call[];
  lowThoughts: number;
  failures: number;
}

/** Hashes of the tool's name and of the beginning of its input, and when the call was heard by the hub's clock. */
type Call = readonly [tool: number, input: number, at: number];

/** Calls remembered per session. An agent that makes more within the window is judged by its last ones. */
export const REMEMBERED_TOOL_CALLS = 128;
/** Inputs are equal when their JSON begins with the same characters. */
const COMPARED_CHARACTERS = 200;

export function openWatch(): SessionWatch {
  return { calls: [], lowThoughts: 0, failures: 0 };
}

/**
 * Hears one event in order of arrival and says whether it is one too many. An event raises one alert at most; what raised
 * it is forgotten then, so that the next alert needs as much again. Nothing is raised by the end of a session.
 */
export function watchEvent(watch: SessionWatch, event: HeardEvent, rules: AlertRules = ALERT_RULES): Alert | undefined {
  switch (event.type) {
    case "session.ended":
      watch.calls.length = 0;
      watch.lowThoughts = 0;
      watch.failures = 0;
      return undefined;
    case "operation.tool_start":
      return watchCall(watch, event, rules);
    case "cognition.thought": {
      const low = payloadOf(event.value)["confidence"] === "low";
      watch.lowThoughts = low ? watch.lowThoughts + 1 : 0;
      if (watch.lowThoughts < rules.lowThoughts) return undefined;
      watch.lowThoughts = 0;
      return raise(event, "confidence_drop", "warning", `${rules.lowThoughts} thoughts in a row had low confidence`);
    }
    case "operation.tool_end": {
      const success = payloadOf(event.value)["success"];
      // An end that does not say how it went is a mistake in the event. It neither fails nor succeeds.
      if (typeof success !== "boolean") return undefined;
      watch.failures = success ? 0 : watch.failures + 1;
      if (watch.failures < rules.failures) return undefined;
      watch.failures = 0;
      return raise(event, "error_cascade", "critical", `${rules.failures} tool calls in a row failed`);
    }
    default:
      return undefined;
  }
}

function watchCall(watch: SessionWatch, event: HeardEvent, rules: AlertRules): Alert | undefined {
  const payload = payloadOf(event.value);
  const name = readText("operation.tool_start", payload, "tool_name");
  if (name === undefined) return undefined;
  const { calls } = watch;
  const tool = hash53(name);
  const at = event.receivedAt;
  const input = readField("operation.tool_start", payload, "input");
  calls.push([tool, hash53(beginningOf(input, COMPARED_CHARACTERS)), at]);

  let gone = Math.max(0, calls.length - REMEMBERED_TOOL_CALLS);
  while (gone < calls.length && at - (calls[gone]?.[2] ?? at) >= rules.loopWindowMs) gone++;
  if (gone > 0) calls.splice(0, gone);

  let same = 0;
  for (const call of calls) if (call[0] === tool) same++;
  if (same < rules.loopCalls) return undefined;
  const distinct = new Set<number>();
  for (const call of calls) if (call[0] === tool) distinct.add(call[1]);
  if (1 - distinct.size / same < rules.loopSimilarity) return undefined;
  calls.length = 0;
  const seconds = Math.round(rules.loopWindowMs / 1000);
  return raise(
    event,
    "loop",
    "warning",
    `Tool "${name.slice(0, 100)}" was called ${same} times within ${seconds} seconds with similar inputs`,
  );
}

function raise(event: HeardEvent, type: Alert["type"], severity: Alert["severity"], message: string): Alert {
  return { session_id: event.session, type, message, severity, created_at: new Date(event.receivedAt).toISOString() };
}
