import { type Finding, NO_FINDINGS } from "../finding.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { Reading } from "../protocol.ts";
import { clip } from "../schema.ts";
import type { ToldOnce } from "../teller.ts";
import { isOutcome, isSettled, ROW_STEPS, type RowSignal, type RowState, signalOf } from "./action-row.ts";
import { type Answer, readAnswer } from "./answer.ts";
import { brief, createRecent, drop, entriesOf, hashJson, keep, keyOf, type Recent, recall, sizeOf } from "./recent.ts";
import type { AepRuleId } from "./rules.ts";
import { type Behavior, OUTCOME_OF_BEHAVIOR } from "./types.ts";

/** How much of a session is remembered for certain; up to twice as much is kept. */
export const OPEN_ROWS = 1024;
export const DONE_ROWS = 2048;
export const OPEN_QUESTIONS = 256;

/** What is remembered of one action. Empty text and 0 stand for what was not heard. */
interface Row {
  state: RowState;
  /** Place of the first event about it. */
  at: number;
  requested: boolean;
  type: string;
  tool: string;
  /** Hash of the input that was requested, and of the one that a response put in its place. */
  input: number;
  replacedInput: number;
  outcomeId: string;
  /** Place of the outcome. */
  outcomeAt: number;
  denialId: string;
}

/** A session so far: plain JSON, so that it can be stored between two events and taken up again. */
export interface SessionState {
  phase: "open" | "ended";
  startedAt: number;
  startedBy: string;
  endedAt: number;
  open: Recent<Row>;
  done: Recent<Row>;
  questions: Recent<number>;
  /** Questions without an action id. */
  unnamedQuestions: number;
  /** Its beginning is known to have been forgotten. */
  resumed: boolean;
  /** How many rows and questions had to be forgotten. */
  forgotten: number;
  told: ToldOnce;
}

export interface SessionStep {
  readonly state: SessionState;
  readonly findings: readonly Finding[];
}

/** `resumed` for a session whose beginning is known to have been forgotten. */
export function openSession(resumed = false): SessionState {
  return {
    phase: "open",
    startedAt: 0,
    startedBy: "",
    endedAt: 0,
    open: createRecent(),
    done: createRecent(),
    questions: createRecent(),
    unnamedQuestions: 0,
    resumed,
    forgotten: 0,
    told: {},
  };
}

/**
 * Takes the next event of a session, or the first response to one of its events. The given state is consumed: it is
 * changed in place and returned. Redelivered events must be left out before, by their id.
 */
export function stepSession(state: SessionState, reading: Reading, at: number): SessionStep {
  const findings: Finding[] = [];
  if (reading.kind === "message") takeAnswer(state, readAnswer(reading.value, at), findings);
  else stepEvent(state, reading, at, findings);
  return { state, findings: findings.length === 0 ? NO_FINDINGS : findings };
}

/** The same for a response of which only what it says was kept; it may have been recorded before its event. */
export function stepAnswer(state: SessionState, answer: Answer): readonly Finding[] {
  const findings: Finding[] = [];
  takeAnswer(state, answer, findings);
  return findings.length === 0 ? NO_FINDINGS : findings;
}

/** The recording is over: what is missing now stays missing. */
export function closeSession(state: SessionState): readonly Finding[] {
  const findings: Finding[] = [];
  endRows(state, findings);
  return findings.length === 0 ? NO_FINDINGS : findings;
}

/** Lets go of the finished rows: for a session that ended long ago. */
export function compactSession(state: SessionState): void {
  state.forgotten += sizeOf(state.done) + sizeOf(state.questions);
  state.done = createRecent();
  state.questions = createRecent();
}

/** What is known about an action of the session. */
export function rowState(state: SessionState, actionId: string): RowState {
  const key = keyOf(actionId);
  return (recall(state.open, key) ?? recall(state.done, key))?.state ?? "absent";
}

