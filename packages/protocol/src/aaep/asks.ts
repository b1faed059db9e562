import { hashText } from "../hash-text.ts";
import { isObject, type JsonObject } from "../json.ts";
import { defineRule } from "../rule.ts";
import {
  accept,
  again,
  asked,
  both,
  completed,
  confirm,
  full,
  reject,
  state,
  swap,
  thinking,
  waiting,
  whileAsked,
} from "./example-events.ts";
import { AAEP_SESSION_LIMITS, type AaepSessionState } from "./session-state.ts";
import { type AaepSignal, type NoteFinding, readTextField } from "./signal.ts";
import { type AgentState, quoteState } from "./states.ts";

const ASKED = ["agent.awaiting.confirmation"];
const REPLY = ["confirmation.reply"];

const QUESTION = ["agent.awaiting.clarification"];
export const ASKS_RULES = {
  "aaep/accepted-action-invoked": defineRule(["error", "recording", 2, "§4.5.3, A.4", REPLY], {
    title: "An accepted action is announced with `tool.invoked`.",
    hint: "Emit tool.invoked for the action before performing it.",
    needs: ["agent.tool.invoked"],
    examples: () =>
      both(full(...accept), full(...accept.slice(0, 4), state("awaiting_input", "thinking", { summary_normal: "You agreed." }))),
  }),
  "aaep/rejection-reported": defineRule(["error", "recording", 2, "§4.5.3, §6.1, §9.4.1", REPLY], {
    title: "A rejected action is followed by an event that says so.",
    hint: "Emit state.changed back to thinking or deciding with a summary, before the session completes.",
    needs: ["agent.state.changed"],
    examples: () => both(full(...reject), full(...reject.slice(0, 4))),
  }),
  "aaep/awaiting-state-before": defineRule(["warning", "recording", 2, "A.4", ASKED], {
    title: "The state is `awaiting_input` when a confirmation is asked for.",
    hint: "Emit state.changed into awaiting_input first.",
    oncePerSession: true,
    needs: ["agent.state.changed"],
    examples: () =>
      both(
        full(...accept),
        full(
          thinking,
          ...accept.slice(2, 4),
          state("awaiting_input", "calling_tool", { summary_normal: "You agreed." }),
          ...accept.slice(5),
        ),
      ),
  }),
  "aaep/awaiting-state-after": defineRule(["warning", "recording", 2, "A.4, §6.7.2", ["confirmation.reply", "clarification.reply"]], {
    title: "After an answer the state leaves `awaiting_input`.",
    hint: "Emit state.changed to calling_tool or thinking, with a summary of the answer.",
    oncePerSession: true,
    needs: ["agent.state.changed"],
    examples: () => both(full(...accept), full(...accept.slice(0, 4), ...accept.slice(5))),
  }),
  "aaep/confirmation-not-repeated": defineRule(["error", "recording", 2, "§6.1", ASKED], {
    title: "The same action is not asked about twice while the first question is open.",
    hint: "Wait for the answer or the timeout before asking again.",
    needs: ["agent.state.changed"],
    examples: () => both(full(...accept), full(thinking, waiting, confirm("rpl_2"), ...accept.slice(2))),
  }),
  "aaep/reply-token-unique": defineRule(["error", "recording", 2, "§6.2", [...ASKED, ...QUESTION]], {
    title: "A `reply_token` is used for one question only.",
    hint: "Make a new random token per question and never reuse one.",
    examples: () => both(full(...accept, ...again("rpl_2")), full(...accept, ...again("rpl_1"))),
  }),
  "aaep/outcome-announced": defineRule(["info", "recording", 2, "§5.9, §6.7.2", REPLY], {
    title: "Everybody learns how a question was settled.",
    hint: "Emit state.changed with a summary after the answer.",
    oncePerSession: true,
    needs: ["agent.state.changed"],
    examples: () => both(full(...accept), full(...swap(accept, 4, state("awaiting_input", "calling_tool")))),
  }),
  "aaep/clarification-followed": defineRule(["error", "recording", 2, "§9.4.1", ["clarification.reply"]], {
    title: "An answered clarification is followed by an event.",
    hint: "Emit state.changed out of awaiting_input before the session completes.",
    needs: ["agent.state.changed"],
    examples: () => both(full(...asked()), full(...asked().slice(0, 4))),
  }),
  "aaep/question-left-open": defineRule(["warning", "recording", 2, "§4.4.2, §6.1, A.7.6", [...ASKED, ...QUESTION]], {
    title: "A session does not complete while somebody is being asked.",
    hint: "Wait for the answer or the timeout, or withdraw the question with a state change, before completing.",
    examples: () => both(full(...accept), whileAsked({}, completed())),
  }),
} as const;

