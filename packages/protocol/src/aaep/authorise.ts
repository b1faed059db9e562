import { defineRule } from "../rule.ts";
import { isAskOverdue, isAskRefused, type OpenAsk } from "./asks.ts";
import {
  accept,
  both,
  completed,
  confirm,
  done,
  full,
  invoked,
  pair,
  reject,
  reply,
  state,
  swap,
  thinking,
  timedOut,
  told,
  waiting,
  whileAsked,
} from "./example-events.ts";
import type { AaepSessionState } from "./session-state.ts";
import { type AaepSignal, type NoteFinding, readTextField } from "./signal.ts";
import { quoteState } from "./states.ts";

const ASKED = ["agent.awaiting.confirmation"];
const REPLY = ["confirmation.reply"];

export const AUTHORISE_RULES = {
  "aaep/irreversible-needs-accept": defineRule(
    ["error", "recording", 2, "§4.3.1, §4.4.1, §9.4.1, A.8.4", ["agent.tool.invoked/irreversible"]],
    {
      title: "An irreversible tool is invoked only after a confirmation for it was accepted.",
      hint: "Emit awaiting.confirmation, wait for the accept reply, then tool.invoked. One accept covers one invocation.",
      examples: () => both(full(...accept), full(thinking, invoked("transfer_funds", { irreversible: true }), done("transfer_funds"))),
    },
  ),
  "aaep/irreversible-accept-unseen": defineRule(["info", "recording", 2, "§4.3.1", ["agent.tool.invoked/irreversible"]], {
    title: "Whether an irreversible tool was accepted can be seen in the recording.",
    hint: "Record the replies too: this recording shows the question but not its answer.",
    side: "subscriber",
    examples: () =>
      both(
        full(...accept),
        full(
          thinking,
          waiting,
          confirm("rpl_1"),
          state("awaiting_input", "thinking"),
          invoked("drop_table", { irreversible: true }),
          done("drop_table"),
        ),
      ),
  }),
  "aaep/irreversible-by-default": defineRule(["warning", "recording", 2, "§4.3.1, §4.5.3", ["agent.tool.invoked/irreversible"]], {
    title: "An irreversible tool is not started by a default after silence.",
    hint: 'Set "default_decision":"reject": two clauses disagree here, and only one of them is safe.',
    examples: () =>
      both(
        full(...accept),
        whileAsked(
          { risk_level: "low", default_decision: "accept", timeout_seconds: 2 },
          state("awaiting_input", "calling_tool", { timestamp: "2026-07-01T09:00:10.000Z" }),
          invoked("drop_table", { irreversible: true, timestamp: "2026-07-01T09:00:11.000Z" }),
          done("drop_table", { timestamp: "2026-07-01T09:00:12.000Z" }),
          completed({ timestamp: "2026-07-01T09:00:13.000Z" }),
        ),
      ),
  }),
  "aaep/high-risk-needs-confirmation": defineRule(["warning", "recording", 2, "§2.3.5", ["agent.tool.invoked/risk_level"]], {
    title: "A tool of high risk is invoked only after a confirmation.",
    hint: "Ask first, as for an irreversible one.",
    examples: () => both(full(...accept), full(...pair("restart_all", { risk_level: "high" }))),
  }),
  "aaep/invoked-as-confirmed": defineRule(["error", "recording", 2, "§4.3.1, §4.4.1", ["agent.tool.invoked/tool_call_id"]], {
    title: "A call is invoked with the risk and irreversibility that its confirmation stated.",
    hint: "Repeat irreversible and risk_level of the question in tool.invoked: subscribers act on both.",
    examples: () =>
      both(
        full(...swap(accept, 2, confirm("rpl_1", { extra_context: { tool_call_id: "call_1" } }))),
        full(
          ...swap(
            swap(accept, 2, confirm("rpl_1", { extra_context: { tool_call_id: "call_1" } })),
            5,
            invoked("drop_table", { tool_call_id: "call_1", risk_level: "high" }),
          ),
        ),
      ),
  }),
  "aaep/confirmation-blocks": defineRule(["error", "recording", 2, "§4.4.1, §4.5.3, §6.1", ASKED], {
    title: "The action that awaits a confirmation is not performed while it waits.",
    hint: "Hold the action until the reply, or until the timeout with its default.",
    needs: ["agent.state.changed"],
    examples: () => both(full(...accept), whileAsked({ extra_context: { tool: "restart" } }, ...pair("restart", {}), completed())),
  }),
  "aaep/nothing-implies-action": defineRule(["error", "live", 2, "§6.1", []], {
    title: "While a confirmation is open, no event implies that its action happened.",
    hint: "Word summaries so that they do not speak of the action as done.",
    examples: () => told("While it waits, the agent says: I would drop the table.", "While it waits, the agent says: the table is gone."),
  }),
  "aaep/rejected-action-not-invoked": defineRule(["error", "recording", 2, "§6.1, A.4, A.8.5", REPLY], {
    title: "A rejected action is not invoked.",
    hint: "Don't run the rejected action. To try something else, ask again with a new confirmation.",
    needs: ["agent.state.changed"],
    examples: () => both(full(...reject), full(...reject, ...pair("drop_table", { irreversible: true }))),
  }),
  "aaep/modified-action-rejected": defineRule(["error", "live", 2, "§6.3", []], {
    title: "An accept with a `modified_action` that the agent cannot perform counts as a reject.",
    hint: "Read modified_action: perform exactly what it says, or drop the action and say so.",
    examples: () =>
      told(
        "A reply accepts another table than the one asked about; the agent drops nothing and says so.",
        "A reply accepts another table than the one asked about; the agent drops the first one.",
      ),
  }),
  "aaep/timeout-default": defineRule(["error", "recording", 2, "§6.4", ASKED], {
    title: "When nobody answers in time, the default is applied.",
    hint: "After a default of reject the action is dropped.",
    examples: () => both(full(...reject), timedOut("drop_table")),
  }),
  "aaep/cancelled-token-dead": defineRule(["error", "recording", 2, "§6.8", ASKED], {
    title: "A reply to a question that was withdrawn changes nothing.",
    hint: "Void the token when the state leaves awaiting_input without an answer, or the session is cancelled.",
    needs: ["agent.state.changed"],
    examples: () =>
      both(
        full(...reject),
        whileAsked(
          {},
          state("awaiting_input", "thinking", { summary_normal: "Not needed any more." }),
          reply("rpl_1", "accept", { timestamp: "2026-07-01T09:00:08.000Z" }),
          ...pair("drop_table", { irreversible: true }),
          completed(),
        ),
      ),
  }),
  "aaep/reply-first-wins": defineRule(["error", "recording", 2, "§5.9, §6.3.5, §6.7.1", REPLY], {
    title: "The first valid reply counts; later ones change nothing.",
    hint: "Consume the token atomically before acting.",
    examples: () =>
      both(
        full(...accept.slice(0, 4), reply("rpl_1", "reject"), ...accept.slice(4)),
        full(
          ...reject.slice(0, 4),
          reply("rpl_1", "accept"),
          state("awaiting_input", "calling_tool", { summary_normal: "You agreed." }),
          ...pair("drop_table", { irreversible: true }),
        ),
      ),
  }),
} as const;

