import { isObject } from "@earshot/protocol";
import type { Submission } from "../ledger/ledger.ts";

/** What an event means for the questions of its session. Evidence only: none of it can be a yes. */
export type HeardSignal =
  | { readonly what: "ended" }
  /** The agent went on by itself with what it had asked about. */
  | { readonly what: "went-on"; readonly agent: string }
  | { readonly what: "outcome"; readonly action: string; readonly outcome: Outcome };

export type Outcome = "completed" | "failed" | "denied" | "answered";

const AAEP_ENDS: ReadonlySet<string> = new Set(["agent.session.completed", "agent.session.errored", "agent.session.cancelled"]);
const AEP_OUTCOMES: Readonly<Record<string, Outcome>> = {
  "action.completed": "completed",
  "action.failed": "failed",
  "action.denied": "denied",
  "question.answered": "answered",
};

export function heardSignal({ source, kind, type, agent, reading }: Submission): HeardSignal | undefined {
  if (kind !== "event") return undefined;
  const { value } = reading;
  switch (source.protocol) {
    case "aaep":
      if (AAEP_ENDS.has(type)) return { what: "ended" };
      if (type !== "agent.state.changed" || value["from_state"] !== "awaiting_input") return undefined;
      // From a state to the same one: a summary of where things stand, for whoever has missed something.
      return value["to_state"] === "awaiting_input" ? undefined : { what: "went-on", agent };
    case "aep": {
      if (type === "session.end") return { what: "ended" };
      const outcome = outcomeOf(type);
      const action = isObject(value["action"]) ? value["action"]["id"] : undefined;
      if (typeof action !== "string") return undefined;
      return outcome === undefined ? undefined : { what: "outcome", action, outcome };
    }
    case "aop":
      return undefined;
  }
}

/** What an AEP event says came of an action. */
export function outcomeOf(type: string): Outcome | undefined {
  return AEP_OUTCOMES[type];
}
