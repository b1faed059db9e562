import type { Ask, AskState } from "./asks.ts";
import type { AaepSession } from "./session-state.ts";
import { type Note, type Signal, text } from "./signal.ts";
import { quote } from "./states.ts";

/**
 * Whether a tool may be invoked, given what was asked and answered before. No field of the protocol links a
 * confirmation to an invocation; producers may mirror the link in `extra_context` (tool, tool_call_id). With the link
 * the answer is exact. Without it, one accept covers one later irreversible invocation, first come first served.
 */
export function authorise(session: AaepSession, signal: Signal, note: Note): void {
  const tool = text(signal.value, "tool") ?? "?";
  const callId = text(signal.value, "tool_call_id");
  const irreversible = signal.value["irreversible"] === true;
  if (session.asks.length === 0) {
    if (irreversible)
      note("aaep/irreversible-needs-accept", `${quote(tool)} is irreversible, and nobody was asked.`, { pointer: "/irreversible" });
    else if (signal.value["risk_level"] === "high") noteHighRisk(tool, note);
    return;
  }

  const confirmations = session.asks.filter((asked) => asked.kind === "confirmation" && !asked.used);
  const linked = confirmations.filter((asked) => isLinked(asked, tool, callId));
  const unlinked = confirmations.filter((asked) => asked.tool === null && asked.callId === null);
  // An accept that nothing has followed yet is meant before one that a reversible tool may have answered.
  const fresh = unlinked.filter(isAccepted);
  const accepted = linked.find(isAccepted) ?? (irreversible ? (fresh.find((asked) => !asked.followed) ?? fresh[0]) : undefined);
  if (accepted !== undefined) {
    accepted.followed = true;
    if (irreversible || linked.includes(accepted)) accepted.used = true;
    return;
  }
  if (!irreversible) for (const asked of unlinked) if (isAccepted(asked)) asked.followed = true;

  const asked = linked.at(-1);
  if (asked !== undefined) {
    refuse(asked, signal, note, { tool, irreversible });
    return;
  }
  if (irreversible) {
    const last = unlinked.at(-1);
    if (last === undefined) {
      note("aaep/irreversible-needs-accept", `${quote(tool)} is irreversible, and no confirmation is left that was accepted for it.`, {
        pointer: "/irreversible",
      });
    } else {
      refuse(last, signal, note, { tool, irreversible });
    }
    return;
  }
  const highRisk = signal.value["risk_level"] === "high";
  const refused = unlinked.filter((one) => one.state === "rejected").at(-1);
  if (refused !== undefined && !unlinked.some(isAccepted)) {
    // Nothing says that this is the rejected action, but nothing was done in between to drop it either, or it names itself.
    const same = !refused.reported || refused.proceeded || mentions(refused.action, tool) || (highRisk && refused.risk === "high");
    if (same) {
      refuse(refused, signal, note, { tool, irreversible });
      return;
    }
  }
  if (highRisk && !unlinked.some((one) => isAccepted(one) || (one.state === "open" && !signal.repliesRecorded))) noteHighRisk(tool, note);
}

interface Invocation {
  readonly tool: string;
  readonly irreversible: boolean;
}

function refuse(asked: Ask, signal: Signal, note: Note, { tool, irreversible }: Invocation): void {
  const since = { since: asked.at };
  const action = quote(asked.action);
  switch (asked.state) {
    case "rejected":
      if (asked.lateAccept)
        note("aaep/reply-first-wins", `${quote(tool)} is invoked: ${action} was rejected first, and accepted too late.`, since);
      else note("aaep/rejected-action-not-invoked", `${quote(tool)} is invoked, although ${action} was rejected.`, since);
      return;
    case "defaulted-reject":
      note(
        "aaep/timeout-default",
        `${quote(tool)} is invoked, although nobody answered ${action} in time and the default is reject.`,
        since,
      );
      return;
    case "withdrawn":
      if (asked.lateAccept)
        note("aaep/cancelled-token-dead", `${quote(tool)} is invoked on a reply to ${action}, which had been withdrawn.`, since);
      else if (irreversible)
        note("aaep/irreversible-needs-accept", `${quote(tool)} is irreversible, and ${action} was withdrawn without an answer.`, since);
      return;
    case "defaulted-accept":
      asked.used = true;
      asked.followed = true;
      if (irreversible)
        note("aaep/irreversible-by-default", `${quote(tool)} is irreversible, and starts because nobody answered ${action}.`, since);
      return;
    case "open":
      if (!signal.repliesRecorded) {
        asked.used = true;
        if (irreversible) note("aaep/irreversible-accept-unseen", `Whether ${action} was accepted is not in this recording.`, since);
        return;
      }
      note("aaep/confirmation-blocks", `${quote(tool)} is invoked while ${action} waits for an answer.`, since);
      if (irreversible)
        note("aaep/irreversible-needs-accept", `${quote(tool)} is irreversible, and ${action} was not accepted yet.`, since);
      return;
    case "accepted":
    case "presumed":
    case "answered":
      return;
  }
}

const ACCEPTED: ReadonlySet<AskState> = new Set<AskState>(["accepted", "presumed"]);

function isAccepted(asked: Ask): boolean {
  return ACCEPTED.has(asked.state) && !asked.used;
}

function isLinked(asked: Ask, tool: string, callId: string | undefined): boolean {
  if (asked.callId !== null && callId !== undefined) return asked.callId === callId;
  return asked.tool !== null && asked.tool === tool;
}

function mentions(action: string, tool: string): boolean {
  return tool.length >= 4 && action.toLowerCase().includes(tool.toLowerCase());
}

function noteHighRisk(tool: string, note: Note): void {
  note("aaep/high-risk-needs-confirmation", `${quote(tool)} is of high risk, and no confirmation was accepted for it.`, {
    pointer: "/risk_level",
  });
}
