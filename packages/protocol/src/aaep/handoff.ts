import { defineRule } from "../rule.ts";
import { both, errored, full, handoff, inside, pair, recording, started, state, thinking } from "./example-events.ts";
import type { AaepSessionState } from "./session-state.ts";
import type { AaepSignal, NoteFinding } from "./signal.ts";

export const HANDOFF_RULES = {
  "aaep/handoff-requested-payload": defineRule(["error", "event", 2, "§4.4.3", ["agent.handoff.requested"]], {
    title: "`handoff.requested` says why and to what kind of target.",
    hint: "target_kind is human, specialist_agent or escalation_queue.",
    examples: () => inside(handoff(), handoff({ target_kind: "boss" })),
  }),
  "aaep/handoff-is-critical": defineRule(["error", "event", 2, "§4.4.3", ["agent.handoff.requested"]], {
    title: '`handoff.requested` has urgency "critical".',
    hint: 'Add "urgency":"critical": absent means normal, and a subscriber may then drop it.',
    examples: () => inside(handoff(), handoff({ urgency: "normal" })),
  }),
  "aaep/handoff-ends": defineRule(["warning", "recording", 2, "§4.4.3, A.2", ["agent.handoff.requested"]], {
    title: "After a handoff the session completes or is cancelled.",
    hint: "End with session.completed when it was taken over, session.cancelled when not.",
    examples: () => both(full(handoff()), recording(started(), handoff(), errored())),
  }),
  "aaep/handoff-stops-work": defineRule(["warning", "recording", 2, "§4.4.3, A.2", ["agent.handoff.requested"]], {
    title: "An agent that has handed over does no more work in the session.",
    hint: "Finish or abandon tools and questions before handoff.requested; after it, end the session.",
    oncePerSession: true,
    examples: () => both(full(...pair("grep", {}), handoff()), full(handoff(), ...pair("grep", {}))),
  }),
  "aaep/handoff-once": defineRule(["warning", "recording", 2, "§4.4.3, A.2", ["agent.handoff.requested"]], {
    title: "An agent hands a session over once.",
    hint: "Emit one handoff.requested; when nobody takes it over, cancel the session.",
    examples: () => both(full(handoff()), full(handoff(), handoff())),
  }),
  "aaep/handoff-emitted": defineRule(["error", "recording", 2, "§9.4.1, §4.2.1", ["agent.state.changed"]], {
    title: "An agent that gives up to a person or another agent emits `handoff.requested`.",
    hint: "Emit it when the state becomes handing_off, before ending the session.",
    needs: ["agent.handoff.requested"],
    examples: () => both(full(thinking, state("thinking", "handing_off"), handoff()), full(thinking, state("thinking", "handing_off"))),
  }),
} as const;

/** Events that count as work after a handoff; a final message to the user does not. */
const WORK: ReadonlySet<string> = new Set(["agent.tool.invoked", "agent.awaiting.confirmation", "agent.awaiting.clarification"]);

export function beginHandoff(session: AaepSessionState, signal: AaepSignal, note: NoteFinding): void {
  if (session.handoff !== null && session.handoffBy === signal.agentId) {
    note("aaep/handoff-once", "This agent has handed the session over before.", { since: session.handoff });
  }
  session.handoff = signal.at;
  session.handoffBy = signal.agentId;
  delete session.handingOffAt;
}

export function noteWorkAfterHandoff(session: AaepSessionState, { type, agentId }: AaepSignal, note: NoteFinding): void {
  if (session.handoff === null || session.handoffBy !== agentId || !WORK.has(type)) return;
  note("aaep/handoff-stops-work", `${type} follows the handoff of this agent.`, { since: session.handoff });
}

export function noteHandoffAtEnd({ handoff, handingOffAt }: AaepSessionState, { type }: AaepSignal, note: NoteFinding): void {
  if (handingOffAt !== undefined && handoff === null) {
    note("aaep/handoff-emitted", "The state was handing_off, and the session ends without handoff.requested.", { since: handingOffAt });
  }
  if (type === "agent.session.errored" && handoff !== null) {
    note("aaep/handoff-ends", "A handoff was requested, and the session ends in an error.", { since: handoff });
  }
}
