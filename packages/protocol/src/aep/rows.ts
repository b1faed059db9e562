import { boundText, recordKeyOf } from "../brief.ts";
import type { Finding } from "../finding.ts";
import { hashContent, isObject, type JsonObject } from "../json.ts";
import type { ProtocolReading } from "../protocol.ts";
import { createRecent, dropEntry, entriesOf, keepEntry, type RecentEntries, recallEntry } from "../recent.ts";
import { defineRule } from "../rule.ts";
import { clipText } from "../schema.ts";
import { isOutcome, isSettled, type RowSignal, type RowState, stepRow } from "./action-row.ts";
import type { ResponseAnswer } from "./answer.ts";
import {
  ALLOWED,
  call,
  completed,
  denied,
  FIRST,
  failed,
  inSession,
  member,
  RESULT,
  requested,
  response,
  without,
} from "./example-events.ts";
import type { AepRuleId } from "./rules.ts";
import { type Behavior, OUTCOME_OF_BEHAVIOR } from "./types.ts";

export const ROWS_RULES = {
  "aep/action-identified": defineRule(
    ["error", "event", 2, "Event types", ["action.requested", "action.completed", "action.failed", "action.denied"]],
    {
      title: "An `action.*` event carries `action.type` and `action.id`.",
      hint: "Give the action its kind and its id. The id joins request, response and outcome.",
      examples: () => ({ passes: [FIRST], fails: [inSession(1, "action.requested", { action: { type: "other" } })] }),
    },
  ),
  "aep/action-type-and-id": defineRule(["warning", "event", 3, "Objects in detail", ["*/action"]], {
    title: "An `action` beside an event of another type has `type` and `id`; a question may carry the `id` alone.",
    hint: "Repeat kind and id of the action concerned, so that the event can be shown in its row.",
    examples: () => member("action", { type: "other", id: "call_1" }, { id: "call_1" }),
  }),
  "aep/completed-status": defineRule(["error", "event", 2, "Event types", ["action.completed"]], {
    title: "`action.completed` has `action.status` `success`.",
    hint: 'Write `"status": "success"`, or send `action.failed` if it did not succeed.',
    examples: () => ({ passes: [FIRST, RESULT], fails: [FIRST, call(2, "action.completed", { status: "failure" })] }),
  }),
  "aep/failed-status": defineRule(["error", "event", 2, "Event types", ["action.failed"]], {
    title: "`action.failed` has `action.status` `failure`, `timeout` or `cancelled`.",
    hint: "Say in `action.status` how it failed.",
    examples: () => ({ passes: [FIRST, failed(2)], fails: [FIRST, failed(2, {})] }),
  }),
  "aep/denied-outcome": defineRule(["error", "event", 2, "Event types", ["action.denied"]], {
    title: "`action.denied` has `decision.outcome` `denied`.",
    hint: 'Add `decision` with `"outcome": "denied"` and, if known, `by` and `reason`.',
    examples: () => ({ passes: [FIRST, denied(2)], fails: [FIRST, without(denied(2), "decision")] }),
  }),
  "aep/subagent-spawn-named": defineRule(["warning", "event", 3, "Event types", ["action.requested"]], {
    title: "An action of type `subagent_spawn` says which subagent is meant.",
    hint: "Name the child in `tool.name` or describe it in `action.input`.",
    examples: () => ({
      passes: [inSession(1, "action.requested", { action: { type: "subagent_spawn", id: "call_1", input: { agent: "tester" } } })],
      fails: [inSession(1, "action.requested", { action: { type: "subagent_spawn", id: "call_1" } })],
    }),
  }),
  "aep/action-object": defineRule(["error", "event", 2, "Objects in detail", ["*/action"]], {
    title: "`action` is an object whose members have the right types.",
    hint: "`id` and `rationale` are strings, `error` is an object with `code` and `message`, `input` and `output` may be anything.",
    examples: () =>
      member(
        "action",
        { type: "other", id: "call_1", error: { message: "no such file" } },
        { type: "other", id: "call_1", error: "no such file" },
      ),
  }),
  "aep/action-type": defineRule(["error", "event", 2, "Objects in detail", ["*/action"]], {
    title: "`action.type` is `tool_call`, `skill_use`, `subagent_spawn` or `other`.",
    hint: "Use one of the four kinds; `other` fits what none of them describes.",
    examples: () => member("action", { type: "other", id: "call_1" }, { type: "tool", id: "call_1" }),
  }),
  "aep/action-status": defineRule(["error", "event", 2, "Objects in detail", ["action.completed", "action.failed"]], {
    title: "`action.status` is `success`, `failure`, `timeout` or `cancelled`.",
    hint: "Map the agent's own status to one of the four.",
    examples: () => ({ passes: [FIRST, RESULT], fails: [FIRST, failed(2, { status: "crashed" })] }),
  }),
  "aep/action-requested-once": defineRule(["warning", "recording", 3, "Hook responses", ["action.requested"]], {
    title: "An action id is requested again only with the same input.",
    hint: "An approval covers the input that was shown. Give a changed request a new `action.id`.",
    examples: () => ({
      passes: [FIRST, requested(2)],
      fails: [FIRST, requested(2, { input: { command: "rm -r build" } })],
    }),
  }),
  "aep/one-outcome": defineRule(["error", "recording", 2, "Hook responses", ["action.completed", "action.failed"]], {
    title: "An action ends once: in one `action.completed` or one `action.failed`.",
    hint: "Send one outcome event for each action; a repeated delivery keeps its event id.",
    examples: () => ({ passes: [FIRST, RESULT, RESULT], fails: [FIRST, RESULT, failed(3)] }),
  }),
  "aep/action-type-stable": defineRule(
    ["error", "recording", 2, "What AEP makes explicit", ["action.completed", "action.failed", "action.denied"]],
    {
      title: "The outcome of an action has the `action.type` of its request.",
      hint: "Repeat the kind that was requested, or check that `action.id` is not used for two actions.",
      examples: () => ({
        passes: [FIRST, RESULT],
        fails: [FIRST, call(2, "action.completed", { type: "other", status: "success" })],
      }),
    },
  ),
  "aep/tool-name-stable": defineRule(
    ["warning", "recording", 3, "What AEP makes explicit", ["action.completed", "action.failed", "action.denied"]],
    {
      title: "The outcome of an action names the tool of its request.",
      hint: "Repeat the tool name that was requested, or check that `action.id` is not used for two actions.",
      examples: () => ({ passes: [FIRST, RESULT], fails: [FIRST, completed(2, { tool: { name: "Edit", type: "native" } })] }),
    },
  ),
  "aep/ran-despite-denial": defineRule(
    ["warning", "recording", 3, "Hook responses", ["action.completed", "action.failed", "action.denied", "response"]],
    {
      title: "An action that was denied does not run.",
      hint: "Check that the hook's answer reaches the agent in the form the agent obeys; some agents run the tool when the answer has an unknown shape.",
      examples: () => ({
        passes: [FIRST, response(2, 1, "deny"), denied(3)],
        fails: [FIRST, response(2, 1, "deny"), completed(3)],
      }),
    },
  ),
  "aep/outcome-needs-request": defineRule(
    ["warning", "recording", 3, "Hook responses", ["action.completed", "action.failed", "action.denied"]],
    {
      title: "An outcome follows the request of the same action.",
      hint: "Send `action.requested` with the same `action.id` first, or check that the recording is complete.",
      examples: () => ({ passes: [FIRST, RESULT], fails: [inSession(1, "session.start"), RESULT] }),
    },
  ),
  "aep/request-needs-outcome": defineRule(["info", "recording", 3, "Hook responses", ["action.requested"]], {
    title: "A request that was not denied has an outcome before its session ends.",
    hint: "Send `action.completed` or `action.failed` with the same `action.id`. Until then the outcome is unknown, not a success.",
    examples: () => ({
      passes: [FIRST, RESULT, inSession(3, "session.end")],
      fails: [FIRST, inSession(3, "session.end")],
    }),
  }),
  "aep/response-before-outcome": defineRule(["warning", "recording", 3, "Hook responses", ["response"]], {
    title: "A response to a request comes before the action's outcome.",
    hint: "The agent did not wait for this answer. Check the hook's timeout.",
    examples: () => ({ passes: ALLOWED, fails: [FIRST, RESULT, response(3, 1, "allow")] }),
  }),
} as const;

