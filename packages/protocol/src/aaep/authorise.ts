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
}

interface Invocation {
  readonly tool: string;
  readonly callId: string | undefined;
  readonly irreversible: boolean;
  readonly highRisk: boolean;
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
    highRisk: signal.value["risk_level"] === "high",
  };
  const confirmations = session.asks.length === 0 ? [] : session.asks.filter((asked) => asked.kind === "confirmation" && !asked.used);
  if (confirmations.length === 0) {
    if (!session.asksForgotten) noteNobodyAsked(invocation, note);
    return undefined;
  }
  const linked = confirmations.filter((asked) => isLinked(asked, invocation));
  const others = confirmations.filter((asked) => !linked.includes(asked) && !isLinkedElsewhere(asked, invocation));
  const accepted = linked.find(isAccepted) ?? (invocation.irreversible ? chooseAccepted(others, signal) : undefined);
  if (accepted !== undefined) {
    accepted.followed = true;
    if (invocation.irreversible || linked.includes(accepted)) accepted.used = true;
    return accepted.state === "presumed" ? unseen(accepted, signal, invocation, true) : undefined;
  }
  if (!invocation.irreversible) for (const asked of others) if (isAccepted(asked)) asked.followed = true;
  const subject = linked.at(-1) ?? (invocation.irreversible ? lastOf(others, signal) : suspect(others, signal, invocation));
  if (subject !== undefined) return refuse(subject, signal, note, invocation);
  if (invocation.irreversible) {
    if (!session.asksForgotten) noteNobodyAsked(invocation, note);
  } else if (invocation.highRisk && !others.some((one) => isAccepted(one) || (one.state === "open" && !signal.repliesRecorded))) {
    noteHighRisk(invocation, note);
  }
  return undefined;
}

/** Of several accepts: the asking agent's own first, one that nothing has followed yet before one that may be spent. */
function chooseAccepted(asks: readonly Ask[], signal: Signal): Ask | undefined {
  const usable = asks.filter((asked) => isAccepted(asked) && !(asked.followed && asked.irreversible === false));
  const rank = (asked: Ask) => (asked.agentId === signal.agentId ? 0 : 2) + (asked.followed ? 1 : 0);
  return usable.reduce<Ask | undefined>((best, asked) => (best === undefined || rank(asked) < rank(best) ? asked : best), undefined);
}

function lastOf(asks: readonly Ask[], signal: Signal): Ask | undefined {
  const unsettled = asks.filter((asked) => !isAccepted(asked));
  return unsettled.filter((asked) => asked.agentId === signal.agentId).at(-1) ?? unsettled.at(-1);
}

/**
 * A reversible invocation that nothing links to a question may still be the action that was refused, or is still being
 * asked about: when nothing was done in between to drop it, when the state moved on to it, or when the question names it.
 */
function suspect(asks: readonly Ask[], signal: Signal, { tool }: Invocation): Ask | undefined {
  const own = asks.filter((asked) => asked.agentId === signal.agentId);
  if (own.some(isAccepted)) return undefined;
  const refused = own.filter(isRefused).at(-1);
  if (refused !== undefined && ((refused.state === "rejected" && !refused.reported) || refused.proceeded || mentions(refused.action, tool)))
    return refused;
  return own.find((asked) => asked.state === "open" && asked.proceeded && signal.repliesRecorded);
}

function refuse(asked: Ask, signal: Signal, note: Note, invocation: Invocation): Unseen | undefined {
  const { irreversible } = invocation;
  const since = { since: asked.at };
  const action = quote(asked.action);
  const tool = quote(invocation.tool);
  switch (asked.state) {
    case "rejected":
      if (asked.lateAccept)
        note("aaep/reply-first-wins", `${tool} is invoked: ${action} was rejected first, and accepted too late.`, since);
      else note("aaep/rejected-action-not-invoked", `${tool} is invoked, although ${action} was rejected.`, since);
      return undefined;
    case "defaulted-reject":
      note("aaep/timeout-default", `${tool} is invoked, although nobody answered ${action} in time and the default is reject.`, since);
      return undefined;
    case "withdrawn":
      if (asked.lateAccept)
        note("aaep/cancelled-token-dead", `${tool} is invoked on a reply to ${action}, which had been withdrawn.`, since);
      else if (irreversible)
        note("aaep/irreversible-needs-accept", `${tool} is irreversible, and ${action} was withdrawn without an answer.`, since);
      return undefined;
    case "defaulted-accept":
      startByDefault(asked, invocation, note);
      return undefined;
    case "open":
      if (signal.canReply === false && asked.lapse === "lapse-accept") {
        // Nobody could answer, so the default was applied at once.
        startByDefault(asked, invocation, note);
        return undefined;
      }
      if (!signal.repliesRecorded) {
        asked.used = true;
        return irreversible || isOverdue(asked, signal) ? unseen(asked, signal, invocation, false) : undefined;
      }
      noteTooEarly(invocation, asked, note);
      return undefined;
    case "accepted":
    case "presumed":
    case "answered":
      return undefined;
  }
}

function startByDefault(asked: Ask, { tool, irreversible }: Invocation, note: Note): void {
  asked.used = true;
  asked.followed = true;
  if (!irreversible) return;
  note("aaep/irreversible-by-default", `${quote(tool)} is irreversible, and starts because nobody answered ${quote(asked.action)}.`, {
    since: asked.at,
  });
}

/** The action was performed while its question was open. */
export function noteTooEarly(
  { tool, irreversible }: { readonly tool: string; readonly irreversible: boolean },
  asked: Pick<Ask, "action" | "at">,
  note: Note,
): void {
  const since = { since: asked.at };
  note("aaep/confirmation-blocks", `${quote(tool)} is invoked while ${quote(asked.action)} waits for an answer.`, since);
  if (irreversible)
    note("aaep/irreversible-needs-accept", `${quote(tool)} is irreversible, and ${quote(asked.action)} was not accepted before.`, since);
}

function unseen(asked: Ask, signal: Signal, { tool, irreversible }: Invocation, presumed: boolean): Unseen {
  return { token: asked.token, tool, action: asked.action, irreversible, since: asked.at, ms: signal.ms, presumed };
}

function isAccepted(asked: Ask): boolean {
  return (asked.state === "accepted" || asked.state === "presumed") && !asked.used;
}

function isLinked(asked: Ask, { tool, callId }: Invocation): boolean {
  if (asked.callId !== null && callId !== undefined) return asked.callId === callId;
  return asked.tool !== null && asked.tool === tool;
}

/** Two call ids that differ are certain; a tool's name in free context is not. */
function isLinkedElsewhere(asked: Ask, { callId }: Invocation): boolean {
  return asked.callId !== null && callId !== undefined && asked.callId !== callId;
}

/** A word of prose may be a tool's name by chance; a compound name hardly. */
function mentions(action: string, tool: string): boolean {
  return /[_.-]/.test(tool) && tool.length >= 4 && action.toLowerCase().includes(tool.toLowerCase());
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
  } else if (invocation.highRisk) noteHighRisk(invocation, note);
}

function noteHighRisk({ tool }: Invocation, note: Note): void {
  note("aaep/high-risk-needs-confirmation", `${quote(tool)} is of high risk, and no confirmation was accepted for it.`, {
    pointer: "/risk_level",
  });
}