/** An invocation that depends on an answer the recording has not shown so far. */
export interface UnseenReply {
  readonly token: string;
  readonly tool: string;
  readonly action: string;
  readonly irreversible: boolean;
  readonly since: number;
  readonly ms: number | undefined;
  /** The state moved on to the tool, which counts as an accept as long as no reply is recorded at all. */
  readonly presumed: boolean;
  /** The default that applied at that time, if the deadline had passed. */
  readonly lapsed: OpenAsk["lapse"] | undefined;
}

interface Invocation {
  readonly tool: string;
  readonly callId: string | undefined;
  readonly irreversible: boolean;
  readonly risk: number;
}

/**
 * Checks whether a tool may be invoked, given the earlier questions and answers. No protocol field links a confirmation to an invocation;
 * producers may mirror the link in `extra_context` (tool, tool_call_id). A matching link is preferred; otherwise one accept covers one
 * later irreversible invocation, in order of arrival.
 */
export function authoriseInvocation(session: AaepSessionState, signal: AaepSignal, note: NoteFinding): UnseenReply | undefined {
  const invocation: Invocation = {
    tool: readTextField(signal.value, "tool") ?? "?",
    callId: readTextField(signal.value, "tool_call_id"),
    irreversible: signal.value["irreversible"] === true,
    risk: riskOf(signal.value["risk_level"]),
  };
  const confirmations = session.asks.length === 0 ? [] : session.asks.filter((asked) => asked.kind === "confirmation" && !asked.used);
  if (confirmations.length === 0) {
    if (!session.asksForgotten) noteNobodyAsked(invocation, note);
    return undefined;
  }
  const linked = confirmations.filter((asked) => isLinked(asked, invocation));
  const others = confirmations.filter((asked) => !linked.includes(asked) && !isCertainlyAnother(asked, invocation));
  const possible = others.filter((asked) => !namesAnother(asked, invocation));
  const accepted = linked.find(isAccepted) ?? (invocation.irreversible ? chooseAccepted(possible, signal) : undefined);
  for (const asked of linked) if (isLinkedById(asked, invocation)) noteUnderstated(asked, invocation, note);
  if (accepted !== undefined) {
    accepted.followed = true;
    // A tool name may stand for several calls, such as a dry run and the real one: only the irreversible one uses up the accept.
    if (invocation.irreversible || isLinkedById(accepted, invocation)) accepted.used = true;
    return accepted.state === "presumed" ? unseen(accepted, signal, invocation) : undefined;
  }
  if (!invocation.irreversible) for (const asked of possible) if (isBegun(asked, signal)) asked.followed = true;
  const subject = linked.at(-1) ?? (invocation.irreversible ? lastOf(possible, signal) : suspect(possible, signal, invocation));
  if (subject !== undefined) return refuse(subject, signal, note, invocation, linked.includes(subject));
  if (invocation.irreversible) {
    if (!session.asksForgotten) noteNobodyAsked(invocation, note);
  } else if (invocation.risk === HIGH && !others.some((one) => isBegun(one, signal) || (one.state === "open" && !signal.repliesRecorded))) {
    noteHighRisk(invocation, note);
  }
  return undefined;
}

