import { boundText, recordKeyOf } from "../brief.ts";
import { type Finding, NO_FINDINGS } from "../finding.ts";
import { isObject } from "../json.ts";
import type { ProtocolReading } from "../protocol.ts";
import { createRecent, keepEntry, type RecentEntries, recallEntry, sizeOf } from "../recent.ts";
import { defineRule } from "../rule.ts";
import { clipText } from "../schema.ts";
import type { ToldOnce } from "../told-once.ts";
import { rowSignalOf } from "./action-row.ts";
import { type ResponseAnswer, readResponseAnswer } from "./answer.ts";
import { inSession, PROMPT, part } from "./example-events.ts";
import { type ActionRows, addRowFinding, endRows, hasForgottenRows, stepAction, takeAnswer } from "./rows.ts";

export const AEP_LIFECYCLE_RULES = {
  "aep/id-unique": defineRule(["error", "recording", 0, "What AEP makes explicit", ["*", "response"]], {
    title: "An id belongs to one event of an agent.",
    hint: "A repeated delivery keeps its id and its content; a new event needs a new id.",
    code: "EVENT_ID_CONFLICT",
    examples: () => ({ passes: [PROMPT, PROMPT], fails: [PROMPT, { ...PROMPT, hook: "UserPromptSubmit" }] }),
  }),
  "aep/answer-needs-question": defineRule(["warning", "recording", 3, "Event types", ["question.answered"]], {
    title: "`question.answered` follows a question.",
    hint: "Send `question.asked` first, with the same `action.id` if there is one.",
    examples: () => ({
      passes: [
        inSession(1, "question.asked", { content: [part("question")] }),
        inSession(2, "question.answered", { content: [part("answer")] }),
      ],
      fails: [inSession(1, "session.start"), inSession(2, "question.answered", { content: [part("answer")] })],
    }),
  }),
  "aep/session-starts-once": defineRule(["warning", "recording", 3, "Event types", ["session.start"]], {
    title: "A session that is open does not start again.",
    hint: "Say in `lifecycle.source` why it starts again, such as `resume` or `compact`, or use a new `session.id`.",
    examples: () => ({
      passes: [inSession(1, "session.start"), inSession(2, "session.start", { lifecycle: { source: "resume" } })],
      fails: [inSession(1, "session.start"), inSession(2, "session.start")],
    }),
  }),
  "aep/session-ends-once": defineRule(["warning", "recording", 3, "Event types", ["session.end"]], {
    title: "A session ends once.",
    hint: "Send one `session.end`; a session that goes on begins again with `session.start`.",
    examples: () => ({
      passes: [inSession(1, "session.end"), inSession(2, "session.start"), inSession(3, "session.end")],
      fails: [inSession(1, "session.end"), inSession(2, "session.end")],
    }),
  }),
  "aep/after-session-end": defineRule(["warning", "recording", 3, "Event types", ["session.end"]], {
    title: "Nothing happens in a session that has ended.",
    hint: "Send `session.end` last, or begin the session again with `session.start`.",
    oncePerSession: true,
    examples: () => ({ passes: [PROMPT, inSession(2, "session.end")], fails: [inSession(2, "session.end"), PROMPT] }),
  }),
} as const;

/** Number of questions per session that are guaranteed to be remembered. */
export const MAX_OPEN_QUESTIONS = 256;

/** The state of a session: plain JSON that can be stored between two events and restored. */
export interface AepSessionState extends ActionRows {
  phase: "open" | "ended";
  startedAt: number;
  startedBy: string;
  endedAt: number;
  questions: RecentEntries<number>;
  /** Questions without an action id. */
  unnamedQuestions: number;
  told: ToldOnce;
}

export interface AepSessionStep {
  readonly state: AepSessionState;
  readonly findings: readonly Finding[];
}