/** Number of rows per session that are guaranteed to be remembered; up to twice as many are kept. */
export const MAX_OPEN_ROWS = 1024;
export const MAX_DONE_ROWS = 2048;

/** The state kept for one action. Empty text and 0 mean that a value was not received. */
interface Row {
  state: RowState;
  /** Position of the first event about the action. */
  at: number;
  requested: boolean;
  type: string;
  tool: string;
  /** Hash of the requested input, and of the input that a response put in its place. */
  input: number;
  replacedInput: number;
  outcomeId: string;
  /** Position of the outcome. */
  outcomeAt: number;
  denialId: string;
}

/** The actions of a session, open and finished. */
export interface ActionRows {
  open: RecentEntries<Row>;
  done: RecentEntries<Row>;
  /** The beginning of the session is known to be forgotten. */
  resumed: boolean;
  /** Number of rows and questions forgotten so far. */
  forgotten: number;
}

/** Returns the state of an action of the session. */
export function rowState(state: ActionRows, actionId: string): RowState {
  const key = recordKeyOf(actionId);
  return (recallEntry(state.open, key) ?? recallEntry(state.done, key))?.state ?? "absent";
}

export interface ActionStep {
  readonly reading: ProtocolReading;
  readonly action: JsonObject;
  readonly id: string;
  readonly signal: RowSignal;
  readonly at: number;
}

