import { formatCount, formatDuration, spaceWords } from "@earshot/narrate";
import { jsonInWords } from "./json-in-words.ts";
import type { Tellers } from "./of-kind.ts";
import { given, labelled, when } from "./phrases.ts";

/** How a session goes: begins, turns, stands, fails, ends. */
export const COURSE: Tellers<
  "session.opened" | "session.closed" | "turn.started" | "turn.ended" | "state" | "progress" | "heartbeat" | "error" | "handoff" | "custom"
> = {
  "session.opened": ({ goal, version, resumed, source, requestedBy, tools, expectedMs, ...rest }) => ({
    what: resumed === true ? "Resumed" : "Started",
    remarks: given(
      when(version, (number) => `agent version ${number}`),
      source !== "startup" && source !== "resume" && when(source, spaceWords),
      when(requestedBy, (who) => `asked for by ${who}`),
      when(expectedMs, (ms) => `expected to take ${formatDuration(ms)}`),
    ),
    parts: labelled({ Goal: goal, Tools: tools?.join(", ") }),
    rest,
  }),
  "session.closed": ({ outcome, summary, error, steps, calls, durationMs, reason, by, result, resultUri, ...rest }) => {
    const { code, category, recoverable, hint, ...others } = rest;
    return {
      what: outcome === "unknown" ? "Ended" : `Ended, ${outcome}`,
      tone: outcome === "completed" ? "good" : outcome === "failed" || outcome === "timeout" ? "bad" : "warning",
      remarks: given(
        when(by, (who) => `by ${who}`),
        when(durationMs, (ms) => `after ${formatDuration(ms)}`),
        when(steps, (number) => formatCount(number, "step")),
        when(calls, (number) => formatCount(number, "call")),
      ),
      ...(summary === undefined ? {} : { words: summary }),
      parts: labelled({ Error: error, Reason: when(reason, spaceWords), Result: result, "Result at": resultUri }),
      below: labelled({
        "Error code": code,
        "Kind of error": when(category, spaceWords),
        "Can recover": recoverable === undefined ? undefined : recoverable ? "yes" : "no",
        "To do": hint,
      }),
      rest: others,
    };
  },
  "turn.started": ({ reason, ...rest }) => ({ what: "Turn started", remarks: given(when(reason, spaceWords)), rest }),
  "turn.ended": ({ reason, durationMs, ...rest }) => ({
    what: "Turn ended",
    remarks: given(
      when(reason, spaceWords),
      when(durationMs, (ms) => `after ${formatDuration(ms)}`),
    ),
    rest,
  }),
  state: ({ from, to, summary, expectedMs, ...rest }) => ({
    what: `State ${spaceWords(to)}`,
    remarks: given(
      when(from, (state) => `before: ${spaceWords(state)}`),
      when(expectedMs, (ms) => `for about ${formatDuration(ms)}`),
    ),
    ...(summary === undefined ? {} : { words: summary }),
    rest,
  }),
  progress: ({ percent, step, steps, summary, remainingMs, ...rest }) => ({
    what: `Progress${percent === undefined ? "" : ` ${percent} percent`}`,
    remarks: given(
      when(step, (number) => `step ${number}${steps === undefined ? "" : ` of ${steps}`}`),
      step === undefined && when(steps, (number) => formatCount(number, "step")),
      when(remainingMs, (ms) => `${formatDuration(ms)} to go`),
    ),
    ...(summary === undefined ? {} : { words: summary }),
    rest,
  }),
  heartbeat: ({ status, step, goal, ...rest }) => ({
    what: "Heartbeat",
    remarks: given(
      status,
      when(step, (number) => `step ${number}`),
    ),
    parts: labelled({ "Current goal": goal }),
    rest,
  }),
  error: ({ message, code, category, recoverable, hint, callId, tool, ...rest }) => ({
    what: "Error",
    tone: "bad",
    remarks: given(
      when(tool, (name) => `in ${name}`),
      code,
      when(category, spaceWords),
      recoverable === true && "can recover",
      recoverable === false && "cannot recover",
    ),
    words: message,
    parts: labelled({ "To do": hint, "Call id": callId }),
    rest,
  }),
  handoff: ({ to, targetKind, reason, priority, ...rest }) => ({
    what: "Handing over",
    tone: "warning",
    remarks: given(
      when(to, (whom) => `to ${whom}`),
      targetKind !== to && when(targetKind, (kind) => `to a ${spaceWords(kind)}`),
      when(priority, (word) => `${word} priority`),
    ),
    ...(reason === undefined ? {} : { words: spaceWords(reason) }),
    rest,
  }),
  custom: ({ summary, data = {}, type, protocol, ...rest }) => {
    const own = Object.entries(data).filter(([name, value]) => value !== summary && !(protocol !== "aop" && ENVELOPE.has(name)));
    return {
      what: type === "" ? "Event without a type" : `Event ${type}`,
      ...(summary === undefined ? {} : { words: summary }),
      below: labelled({ Data: own.length === 0 ? undefined : jsonInWords(Object.fromEntries(own)) }),
      rest,
    };
  },
};

/** What any event of AAEP and AEP carries, and is told elsewhere. In AOP what is its own is a payload of its own. */
const ENVELOPE: ReadonlySet<string> = new Set([
  "@context",
  "aaep_version",
  "aep_version",
  "agent",
  "event_id",
  "extensions",
  "id",
  "localization_hints",
  "producer",
  "session",
  "session_id",
  "time",
  "timestamp",
  "type",
]);