/**
 * State of a question. `presumed` exists only while no reply has been recorded: the answer is unknown, and the state moved on to the
 * tool. A default is kept apart from an answer, because silence must not start some actions.
 */
export type AskState = "open" | "accepted" | "rejected" | "answered" | "defaulted-accept" | "defaulted-reject" | "presumed" | "withdrawn";
export type AskSignal = "accept" | "reject" | "answer" | "lapse-accept" | "lapse-reject" | "proceed" | "withdraw";

const stays = (state: AskState): Record<AskSignal, AskState> => ({
  accept: state,
  reject: state,
  answer: state,
  "lapse-accept": state,
  "lapse-reject": state,
  proceed: state,
  withdraw: state,
});

/** A question settles once; later signals leave it unchanged. */
export const ASK_STEPS: Record<AskState, Record<AskSignal, AskState>> = {
  open: {
    accept: "accepted",
    reject: "rejected",
    answer: "answered",
    "lapse-accept": "defaulted-accept",
    "lapse-reject": "defaulted-reject",
    proceed: "presumed",
    withdraw: "withdrawn",
  },
  accepted: stays("accepted"),
  rejected: stays("rejected"),
  answered: stays("answered"),
  "defaulted-accept": stays("defaulted-accept"),
  "defaulted-reject": stays("defaulted-reject"),
  presumed: stays("presumed"),
  withdrawn: stays("withdrawn"),
};

export interface OpenAsk {
  readonly kind: "confirmation" | "clarification";
  readonly token: string;
  readonly at: number;
  readonly agentId: string;
  readonly askedMs: number | null;
  readonly deadlineMs: number | null;
  readonly lapse: "lapse-accept" | "lapse-reject";
  /** The beginning of the action text, to recognize the tool in it, and a hash of the whole text, to recognize a repetition. */
  readonly action: string;
  readonly actionHash: number;
  /** The link to the call, if the producer mirrors it in `extra_context`. */
  readonly tool: string | null;
  readonly callId: string | null;
  readonly risk: string | null;
  /** Whether the question calls its action irreversible; null if it does not say. */
  readonly irreversible: boolean | null;
  readonly allowed: readonly string[] | null;
  readonly kinds: readonly string[];
  readonly choices: readonly string[];
  state: AskState;
  /** An irreversible invocation used up the accept, or used up an answer that was not recorded. */
  used: boolean;
  /** An invocation followed the accept. */
  followed: boolean;
  /** An event followed the answer, so the answer did not go unreported. */
  reported: boolean;
  /** A `state.changed` with a summary followed the answer. */
  announced: boolean;
  /** The state moved from awaiting_input to calling_tool without an accept. */
  proceeded: boolean;
  /** The session continued: the state left awaiting_input, or a tool was invoked. */
  left: boolean;
  /** An accept arrived after the question was settled otherwise. */
  lateAccept: boolean;
  progressHeard: boolean;
  /** Time at which a tool was invoked, or the state moved to calling_tool, while a clarification was open. */
  wentOnMs?: number | null;
  /** Time at which the state moved on without the action, while no reply had been recorded in the session. */
  droppedMs?: number | null;
}

export function openAsk(session: AaepSessionState, agent: AgentState, signal: AaepSignal, note: NoteFinding): void {
  const { value } = signal;
  const kind = signal.type === "agent.awaiting.confirmation" ? "confirmation" : "clarification";
  const action = readTextField(value, kind === "confirmation" ? "action" : "question") ?? "";
  const actionHash = hashText(action, 0x2545f491);
  if (kind === "confirmation") {
    const repeated = session.asks.find((other) => other.kind === kind && other.actionHash === actionHash && isPending(other, signal));
    if (repeated !== undefined && action !== "") {
      note("aaep/confirmation-not-repeated", `${quoteState(action)} is asked again while the first question is open.`, {
        pointer: "/action",
        since: repeated.at,
      });
    }
    if (agent.current !== "awaiting_input") {
      note("aaep/awaiting-state-before", `A confirmation is asked for in state ${quoteState(agent.current)}.`);
    }
  }
  const timeout = value["timeout_seconds"];
  const context = value["extra_context"];
  const asked: OpenAsk = {
    kind,
    token: readTextField(value, "reply_token") ?? "",
    at: signal.at,
    agentId: signal.agentId,
    askedMs: signal.ms ?? null,
    deadlineMs: signal.ms !== undefined && typeof timeout === "number" ? signal.ms + timeout * 1000 : null,
    lapse: value["default_decision"] === "accept" ? "lapse-accept" : "lapse-reject",
    action: action.slice(0, 512),
    actionHash,
    tool: isObject(context) ? (readTextField(context, "tool") ?? null) : null,
    callId: isObject(context) ? callIdOf(context) : null,
    risk: readTextField(value, "risk_level") ?? null,
    irreversible: irreversibilityOf(value),
    allowed: strings(value["allowed_replies"]),
    kinds: strings(value["accepted_response_kinds"]) ?? ["freetext"],
    choices: choiceValues(value["choices"]),
    state: "open",
    used: false,
    followed: false,
    reported: false,
    announced: false,
    proceeded: false,
    left: false,
    lateAccept: false,
    progressHeard: false,
  };
  if (session.asks.length >= AAEP_SESSION_LIMITS.asks) forgetOne(session);
  session.asks.push(asked);
}