function stepEvent(state: SessionState, reading: Reading, at: number, findings: Finding[]): void {
  const { type, value } = reading;
  if (type === "session.start") {
    stepStart(state, reading, at, findings);
    return;
  }
  if (type === "session.end") {
    stepEnd(state, at, findings);
    return;
  }
  if (state.phase === "ended") {
    tell(findings, "aep/after-session-end", `\`${clip(type)}\` came after the session had ended.`, "/type", state.endedAt);
  }
  const action = value["action"];
  const id = isObject(action) && typeof action["id"] === "string" ? action["id"] : undefined;
  if (isObject(action) && id !== undefined) {
    const signal = signalOf(type, action);
    if (signal !== undefined) {
      stepAction(state, { reading, action, id, signal, at }, findings);
      return;
    }
  }
  if (type === "question.asked") stepQuestion(state, id, at);
  else if (type === "question.answered") stepQuestionAnswer(state, id, findings);
}

function stepStart(state: SessionState, reading: Reading, at: number, findings: Finding[]): void {
  const lifecycle = reading.value["lifecycle"];
  const source = isObject(lifecycle) ? lifecycle["source"] : undefined;
  const again = typeof source === "string" && source !== "startup";
  if (state.phase === "open" && state.startedBy !== "" && !again) {
    tell(findings, "aep/session-starts-once", "The session started again while it was open.", "/type", state.startedAt);
  }
  state.phase = "open";
  state.startedBy = brief(reading.eventId ?? "?");
  state.startedAt = at;
}

function stepEnd(state: SessionState, at: number, findings: Finding[]): void {
  if (state.phase === "ended") {
    tell(findings, "aep/session-ends-once", "The session had ended before.", "/type", state.endedAt);
    return;
  }
  state.phase = "ended";
  state.endedAt = at;
  endRows(state, findings);
}

interface ActionStep {
  readonly reading: Reading;
  readonly action: JsonObject;
  readonly id: string;
  readonly signal: RowSignal;
  readonly at: number;
}

function stepAction(state: SessionState, step: ActionStep, findings: Finding[]): void {
  const { action, id, signal } = step;
  const key = keyOf(id);
  const known = recall(state.open, key) ?? recall(state.done, key);
  const row = known ?? createRow(step.at);
  if (known !== undefined) compareWithRow(row, step, findings);
  if (row.type === "" && typeof action["type"] === "string") row.type = brief(action["type"]);
  if (row.tool === "") row.tool = toolName(step.reading.value);
  moveRow(state, { key, row, signal, id, at: step.at }, findings);
  const eventId = brief(step.reading.eventId ?? "");
  if (signal === "requested") row.requested = true;
  else if (signal === "denied") row.denialId = eventId;
  else {
    row.outcomeId = eventId;
    if (row.outcomeAt === 0) row.outcomeAt = step.at;
  }
  if (signal === "requested" && row.input === 0) row.input = inputOf(action);
}

/** Two records of one action that say different things about it. */
function compareWithRow(row: Row, step: ActionStep, findings: Finding[]): void {
  const { action, signal, id } = step;
  if (signal === "requested" && row.requested) {
    const input = inputOf(action);
    if (row.input === 0 || input === 0 || input === row.input || input === row.replacedInput) return;
    tell(findings, "aep/action-requested-once", `Action ${clip(id, 60)} was requested before with another input.`, "/action/input", row.at);
    return;
  }
  if (signal !== "requested" && !row.requested) return;
  const type = action["type"];
  if (typeof type === "string" && row.type !== "" && brief(type) !== row.type) {
    const message = `Action ${clip(id, 60)} is of type ${clip(type)} here and ${clip(row.type)} before.`;
    tell(findings, "aep/action-type-stable", message, "/action/type", row.at);
  }
  const tool = toolName(step.reading.value);
  if (tool !== "" && row.tool !== "" && tool !== row.tool) {
    const message = `Action ${clip(id, 60)} names the tool ${clip(tool)} here and ${clip(row.tool)} before.`;
    tell(findings, "aep/tool-name-stable", message, "/tool/name", row.at);
  }
}