/** Picks one of several accepts: first the asking agent's own, and one without a following invocation before one that may be used up. */
function chooseAccepted(asks: readonly OpenAsk[], signal: AaepSignal): OpenAsk | undefined {
  const rank = (asked: OpenAsk) => (asked.agentId === signal.agentId ? 0 : 2) + (asked.followed ? 1 : 0);
  return asks
    .filter(isAccepted)
    .reduce<OpenAsk | undefined>((best, asked) => (best === undefined || rank(asked) < rank(best) ? asked : best), undefined);
}

function lastOf(asks: readonly OpenAsk[], signal: AaepSignal): OpenAsk | undefined {
  const unsettled = asks.filter((asked) => !isAccepted(asked));
  return unsettled.filter((asked) => asked.agentId === signal.agentId).at(-1) ?? unsettled.at(-1);
}

/**
 * A reversible invocation without a link to a question may still be the rejected or pending action, if no event in between dropped that
 * action or if the state moved on to it.
 */
function suspect(asks: readonly OpenAsk[], signal: AaepSignal, invocation: Invocation): OpenAsk | undefined {
  const own = asks.filter((asked) => asked.agentId === signal.agentId);
  if (own.some((asked) => isAccepted(asked) && asked.state !== "presumed")) return undefined;
  const refused = own.filter(isAskRefused).at(-1);
  if (refused !== undefined) {
    const silent = refused.state === "rejected" && !refused.reported;
    if (silent || (refused.proceeded && !isMilder(invocation, refused))) return refused;
  }
  return own.find((asked) => asked.state === "presumed" || (asked.state === "open" && asked.proceeded && signal.repliesRecorded));
}