/** `resumed` marks a session whose beginning is known to be forgotten. */
export function openAepSession(resumed = false): AepSessionState {
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
 * Processes the next event of a session, or the first response to one of its events. The given state is consumed: it is changed in place
 * and returned. The caller removes redelivered events by their id.
 */
export function stepAepSession(state: AepSessionState, reading: ProtocolReading, at: number): AepSessionStep {
  const findings: Finding[] = [];
  if (reading.kind === "message") takeAnswer(state, readResponseAnswer(reading.value, at), findings);
  else stepEvent(state, reading, at, findings);
  return { state, findings: findings.length === 0 ? NO_FINDINGS : findings };
}

/** Like `stepAepSession`, for a response of which only the answer was kept; it may have been recorded before its event. */
export function stepAnswer(state: AepSessionState, answer: ResponseAnswer): readonly Finding[] {
  const findings: Finding[] = [];
  takeAnswer(state, answer, findings);
  return findings.length === 0 ? NO_FINDINGS : findings;
}

/** Closes the session at the end of the recording: what is missing now stays missing. */
export function closeAepSession(state: AepSessionState): readonly Finding[] {
  const findings: Finding[] = [];
  endRows(state, findings);
  return findings.length === 0 ? NO_FINDINGS : findings;
}

/** Drops the finished rows of a session that ended long ago. */
export function compactSession(state: AepSessionState): void {
  state.forgotten += sizeOf(state.done) + sizeOf(state.questions);
  state.done = createRecent();
  state.questions = createRecent();
}

function stepEvent(state: AepSessionState, reading: ProtocolReading, at: number, findings: Finding[]): void {
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
    addRowFinding(findings, "aep/after-session-end", `\`${clipText(type)}\` came after the session had ended.`, "/type", state.endedAt);
  }
  const action = value["action"];
  const id = isObject(action) && typeof action["id"] === "string" ? action["id"] : undefined;
  if (isObject(action) && id !== undefined) {
    const signal = rowSignalOf(type, action);
    if (signal !== undefined) {
      stepAction(state, { reading, action, id, signal, at }, findings);
      return;
    }
  }
  if (type === "question.asked") stepQuestion(state, id, at);
  else if (type === "question.answered") stepQuestionAnswer(state, id, findings);
}

function stepStart(state: AepSessionState, reading: ProtocolReading, at: number, findings: Finding[]): void {
  const lifecycle = reading.value["lifecycle"];
  const source = isObject(lifecycle) ? lifecycle["source"] : undefined;
  const again = typeof source === "string" && source !== "startup";
  if (state.phase === "open" && state.startedBy !== "" && !again) {
    addRowFinding(findings, "aep/session-starts-once", "The session started again while it was open.", "/type", state.startedAt);
  }
  state.phase = "open";
  state.startedBy = boundText(reading.eventId ?? "?");
  state.startedAt = at;
}

function stepEnd(state: AepSessionState, at: number, findings: Finding[]): void {
  if (state.phase === "ended") {
    addRowFinding(findings, "aep/session-ends-once", "The session had ended before.", "/type", state.endedAt);
    return;
  }
  state.phase = "ended";
  state.endedAt = at;
  endRows(state, findings);
}

function stepQuestion(state: AepSessionState, id: string | undefined, at: number): void {
  if (id === undefined) {
    state.unnamedQuestions++;
    return;
  }
  const key = recordKeyOf(id);
  if (recallEntry(state.questions, key) === undefined) state.forgotten += keepEntry(state.questions, key, at, MAX_OPEN_QUESTIONS);
}

/** Checks an answer to a question. The question may have been sent as its own action, or without an id while its answer has one. */
function stepQuestionAnswer(state: AepSessionState, id: string | undefined, findings: Finding[]): void {
  if (hasForgottenRows(state) || state.unnamedQuestions > 0) return;
  if (id === undefined) {
    if (sizeOf(state.questions) > 0) return;
  } else {
    const key = recordKeyOf(id);
    if (recallEntry(state.questions, key) !== undefined || recallEntry(state.open, key) !== undefined) return;
    if (recallEntry(state.done, key) !== undefined) return;
  }
  addRowFinding(findings, "aep/answer-needs-question", "No question was heard that this could answer.", "/type");
}