export function stepAction(state: ActionRows, step: ActionStep, findings: Finding[]): void {
  const { action, id, signal } = step;
  const key = recordKeyOf(id);
  const known = recallEntry(state.open, key) ?? recallEntry(state.done, key);
  const row = known ?? createRow(step.at);
  if (known !== undefined) compareWithRow(row, step, findings);
  if (row.type === "" && typeof action["type"] === "string") row.type = boundText(action["type"]);
  if (row.tool === "") row.tool = toolName(step.reading.value);
  moveRow(state, { key, row, signal, id, at: step.at }, findings);
  const eventId = boundText(step.reading.eventId ?? "");
  if (signal === "requested") row.requested = true;
  else if (signal === "denied") row.denialId = eventId;
  else {
    row.outcomeId = eventId;
    if (row.outcomeAt === 0) row.outcomeAt = step.at;
  }
  if (signal === "requested" && row.input === 0) row.input = inputOf(action);
}

/** Reports contradictions between two records of one action. */
function compareWithRow(row: Row, step: ActionStep, findings: Finding[]): void {
  const { action, signal, id } = step;
  if (signal === "requested" && row.requested) {
    const input = inputOf(action);
    if (row.input === 0 || input === 0 || input === row.input || input === row.replacedInput) return;
    addRowFinding(
      findings,
      "aep/action-requested-once",
      `Action ${clipText(id, 60)} was requested before with another input.`,
      "/action/input",
      row.at,
    );
    return;
  }
  if (signal !== "requested" && !row.requested) return;
  const type = action["type"];
  if (typeof type === "string" && row.type !== "" && boundText(type) !== row.type) {
    const message = `Action ${clipText(id, 60)} is of type ${clipText(type)} here and ${clipText(row.type)} before.`;
    addRowFinding(findings, "aep/action-type-stable", message, "/action/type", row.at);
  }
  const tool = toolName(step.reading.value);
  if (tool !== "" && row.tool !== "" && tool !== row.tool) {
    const message = `Action ${clipText(id, 60)} names the tool ${clipText(tool)} here and ${clipText(row.tool)} before.`;
    addRowFinding(findings, "aep/tool-name-stable", message, "/tool/name", row.at);
  }
}