function refuse(
  asked: OpenAsk,
  signal: AaepSignal,
  note: NoteFinding,
  invocation: Invocation,
  isLinkedCall: boolean,
): UnseenReply | undefined {
  const { irreversible } = invocation;
  const since = { since: asked.at };
  const action = quoteState(asked.action);
  const tool = quoteState(invocation.tool);
  switch (asked.state) {
    case "rejected":
      // After the rejection was reported, the same tool with a milder action is a different action.
      if (!irreversible && asked.reported && !isLinkedById(asked, invocation) && isMilder(invocation, asked)) return undefined;
      if (asked.lateAccept)
        note("aaep/reply-first-wins", `${tool} is invoked: ${action} was rejected first, and accepted too late.`, since);
      else note("aaep/rejected-action-not-invoked", `${tool} is invoked, although ${action} was rejected.`, since);
      return undefined;
    case "defaulted-reject":
      if (!irreversible && asked.reported && !isLinkedById(asked, invocation) && isMilder(invocation, asked)) return undefined;
      note("aaep/timeout-default", `${tool} is invoked, although nobody answered ${action} in time and the default is reject.`, since);
      return undefined;
    case "withdrawn":
      if (asked.lateAccept)
        note("aaep/cancelled-token-dead", `${tool} is invoked on a reply to ${action}, which had been withdrawn.`, since);
      else if (irreversible)
        note("aaep/irreversible-needs-accept", `${tool} is irreversible, and ${action} was withdrawn without an answer.`, since);
      else if (isLinkedCall)
        note("aaep/confirmation-blocks", `${tool} is invoked, although ${action} was withdrawn without an answer.`, since);
      return undefined;
    case "defaulted-accept":
      startByDefault(asked, invocation, note);
      return undefined;
    case "open":
      return refuseOpen(asked, signal, note, invocation, isLinkedCall);
    case "presumed":
      asked.followed = true;
      asked.used = true;
      return unseen(asked, signal, invocation);
    case "accepted":
    case "answered":
      return undefined;
  }
}

function refuseOpen(
  asked: OpenAsk,
  signal: AaepSignal,
  note: NoteFinding,
  invocation: Invocation,
  isLinkedCall: boolean,
): UnseenReply | undefined {
  if (!signal.canReply && asked.lapse === "lapse-accept") {
    // No subscriber can answer, so the default applied immediately.
    startByDefault(asked, invocation, note);
    return undefined;
  }
  if (signal.repliesRecorded) {
    asked.followed = true;
    noteTooEarly(invocation, asked, note);
    return undefined;
  }
  asked.used = true;
  asked.followed = true;
  const overdue = isAskOverdue(asked, signal);
  if (overdue && asked.lapse === "lapse-accept" && !invocation.irreversible) return undefined;
  return invocation.irreversible || overdue || isLinkedCall ? unseen(asked, signal, invocation) : undefined;
}

function startByDefault(asked: OpenAsk, { tool, irreversible }: Invocation, note: NoteFinding): void {
  asked.used = true;
  asked.followed = true;
  if (irreversible) noteByDefault(tool, asked, note);
}

/** Reports an invocation whose answer never came, once it is known that answers were recorded. */
export function noteUnanswered(early: UnseenReply, note: NoteFinding): void {
  const asked = { action: early.action, at: early.since };
  if (early.lapsed === "lapse-accept") {
    if (early.irreversible) noteByDefault(early.tool, asked, note);
  } else if (early.lapsed === "lapse-reject") {
    const message = `${quoteState(early.tool)} is invoked, although nobody answered ${quoteState(early.action)} in time and the default is reject.`;
    note("aaep/timeout-default", message, { since: early.since });
  } else {
    noteTooEarly(early, asked, note);
  }
}

type Subject = Pick<OpenAsk, "action" | "at">;

function noteByDefault(tool: string, { action, at }: Subject, note: NoteFinding): void {
  note("aaep/irreversible-by-default", `${quoteState(tool)} is irreversible, and starts because nobody answered ${quoteState(action)}.`, {
    since: at,
  });
}

