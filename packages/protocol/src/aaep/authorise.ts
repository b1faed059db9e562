import { type Ask, isOverdue, isRefused } from "./asks.ts";
import type { AaepSession } from "./session-state.ts";
import { type Note, type Signal, text } from "./signal.ts";
import { quote } from "./states.ts";

/** An invocation that rests on an answer which this recording has not shown so far. */
export interface Unseen {
  readonly token: string;
  readonly tool: string;
  readonly action: string;
  readonly irreversible: boolean;
  readonly since: number;
  readonly ms: number | undefined;
  /** The state moved on to the tool, which may be taken for a yes as long as no reply at all is recorded. */
  readonly presumed: boolean;
  /** The default that had been applied by then, if the time had run out. */
  readonly lapsed: Ask["lapse"] | undefined;
}

interface Invocation {
  readonly tool: string;
  readonly callId: string | undefined;
  readonly irreversible: boolean;
  readonly risk: number;
}

/**
 * Whether a tool may be invoked, given what was asked and answered before. No field of the protocol links a
 * confirmation to an invocation; producers may mirror the link in `extra_context` (tool, tool_call_id). A matching link
 * is preferred; otherwise one accept covers one later irreversible invocation, first come first served.
 */
export function authorise(session: AaepSession, signal: Signal, note: Note): Unseen | undefined {
  const invocation: Invocation = {
    tool: text(signal.value, "tool") ?? "?",
    callId: text(signal.value, "tool_call_id"),
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
    // A name may stand for several calls, say a dry run and the real one: only the irreversible one uses the accept up.
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

/** Of several accepts: the asking agent's own first, one that nothing has followed yet before one that may be spent. */
function chooseAccepted(asks: readonly Ask[], signal: Signal): Ask | undefined {
  const rank = (asked: Ask) => (asked.agentId === signal.agentId ? 0 : 2) + (asked.followed ? 1 : 0);
  return asks
    .filter(isAccepted)
    .reduce<Ask | undefined>((best, asked) => (best === undefined || rank(asked) < rank(best) ? asked : best), undefined);
}

function lastOf(asks: readonly Ask[], signal: Signal): Ask | undefined {
  const unsettled = asks.filter((asked) => !isAccepted(asked));
  return unsettled.filter((asked) => asked.agentId === signal.agentId).at(-1) ?? unsettled.at(-1);
}

/**
 * A reversible invocation that nothing links to a question may still be the action that was refused, or is still being
 * asked about: when nothing was done in between to drop it, or when the state moved on to it.
 */
function suspect(asks: readonly Ask[], signal: Signal, invocation: Invocation): Ask | undefined {
  const own = asks.filter((asked) => asked.agentId === signal.agentId);
  if (own.some((asked) => isAccepted(asked) && asked.state !== "presumed")) return undefined;
  const refused = own.filter(isRefused).at(-1);
  if (refused !== undefined) {
    const silent = refused.state === "rejected" && !refused.reported;
    if (silent || (refused.proceeded && !isMilder(invocation, refused))) return refused;
  }
  return own.find((asked) => asked.state === "presumed" || (asked.state === "open" && asked.proceeded && signal.repliesRecorded));
}

function refuse(asked: Ask, signal: Signal, note: Note, invocation: Invocation, isLinkedCall: boolean): Unseen | undefined {
  const { irreversible } = invocation;
  const since = { since: asked.at };
  const action = quote(asked.action);
  const tool = quote(invocation.tool);
  switch (asked.state) {
    case "rejected":
      // The same tool for something milder, after the refusal was reported, is another action.
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

function refuseOpen(asked: Ask, signal: Signal, note: Note, invocation: Invocation, isLinkedCall: boolean): Unseen | undefined {
  if (!signal.canReply && asked.lapse === "lapse-accept") {
    // Nobody could answer, so the default was applied at once.
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
  const overdue = isOverdue(asked, signal);
  if (overdue && asked.lapse === "lapse-accept" && !invocation.irreversible) return undefined;
  return invocation.irreversible || overdue || isLinkedCall ? unseen(asked, signal, invocation) : undefined;
}

function startByDefault(asked: Ask, { tool, irreversible }: Invocation, note: Note): void {
  asked.used = true;
  asked.followed = true;
  if (irreversible) noteByDefault(tool, asked, note);
}

/** What is said of an invocation whose answer never came, once it is known that answers were recorded. */
export function noteUnanswered(early: Unseen, note: Note): void {
  const asked = { action: early.action, at: early.since };
  if (early.lapsed === "lapse-accept") {
    if (early.irreversible) noteByDefault(early.tool, asked, note);
  } else if (early.lapsed === "lapse-reject") {
    const message = `${quote(early.tool)} is invoked, although nobody answered ${quote(early.action)} in time and the default is reject.`;
    note("aaep/timeout-default", message, { since: early.since });
  } else {
    noteTooEarly(early, asked, note);
  }
}

type Subject = Pick<Ask, "action" | "at">;

function noteByDefault(tool: string, { action, at }: Subject, note: Note): void {
  note("aaep/irreversible-by-default", `${quote(tool)} is irreversible, and starts because nobody answered ${quote(action)}.`, {
    since: at,
  });
}

/** The action was performed while its question was open. */
function noteTooEarly({ tool, irreversible }: Pick<Unseen, "tool" | "irreversible">, { action, at }: Subject, note: Note): void {
  const since = { since: at };
  note("aaep/confirmation-blocks", `${quote(tool)} is invoked while ${quote(action)} waits for an answer.`, since);
  if (irreversible)
    note("aaep/irreversible-needs-accept", `${quote(tool)} is irreversible, and ${quote(action)} was not accepted before.`, since);
}

function unseen(asked: Ask, signal: Signal, { tool, irreversible }: Invocation): Unseen {
  const lapsed = isOverdue(asked, signal) ? asked.lapse : undefined;
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

function isAccepted(asked: Ask): boolean {
  return (asked.state === "accepted" || asked.state === "presumed") && !asked.used;
}

/** Whether the action may have begun: accepted, or started by its default. */
function isBegun(asked: Ask, signal: Signal): boolean {
  if (asked.state === "accepted" || asked.state === "defaulted-accept") return !asked.used;
  return asked.state === "open" && asked.lapse === "lapse-accept" && (!signal.canReply || isOverdue(asked, signal));
}

function isLinked(asked: Ask, invocation: Invocation): boolean {
  if (asked.callId !== null && invocation.callId !== undefined) return asked.callId === invocation.callId;
  return asked.tool !== null && asked.tool === invocation.tool;
}

function isLinkedById(asked: Ask, { callId }: Invocation): boolean {
  return asked.callId !== null && asked.callId === callId;
}

/** Two call ids that differ are certain; a tool's name in free context is not. */
function isCertainlyAnother(asked: Ask, { callId }: Invocation): boolean {
  return asked.callId !== null && callId !== undefined && asked.callId !== callId;
}

/** The question names a tool, and not this one: a family such as `git` for `git.push` counts as this one. */
function namesAnother(asked: Ask, { tool }: Invocation): boolean {
  const named = asked.tool;
  if (named === null || !/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(named)) return false;
  return !tool.startsWith(named) && !named.startsWith(tool);
}

/** The person agreed to something that was said to be final or dangerous; the invocation says that it is not. */
function noteUnderstated(asked: Ask, { tool, irreversible, risk }: Invocation, note: Note): void {
  if (asked.irreversible === true && !irreversible) {
    note("aaep/invoked-as-confirmed", `${quote(tool)} was confirmed as irreversible, and is invoked as reversible.`, {
      pointer: "/irreversible",
      since: asked.at,
    });
  } else if (asked.risk === "high" && risk < HIGH) {
    note("aaep/invoked-as-confirmed", `${quote(tool)} was confirmed as high risk, and is invoked with a lower one.`, {
      pointer: "/risk_level",
      since: asked.at,
    });
  }
}

const HIGH = 2;

function riskOf(level: unknown): number {
  return level === "high" ? HIGH : level === "medium" ? 1 : 0;
}

/** Of less risk than what was refused, hence hardly the same action. */
function isMilder(invocation: Invocation, asked: Ask): boolean {
  return !invocation.irreversible && invocation.risk < riskOf(asked.risk);
}

function noteNobodyAsked(invocation: Invocation, note: Note): void {
  if (invocation.irreversible) {
    note(
      "aaep/irreversible-needs-accept",
      `${quote(invocation.tool)} is irreversible, and no confirmation is left that was accepted for it.`,
      {
        pointer: "/irreversible",
      },
    );
  } else if (invocation.risk === HIGH) noteHighRisk(invocation, note);
}

function noteHighRisk({ tool }: Invocation, note: Note): void {
  note("aaep/high-risk-needs-confirmation", `${quote(tool)} is of high risk, and no confirmation was accepted for it.`, {
    pointer: "/risk_level",
  });
}