/**
 * Settles a question whose deadline has passed. An unanswered clarification is not a rejection: the session continues without the answer,
 * or ends.
 */
export function lapseAsk(asked: OpenAsk): void {
  settleAsk(asked, asked.kind === "confirmation" ? asked.lapse : "withdraw");
}

/** Settles overdue questions by their default. Called before every event of the session. */
export function lapseAsks(session: AaepSessionState, signal: AaepSignal): void {
  if (!signal.repliesRecorded || signal.ms === undefined) return;
  for (const asked of session.asks) {
    // Each agent has its own clock: only events of the asking agent show that the deadline has passed.
    if (asked.state !== "open" || asked.used || asked.agentId !== signal.agentId) continue;
    if (!isAskOverdue(asked, signal)) continue;
    lapseAsk(asked);
    // The deadline is noticed late, because no reply had been recorded so far: the session has continued since.
    if (asked.left || (session.lastMs ?? 0) >= (asked.deadlineMs ?? 0)) asked.reported = true;
  }
}

/** A state change may settle a question or report how it was settled. */
export function moveAsks(session: AaepSessionState, signal: AaepSignal): void {
  const from = readTextField(signal.value, "from_state");
  const to = readTextField(signal.value, "to_state");
  const leaves = from === "awaiting_input" && to !== "awaiting_input";
  // A question whose action has begun is no longer waiting, even without a recorded answer.
  const open = session.asks.filter((asked) => asked.agentId === signal.agentId && asked.state === "open" && !asked.used);
  const [only] = open;
  // The change may report another question that was just settled; this one then stays open.
  const explained = session.asks.some((asked) => asked.agentId === signal.agentId && asked.state !== "open" && !asked.reported);
  if (leaves && only !== undefined && open.length === 1 && !explained) {
    if (!signal.repliesRecorded) {
      if (to === "calling_tool") settleAsk(only, "proceed");
      else if (to === "thinking" || to === "deciding") only.droppedMs ??= signal.ms ?? null;
    } else if (to === "thinking" || to === "deciding") {
      settleAsk(only, "withdraw");
    } else if (to === "calling_tool") {
      only.proceeded = true;
    }
  }
  const summarised = ["summary_terse", "summary_normal", "summary_detailed"].some(
    (field) => readTextField(signal.value, field) !== undefined,
  );
  for (const asked of session.asks) {
    if (leaves && asked.agentId === signal.agentId) asked.left = true;
    if (asked.state === "open") continue;
    if (summarised) asked.announced = true;
    if (leaves && isAskRefused(asked) && !asked.reported && to === "calling_tool") asked.proceeded = true;
  }
}

/** Marks every settled question as followed up by this event. The bare end of a session is not a follow-up. */
export function followUpAsks(session: AaepSessionState, signal: AaepSignal, note: NoteFinding): void {
  for (const asked of session.asks) {
    if (signal.type === "agent.tool.invoked" && asked.agentId === signal.agentId) asked.left = true;
    const goesOn = signal.type === "agent.tool.invoked" || (signal.type === "agent.state.changed" && leavesForTool(signal));
    if (asked.kind === "clarification" && asked.agentId === signal.agentId && goesOn && !isAskOverdue(asked, signal)) {
      if (asked.state === "open" || asked.state === "presumed") asked.wentOnMs ??= signal.ms ?? null;
    }
    if (asked.state === "open") {
      if (signal.type === "agent.progress.updated") asked.progressHeard = true;
      if (signal.type === "agent.session.completed" && signal.repliesRecorded && !asked.used) {
        note("aaep/question-left-open", `The session completes while ${quoteState(asked.action)} waits for an answer.`, {
          since: asked.at,
        });
      }
      continue;
    }
    if (asked.reported) continue;
    if (signal.type === "agent.session.completed") noteUnreported(asked, signal, note);
    asked.reported = true;
  }
}