/** Reports an action performed while its question was open. */
function noteTooEarly(
  { tool, irreversible }: Pick<UnseenReply, "tool" | "irreversible">,
  { action, at }: Subject,
  note: NoteFinding,
): void {
  const since = { since: at };
  note("aaep/confirmation-blocks", `${quoteState(tool)} is invoked while ${quoteState(action)} waits for an answer.`, since);
  if (irreversible)
    note(
      "aaep/irreversible-needs-accept",
      `${quoteState(tool)} is irreversible, and ${quoteState(action)} was not accepted before.`,
      since,
    );
}

function unseen(asked: OpenAsk, signal: AaepSignal, { tool, irreversible }: Invocation): UnseenReply {
  const lapsed = isAskOverdue(asked, signal) ? asked.lapse : undefined;
  return {
    token: asked.token,
    tool,
    action: asked.action,
    irreversible,
    since: asked.at,
    ms: signal.ms,
    presumed: asked.state === "presumed",
    lapsed,
  };
}

function isAccepted(asked: OpenAsk): boolean {
  return (asked.state === "accepted" || asked.state === "presumed") && !asked.used;
}

/** Whether the action may have begun: it was accepted or started by its default. */
function isBegun(asked: OpenAsk, signal: AaepSignal): boolean {
  if (asked.state === "accepted" || asked.state === "defaulted-accept") return !asked.used;
  return asked.state === "open" && asked.lapse === "lapse-accept" && (!signal.canReply || isAskOverdue(asked, signal));
}

function isLinked(asked: OpenAsk, invocation: Invocation): boolean {
  if (asked.callId !== null && invocation.callId !== undefined) return asked.callId === invocation.callId;
  return asked.tool !== null && asked.tool === invocation.tool;
}

function isLinkedById(asked: OpenAsk, { callId }: Invocation): boolean {
  return asked.callId !== null && asked.callId === callId;
}

/** Two different call ids are proof; a tool name in free-form context is not. */
function isCertainlyAnother(asked: OpenAsk, { callId }: Invocation): boolean {
  return asked.callId !== null && callId !== undefined && asked.callId !== callId;
}

/** Whether the question names a different tool. A family such as `git` for `git.push` counts as the same tool. */
function namesAnother(asked: OpenAsk, { tool }: Invocation): boolean {
  const named = asked.tool;
  if (named === null || !/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(named)) return false;
  return !tool.startsWith(named) && !named.startsWith(tool);
}

/** Reports an action that was confirmed as irreversible or high risk and is invoked as reversible or with a lower risk. */
function noteUnderstated(asked: OpenAsk, { tool, irreversible, risk }: Invocation, note: NoteFinding): void {
  if (asked.irreversible === true && !irreversible) {
    note("aaep/invoked-as-confirmed", `${quoteState(tool)} was confirmed as irreversible, and is invoked as reversible.`, {
      pointer: "/irreversible",
      since: asked.at,
    });
  } else if (asked.risk === "high" && risk < HIGH) {
    note("aaep/invoked-as-confirmed", `${quoteState(tool)} was confirmed as high risk, and is invoked with a lower one.`, {
      pointer: "/risk_level",
      since: asked.at,
    });
  }
}

const HIGH = 2;

function riskOf(level: unknown): number {
  return level === "high" ? HIGH : level === "medium" ? 1 : 0;
}

/** Whether the invocation carries less risk than the rejected action, so it is hardly the same one. */
function isMilder(invocation: Invocation, asked: OpenAsk): boolean {
  return !invocation.irreversible && invocation.risk < riskOf(asked.risk);
}

function noteNobodyAsked(invocation: Invocation, note: NoteFinding): void {
  if (invocation.irreversible) {
    note(
      "aaep/irreversible-needs-accept",
      `${quoteState(invocation.tool)} is irreversible, and no confirmation is left that was accepted for it.`,
      {
        pointer: "/irreversible",
      },
    );
  } else if (invocation.risk === HIGH) noteHighRisk(invocation, note);
}

function noteHighRisk({ tool }: Invocation, note: NoteFinding): void {
  note("aaep/high-risk-needs-confirmation", `${quoteState(tool)} is of high risk, and no confirmation was accepted for it.`, {
    pointer: "/risk_level",
  });
}
