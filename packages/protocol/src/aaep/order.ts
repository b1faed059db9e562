import { defineRule } from "../rule.ts";
import { both, full, numbered, state, thinking, told } from "./example-events.ts";
import type { AaepSessionState } from "./session-state.ts";
import type { AaepSignal, NoteFinding } from "./signal.ts";
import type { AgentState } from "./states.ts";

const ANY = ["*"];

export const ORDER_RULES = {
  "aaep/event-id-unique": defineRule(["error", "recording", 1, "§3.2.3", ANY], {
    title: "An `event_id` is used for one event only.",
    hint: "Make a new random id per event. A redelivered event keeps its id and its content.",
    code: "EVENT_ID_CONFLICT",
    examples: () => both(full(thinking), full(thinking, state("thinking", "deciding", { event_id: "evt_2" }))),
  }),
  "aaep/timestamps-ordered": defineRule(["error", "recording", 1, "§3.2.5", ANY], {
    title: "Timestamps do not go back within a session.",
    hint: "Take the later of the clock and the last timestamp sent.",
    examples: () => both(full(thinking), full({ ...thinking, timestamp: "2026-07-01T08:59:59.000Z" })),
  }),
  "aaep/timestamps-ordered-across-agents": defineRule(["warning", "recording", 1, "§3.2.5, A.9", ANY], {
    title: "Timestamps of several agents in one session do not go back.",
    hint: "Synchronise the agents' clocks, or let one process stamp the events.",
    oncePerSession: true,
    examples: () =>
      both(
        full(state("idle", "thinking", { producer: { agent_id: "helper" } })),
        full(state("idle", "thinking", { producer: { agent_id: "helper" }, timestamp: "2026-07-01T08:59:59.000Z" })),
      ),
  }),
  "aaep/timestamps-honest": defineRule(["error", "live", 1, "§3.2.5", []], {
    title: "An event is stamped with the time at which it was made.",
    hint: "Do not back-date or future-date events.",
    examples: () =>
      told("An event made at 09:00:00.250 says 09:00:00.250.", "All events of a session are stamped with the time at which it started."),
  }),
  "aaep/sequence-number-contiguous": defineRule(["error", "recording", 1, "§3.4.1", ["*/sequence_number"]], {
    title: "`sequence_number` is 0 on `session.started` and rises by one with each event.",
    hint: "Count in one place per session; a stream that leaves events out leaves the numbers out too.",
    examples: () => both(numbered(0, 1, 2), numbered(0, 2, 3)),
  }),
  "aaep/sequence-number-all-or-none": defineRule(["error", "recording", 1, "§3.4.1", ["*/sequence_number"]], {
    title: "Either every event of a session has a `sequence_number`, or none has.",
    hint: "Number all events, or none.",
    examples: () => both(numbered(0, 1, 2), numbered(0, undefined, 1)),
  }),
} as const;

interface Heard {
  readonly session: AaepSessionState;
  readonly agent: AgentState;
  readonly signal: AaepSignal;
}

export function checkEventTime({ session, agent, signal }: Heard, note: NoteFinding): void {
  const { ms } = signal;
  if (ms === undefined) return;
  if (agent.lastMs !== null && ms < agent.lastMs) {
    note("aaep/timestamps-ordered", `The timestamp is ${count(agent.lastMs - ms)} ms before that of the event heard last.`, {
      pointer: "/timestamp",
    });
  } else if (session.lastMs !== null && ms < session.lastMs) {
    const back = `${count(session.lastMs - ms)} ms before that of an event of another agent heard earlier`;
    note("aaep/timestamps-ordered-across-agents", `The timestamp is ${back}.`, { pointer: "/timestamp" });
  }
  agent.lastMs = Math.max(ms, agent.lastMs ?? ms);
  session.lastMs = Math.max(ms, session.lastMs ?? ms);
}

function count(number: number): string {
  return number.toLocaleString("en", { maximumFractionDigits: 3 });
}

export function checkSequenceNumber({ session, agent, signal }: Heard, note: NoteFinding): void {
  const number = signal.value["sequence_number"];
  const numbered = typeof number === "number";
  if (session.numbered === null) session.numbered = numbered;
  else if (session.numbered !== numbered) {
    const found = numbered
      ? "has a sequence_number, and earlier events of the session have none"
      : "has no sequence_number, and earlier events of the session have one";
    note("aaep/sequence-number-all-or-none", `This event ${found}.`, { pointer: "/sequence_number" });
    session.numbered = numbered;
    if (numbered) session.nextNumber = number + 1;
    return;
  }
  if (!numbered) return;
  // Agents of one session may share a counter or each have their own.
  const own = agent.nextNumber > 0 || session.agents.length > 1 ? agent.nextNumber : session.nextNumber;
  if (number !== session.nextNumber && number !== own) {
    note("aaep/sequence-number-contiguous", `sequence_number is ${number}; ${session.nextNumber} comes next.`, {
      pointer: "/sequence_number",
    });
  }
  session.nextNumber = number + 1;
  agent.nextNumber = number + 1;
}