export function takeAnswer(state: ActionRows, answer: ResponseAnswer, findings: Finding[]): void {
  const { actionId: id, requestId, behavior, at } = answer;
  if (id === undefined || requestId === undefined || behavior === undefined) return;
  const key = recordKeyOf(id);
  const row = recallEntry(state.open, key) ?? recallEntry(state.done, key);
  // An answer to the outcome itself concerns the agent's next turn, not whether the action may run.
  if (row === undefined || requestId === row.outcomeId || requestId === row.denialId) return;
  if (answer.input !== 0) row.replacedInput = answer.input;
  moveRow(state, { key, row, signal: behavior, id, at }, findings);
}

interface Move {
  readonly key: string;
  readonly row: Row;
  readonly signal: RowSignal;
  readonly id: string;
  readonly at: number;
}

function moveRow(state: ActionRows, move: Move, findings: Finding[]): void {
  const { key, row, signal } = move;
  const before = row.state;
  const { state: next, breaks } = stepRow(before, signal);
  row.state = next;
  const rule = breaks === "aep/response-before-outcome" ? lateAnswerRule(move, before) : breaks;
  // A row that looks new may have been forgotten, and a forgotten row has had its request.
  if (rule !== undefined && (before !== "absent" || !hasForgottenRows(state))) {
    addRowFinding(findings, rule, brokenMessage(rule, move, before), undefined, before === "absent" ? undefined : row.at);
  }
  if (before === "absent") {
    const settled = isSettled(row.state);
    state.forgotten += keepEntry(settled ? state.done : state.open, key, row, settled ? MAX_DONE_ROWS : MAX_OPEN_ROWS);
  } else if (!isSettled(before) && isSettled(row.state)) {
    dropEntry(state.open, key);
    state.forgotten += keepEntry(state.done, key, row, MAX_DONE_ROWS);
  }
}

/** An answer that waited for its request may be processed after an outcome that was recorded later. */
function lateAnswerRule({ row, signal, at }: Move, before: RowState): AepRuleId | undefined {
  if (at > row.outcomeAt) return "aep/response-before-outcome";
  const refused = OUTCOME_OF_BEHAVIOR[signal as Behavior] === "denied";
  return refused && before !== "cancelled" ? "aep/ran-despite-denial" : undefined;
}

/** Whether records that seem missing may have been forgotten. */
export function hasForgottenRows(state: ActionRows): boolean {
  return state.resumed || state.forgotten > 0;
}

function brokenMessage(rule: AepRuleId, { id, signal }: Move, before: RowState): string {
  const subject = `Action ${clipText(id, 60)}`;
  switch (rule) {
    case "aep/outcome-needs-request":
      return `${subject} was not requested before.`;
    case "aep/one-outcome":
      if (before === "cancelled") return `${subject} was cancelled before.`;
      return `${subject} had ${isOutcome(before) ? before.replace("_", " ") : "ended"} before.`;
    case "aep/ran-despite-denial":
      return `${subject} was denied, and ran.`;
    default:
      return `${subject} had ended before the answer \`${signal}\` came.`;
  }
}

export function endRows(state: ActionRows, findings: Finding[]): void {
  for (const [key, row] of entriesOf(state.open)) {
    row.state = "unknown";
    addRowFinding(findings, "aep/request-needs-outcome", `Action ${clipText(key.slice(1), 60)} has no outcome.`, undefined, row.at);
    state.forgotten += keepEntry(state.done, key, row, MAX_DONE_ROWS);
  }
  state.open = createRecent();
}

function createRow(at: number): Row {
  return {
    state: "absent",
    at,
    requested: false,
    type: "",
    tool: "",
    input: 0,
    replacedInput: 0,
    outcomeId: "",
    outcomeAt: 0,
    denialId: "",
  };
}

/** Hash of the arguments; 0 for none. */
function inputOf(action: JsonObject): number {
  const { input } = action;
  return input === undefined || input === null ? 0 : hashContent(input);
}

function toolName(value: JsonObject): string {
  const tool = value["tool"];
  return isObject(tool) && typeof tool["name"] === "string" ? boundText(tool["name"]) : "";
}

export function addRowFinding(findings: Finding[], rule: AepRuleId, message: string, pointer?: string, since?: number): void {
  findings.push({ rule, message, ...(pointer === undefined ? {} : { pointer }), ...(since === undefined ? {} : { since }) });
}
