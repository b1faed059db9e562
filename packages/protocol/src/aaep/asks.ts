import { hashText } from "../hash-text.ts";
import { isObject, type JsonObject } from "../json.ts";
import { rule } from "../rule.ts";
import {
  accept,
  accepted,
  again,
  asked,
  both,
  completed,
  confirm,
  full,
  recording,
  reject,
  request,
  started,
  state,
  swap,
  thinking,
  waiting,
} from "./example-events.ts";
import { type AaepSession, LIMITS } from "./session-state.ts";
import { type Note, type Signal, text } from "./signal.ts";
import { type AgentState, quote } from "./states.ts";

const ASKED = ["agent.awaiting.confirmation"];
const REPLY = ["confirmation.reply"];

const QUESTION = ["agent.awaiting.clarification"];
export const ASKS_RULES = {
  "aaep/accepted-action-invoked": rule(["error", "recording", 2, "§4.5.3, A.4", REPLY], {
    title: "An accepted action is announced with `tool.invoked`.",
    hint: "Emit tool.invoked for the action before performing it.",
    needs: ["agent.tool.invoked"],
    examples: () =>
      both(full(...accept), full(...accept.slice(0, 4), state("awaiting_input", "thinking", { summary_normal: "You agreed." }))),
  }),
  "aaep/rejection-reported": rule(["error", "recording", 2, "§4.5.3, §6.1, §9.4.1", REPLY], {
    title: "A rejected action is followed by an event that says so.",
    hint: "Emit state.changed back to thinking or deciding with a summary, before the session completes.",
    needs: ["agent.state.changed"],
    examples: () => both(full(...reject), full(...reject.slice(0, 4))),
  }),
  "aaep/awaiting-state-before": rule(["warning", "recording", 2, "A.4", ASKED], {
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
  "aaep/awaiting-state-after": rule(["warning", "recording", 2, "A.4, §6.7.2", ["confirmation.reply", "clarification.reply"]], {
    title: "After an answer the state leaves `awaiting_input`.",
    hint: "Emit state.changed to calling_tool or thinking, with a summary of the answer.",
    oncePerSession: true,
    needs: ["agent.state.changed"],
    examples: () => both(full(...accept), full(...accept.slice(0, 4), ...accept.slice(5))),
  }),
  "aaep/confirmation-not-repeated": rule(["error", "recording", 2, "§6.1", ASKED], {
    title: "The same action is not asked about twice while the first question is open.",
    hint: "Wait for the answer or the timeout before asking again.",
    needs: ["agent.state.changed"],
    examples: () => both(full(...accept), full(thinking, waiting, confirm("rpl_2"), ...accept.slice(2))),
  }),
  "aaep/reply-token-unique": rule(["error", "recording", 2, "§6.2", [...ASKED, ...QUESTION]], {
    title: "A `reply_token` is used for one question only.",
    hint: "Make a new random token per question and never reuse one.",
    examples: () => both(full(...accept, ...again("rpl_2")), full(...accept, ...again("rpl_1"))),
  }),
  "aaep/outcome-announced": rule(["info", "recording", 2, "§5.9, §6.7.2", REPLY], {
    title: "Everybody learns how a question was settled.",
    hint: "Emit state.changed with a summary after the answer.",
    oncePerSession: true,
    needs: ["agent.state.changed"],
    examples: () => both(full(...accept), full(...swap(accept, 4, state("awaiting_input", "calling_tool")))),
  }),
  "aaep/clarification-followed": rule(["error", "recording", 2, "§9.4.1", ["clarification.reply"]], {
    title: "An answered clarification is followed by an event.",
    hint: "Emit state.changed out of awaiting_input before the session completes.",
    needs: ["agent.state.changed"],
    examples: () => both(full(...asked()), full(...asked().slice(0, 4))),
  }),
  "aaep/question-left-open": rule(["warning", "recording", 2, "§4.4.2, §6.1, A.7.6", [...ASKED, ...QUESTION]], {
    title: "A session does not complete while somebody is being asked.",
    hint: "Wait for the answer or the timeout, or withdraw the question with a state change, before completing.",
    examples: () => both(full(...accept), recording(request(), accepted(), started(), thinking, waiting, confirm("rpl_1"), completed())),
  }),
} as const;

/**
 * How a question stands. `presumed` exists while no reply has been recorded: the answer is not known, and the state
 * moved on to the tool. A default is kept apart from an answer, because some actions may not be started by silence.
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

/** A question is settled once: from then on every signal leaves it as it is. */
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

export interface Ask {
  readonly kind: "confirmation" | "clarification";
  readonly token: string;
  readonly at: number;
  readonly agentId: string;
  readonly askedMs: number | null;
  readonly deadlineMs: number | null;
  readonly lapse: "lapse-accept" | "lapse-reject";
  /** The first words of the action, to recognise the tool in them, and a hash of all of it, to recognise a repetition. */
  readonly action: string;
  readonly actionHash: number;
  /** The link to the call, when the producer mirrors it in `extra_context`. */
  readonly tool: string | null;
  readonly callId: string | null;
  readonly risk: string | null;
  /** What the question says about its action: null when it does not say. */
  readonly irreversible: boolean | null;
  readonly allowed: readonly string[] | null;
  readonly kinds: readonly string[];
  readonly choices: readonly string[];
  state: AskState;
  /** An accept was spent on an irreversible invocation, or an answer that was not recorded is taken to have been. */
  used: boolean;
  /** Some invocation followed the accept. */
  followed: boolean;
  /** Some event followed the answer, so that it was not passed over in silence. */
  reported: boolean;
  /** `state.changed` with a summary followed the answer. */
  announced: boolean;
  /** The state moved from awaiting_input to calling_tool although nobody said yes. */
  proceeded: boolean;
  /** The session went on: the state left awaiting_input, or a tool was invoked. */
  left: boolean;
  /** An accept came after the question had been settled otherwise. */
  lateAccept: boolean;
  progressHeard: boolean;
  /** When a tool was invoked, or the state moved on to one, while a clarification was open. */
  wentOnMs?: number | null;
  /** When the state moved on without the action, and no reply had been recorded in the session. */
  droppedMs?: number | null;
}

export function ask(session: AaepSession, agent: AgentState, signal: Signal, note: Note): void {
  const { value } = signal;
  const kind = signal.type === "agent.awaiting.confirmation" ? "confirmation" : "clarification";
  const action = text(value, kind === "confirmation" ? "action" : "question") ?? "";
  const actionHash = hashText(action, 0x2545f491);
  if (kind === "confirmation") {
    const repeated = session.asks.find((other) => other.kind === kind && other.actionHash === actionHash && isPending(other, signal));
    if (repeated !== undefined && action !== "") {
      note("aaep/confirmation-not-repeated", `${quote(action)} is asked again while the first question is open.`, {
        pointer: "/action",
        since: repeated.at,
      });
    }
    if (agent.current !== "awaiting_input") {
      note("aaep/awaiting-state-before", `A confirmation is asked for in state ${quote(agent.current)}.`);
    }
  }
  const timeout = value["timeout_seconds"];
  const context = value["extra_context"];
  const asked: Ask = {
    kind,
    token: text(value, "reply_token") ?? "",
    at: signal.at,
    agentId: signal.agentId,
    askedMs: signal.ms ?? null,
    deadlineMs: signal.ms !== undefined && typeof timeout === "number" ? signal.ms + timeout * 1000 : null,
    lapse: value["default_decision"] === "accept" ? "lapse-accept" : "lapse-reject",
    action: action.slice(0, 512),
    actionHash,
    tool: isObject(context) ? (text(context, "tool") ?? null) : null,
    callId: isObject(context) ? callIdOf(context) : null,
    risk: text(value, "risk_level") ?? null,
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
  if (session.asks.length >= LIMITS.asks) forgetOne(session);
  session.asks.push(asked);
}

/** Its time has run out. A clarification that nobody answered is nobody's refusal: the session goes on without, or ends. */
export function lapse(asked: Ask): void {
  settle(asked, asked.kind === "confirmation" ? asked.lapse : "withdraw");
}

/** Called before every event of the session: whose time has run out is settled by its default. */
export function lapseAsks(session: AaepSession, signal: Signal): void {
  if (!signal.repliesRecorded || signal.ms === undefined) return;
  for (const asked of session.asks) {
    // Each agent has a clock of its own: only the asking one's says that the time is over.
    if (asked.state !== "open" || asked.used || asked.agentId !== signal.agentId) continue;
    if (!isOverdue(asked, signal)) continue;
    lapse(asked);
    // Noticed late, because no reply had been recorded so far: the session has gone on since the deadline.
    if (asked.left || (session.lastMs ?? 0) >= (asked.deadlineMs ?? 0)) asked.reported = true;
  }
}

/** A state change may settle a question, or tell everybody how it was settled. */
export function moveAsks(session: AaepSession, signal: Signal): void {
  const from = text(signal.value, "from_state");
  const to = text(signal.value, "to_state");
  const leaves = from === "awaiting_input" && to !== "awaiting_input";
  // One whose action has begun is not waiting, although no answer was heard.
  const open = session.asks.filter((asked) => asked.agentId === signal.agentId && asked.state === "open" && !asked.used);
  const [only] = open;
  // The change may tell of another question that was just settled; then this one goes on waiting.
  const explained = session.asks.some((asked) => asked.agentId === signal.agentId && asked.state !== "open" && !asked.reported);
  if (leaves && only !== undefined && open.length === 1 && !explained) {
    if (!signal.repliesRecorded) {
      if (to === "calling_tool") settle(only, "proceed");
      else if (to === "thinking" || to === "deciding") only.droppedMs ??= signal.ms ?? null;
    } else if (to === "thinking" || to === "deciding") {
      settle(only, "withdraw");
    } else if (to === "calling_tool") {
      only.proceeded = true;
    }
  }
  const summarised = ["summary_terse", "summary_normal", "summary_detailed"].some((field) => text(signal.value, field) !== undefined);
  for (const asked of session.asks) {
    if (leaves && asked.agentId === signal.agentId) asked.left = true;
    if (asked.state === "open") continue;
    if (summarised) asked.announced = true;
    if (leaves && isRefused(asked) && !asked.reported && to === "calling_tool") asked.proceeded = true;
  }
}

/** Marks every settled question as followed up by this event; a bare end of the session is no follow-up. */
export function followUpAsks(session: AaepSession, signal: Signal, note: Note): void {
  for (const asked of session.asks) {
    if (signal.type === "agent.tool.invoked" && asked.agentId === signal.agentId) asked.left = true;
    const goesOn = signal.type === "agent.tool.invoked" || (signal.type === "agent.state.changed" && leavesForTool(signal));
    if (asked.kind === "clarification" && asked.agentId === signal.agentId && goesOn && !isOverdue(asked, signal)) {
      if (asked.state === "open" || asked.state === "presumed") asked.wentOnMs ??= signal.ms ?? null;
    }
    if (asked.state === "open") {
      if (signal.type === "agent.progress.updated") asked.progressHeard = true;
      if (signal.type === "agent.session.completed" && signal.repliesRecorded && !asked.used) {
        note("aaep/question-left-open", `The session completes while ${quote(asked.action)} waits for an answer.`, { since: asked.at });
      }
      continue;
    }
    if (asked.reported) continue;
    if (signal.type === "agent.session.completed") noteUnreported(asked, signal, note);
    asked.reported = true;
  }
}

function leavesForTool({ value }: Signal): boolean {
  return text(value, "from_state") === "awaiting_input" && text(value, "to_state") === "calling_tool";
}

/** What a completed session still owes to its questions. */
export function noteUnfollowedAsks(session: AaepSession, signal: Signal, note: Note): void {
  for (const asked of session.asks) {
    const since = { since: asked.at };
    const began = asked.state === "accepted" || (asked.state === "defaulted-accept" && signal.repliesRecorded);
    if (began && asked.kind === "confirmation" && !asked.followed) {
      const how = asked.state === "accepted" ? "was accepted" : "was accepted by default";
      note("aaep/accepted-action-invoked", `${quote(asked.action)} ${how}, and no tool was invoked before the session completed.`, since);
    }
    if ((asked.state === "accepted" || asked.state === "rejected") && !asked.announced) {
      note("aaep/outcome-announced", `The answer to ${quote(asked.action)} was not announced by a state change with a summary.`, since);
    }
  }
}

export function isRefused(asked: Ask): boolean {
  return asked.state === "rejected" || asked.state === "defaulted-reject";
}

export function isOverdue(asked: Ask, signal: Signal): boolean {
  return asked.deadlineMs !== null && signal.ms !== undefined && signal.ms >= asked.deadlineMs;
}

/** Whether somebody is still being asked. Without recorded replies, a session that went on has had its answer. */
function isPending(asked: Ask, signal: Signal): boolean {
  if (asked.state !== "open" || asked.used || !signal.canReply) return false;
  return signal.repliesRecorded || (!asked.left && !isOverdue(asked, signal));
}

/** Makes room: a question that is done with, or else the oldest, after which answers may be missed. */
function forgetOne(session: AaepSession): void {
  const done = session.asks.findIndex(isDone);
  if (done < 0) session.asksForgotten = true;
  session.asks.splice(Math.max(done, 0), 1);
}

/** Lets go of the oldest questions that are done with, as long as there are more than `capacity`. */
export function forgetDone(session: AaepSession, capacity: number): void {
  let excess = session.asks.length - capacity;
  if (excess > 0) session.asks = session.asks.filter((asked) => !isDone(asked) || excess-- <= 0);
}

function isDone(asked: Ask): boolean {
  return asked.used || (isRefused(asked) && asked.reported) || asked.state === "answered" || asked.state === "withdrawn";
}

export function settle(asked: Ask, signal: AskSignal): void {
  asked.state = ASK_STEPS[asked.state][signal];
}

function noteUnreported(asked: Ask, signal: Signal, note: Note): void {
  const since = { since: asked.at };
  if (asked.state === "answered") {
    note("aaep/clarification-followed", `${quote(asked.action)} was answered, and the session completes with no event in between.`, since);
  } else if (asked.state === "rejected" || (asked.state === "defaulted-reject" && signal.repliesRecorded)) {
    note("aaep/rejection-reported", `${quote(asked.action)} was rejected, and the session completes without saying so.`, since);
  }
}

/** A producer that mirrors its call id writes one; anything else in that place is its own business. */
function callIdOf(context: JsonObject): string | null {
  const id = text(context, "tool_call_id");
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