function takeAnswer(state: SessionState, answer: Answer, findings: Finding[]): void {
  const { actionId: id, requestId, behavior, at } = answer;
  if (id === undefined || requestId === undefined || behavior === undefined) return;
  const key = keyOf(id);
  const row = recall(state.open, key) ?? recall(state.done, key);
  // An answer to the outcome itself is about the agent's next turn, not about whether the action may run.
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

function moveRow(state: SessionState, move: Move, findings: Finding[]): void {
  const { key, row, signal } = move;
  const before = row.state;
  const next = ROW_STEPS[before][signal];
  if (typeof next === "string") {
    row.state = next;
  } else {
    row.state = next.becomes;
    const rule = next.breaks === "aep/response-before-outcome" ? lateAnswerRule(move, before) : next.breaks;
    // A row that looks new may have been forgotten, and a forgotten row has had its request.
    if (rule !== undefined && (before !== "absent" || !isForgetful(state))) {
      tell(findings, rule, brokenMessage(rule, move, before), undefined, before === "absent" ? undefined : row.at);
    }
  }
  if (before === "absent") {
    const settled = isSettled(row.state);
    state.forgotten += keep(settled ? state.done : state.open, key, row, settled ? DONE_ROWS : OPEN_ROWS);
  } else if (!isSettled(before) && isSettled(row.state)) {
    drop(state.open, key);
    state.forgotten += keep(state.done, key, row, DONE_ROWS);
  }
}

/** An answer that waited for its request may be heard after an outcome that was recorded behind it. */
function lateAnswerRule({ row, signal, at }: Move, before: RowState): AepRuleId | undefined {
  if (at > row.outcomeAt) return "aep/response-before-outcome";
  const refused = OUTCOME_OF_BEHAVIOR[signal as Behavior] === "denied";
  return refused && before !== "cancelled" ? "aep/ran-despite-denial" : undefined;
}

/** Whether what looks missing may have been there. */
function isForgetful(state: SessionState): boolean {
  return state.resumed || state.forgotten > 0;
}

function brokenMessage(rule: AepRuleId, { id, signal }: Move, before: RowState): string {
  const subject = `Action ${clip(id, 60)}`;
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

function endRows(state: SessionState, findings: Finding[]): void {
  for (const [key, row] of entriesOf(state.open)) {
    row.state = "unknown";
    tell(findings, "aep/request-needs-outcome", `Action ${clip(key.slice(1), 60)} has no outcome.`, undefined, row.at);
    state.forgotten += keep(state.done, key, row, DONE_ROWS);
  }
  state.open = createRecent();
}

function stepQuestion(state: SessionState, id: string | undefined, at: number): void {
  if (id === undefined) {
    state.unnamedQuestions++;
    return;
  }
  const key = keyOf(id);
  if (recall(state.questions, key) === undefined) state.forgotten += keep(state.questions, key, at, OPEN_QUESTIONS);
}

/** A question may also have been put as an action of its own, or without an id while its answer has one. */
function stepQuestionAnswer(state: SessionState, id: string | undefined, findings: Finding[]): void {
  if (isForgetful(state) || state.unnamedQuestions > 0) return;
  if (id === undefined) {
    if (sizeOf(state.questions) > 0) return;
  } else {
    const key = keyOf(id);
    if (recall(state.questions, key) !== undefined || recall(state.open, key) !== undefined) return;
    if (recall(state.done, key) !== undefined) return;
  }
  tell(findings, "aep/answer-needs-question", "No question was heard that this could answer.", "/type");
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

/** Hash of the arguments, 0 for none. */
function inputOf(action: JsonObject): number {
  const { input } = action;
  return input === undefined || input === null ? 0 : hashJson(input);
}

function toolName(value: JsonObject): string {
  const tool = value["tool"];
  return isObject(tool) && typeof tool["name"] === "string" ? brief(tool["name"]) : "";
}

function tell(findings: Finding[], rule: AepRuleId, message: string, pointer?: string, since?: number): void {
  findings.push({ rule, message, ...(pointer === undefined ? {} : { pointer }), ...(since === undefined ? {} : { since }) });
}