function leavesForTool({ value }: AaepSignal): boolean {
  return readTextField(value, "from_state") === "awaiting_input" && readTextField(value, "to_state") === "calling_tool";
}

/** Reports settled questions that a completed session did not follow up. */
export function noteUnfollowedAsks(session: AaepSessionState, signal: AaepSignal, note: NoteFinding): void {
  for (const asked of session.asks) {
    const since = { since: asked.at };
    const began = asked.state === "accepted" || (asked.state === "defaulted-accept" && signal.repliesRecorded);
    if (began && asked.kind === "confirmation" && !asked.followed) {
      const how = asked.state === "accepted" ? "was accepted" : "was accepted by default";
      note(
        "aaep/accepted-action-invoked",
        `${quoteState(asked.action)} ${how}, and no tool was invoked before the session completed.`,
        since,
      );
    }
    if ((asked.state === "accepted" || asked.state === "rejected") && !asked.announced) {
      note(
        "aaep/outcome-announced",
        `The answer to ${quoteState(asked.action)} was not announced by a state change with a summary.`,
        since,
      );
    }
  }
}

export function isAskRefused(asked: OpenAsk): boolean {
  return asked.state === "rejected" || asked.state === "defaulted-reject";
}

export function isAskOverdue(asked: OpenAsk, signal: AaepSignal): boolean {
  return asked.deadlineMs !== null && signal.ms !== undefined && signal.ms >= asked.deadlineMs;
}

/** Whether the question still waits for an answer. Without recorded replies, a session that continued counts as answered. */
function isPending(asked: OpenAsk, signal: AaepSignal): boolean {
  if (asked.state !== "open" || asked.used || !signal.canReply) return false;
  return signal.repliesRecorded || (!asked.left && !isAskOverdue(asked, signal));
}

/** Makes room by dropping a finished question, or else the oldest one; after that, answers may be missed. */
function forgetOne(session: AaepSessionState): void {
  const done = session.asks.findIndex(isDone);
  if (done < 0) session.asksForgotten = true;
  session.asks.splice(Math.max(done, 0), 1);
}

/** Drops the oldest finished questions while there are more than `capacity`. */
export function forgetFinishedAsks(session: AaepSessionState, capacity: number): void {
  let excess = session.asks.length - capacity;
  if (excess > 0) session.asks = session.asks.filter((asked) => !isDone(asked) || excess-- <= 0);
}

function isDone(asked: OpenAsk): boolean {
  return asked.used || (isAskRefused(asked) && asked.reported) || asked.state === "answered" || asked.state === "withdrawn";
}

export function settleAsk(asked: OpenAsk, signal: AskSignal): void {
  asked.state = ASK_STEPS[asked.state][signal];
}

function noteUnreported(asked: OpenAsk, signal: AaepSignal, note: NoteFinding): void {
  const since = { since: asked.at };
  if (asked.state === "answered") {
    note(
      "aaep/clarification-followed",
      `${quoteState(asked.action)} was answered, and the session completes with no event in between.`,
      since,
    );
  } else if (asked.state === "rejected" || (asked.state === "defaulted-reject" && signal.repliesRecorded)) {
    note("aaep/rejection-reported", `${quoteState(asked.action)} was rejected, and the session completes without saying so.`, since);
  }
}

/** Returns the mirrored call id. A value of any other form is the producer's own data. */
function callIdOf(context: JsonObject): string | null {
  const id = readTextField(context, "tool_call_id");
  return id !== undefined && /^call_[A-Za-z0-9]{1,64}$/.test(id) ? id : null;
}

function irreversibilityOf(value: JsonObject): boolean | null {
  const { irreversible, reversibility } = value;
  if (irreversible === true || reversibility === "irreversible") return true;
  return irreversible === false || typeof reversibility === "string" ? false : null;
}

function strings(value: unknown): string[] | null {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string").slice(0, 32) : null;
}

function choiceValues(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((choice) => (isObject(choice) && typeof choice["value"] === "string" ? [choice["value"]] : [])).slice(0, 32);
}
