import { EARSHOT_CONTEXT, EARSHOT_PREFIX } from "@earshot/aaep";
import { CORE_CONTEXT, isObject, type JsonObject } from "@earshot/protocol";
import type { RequestAnswer } from "../requests/answer.ts";
import type { RequestCardData } from "../requests/card.ts";

export interface ResolvedQuestion {
  readonly eventId: string;
  readonly token: string;
  readonly card: RequestCardData;
  /** The asking event. */
  readonly question: JsonObject;
  /** The agent's last reported state. */
  readonly agentState: string;
  /** Time from question to decision, by the hub's clock. */
  readonly afterMs: number;
  readonly state: string;
  readonly by: string;
  readonly answer: RequestAnswer;
}

/**
 * Reports to all subscribers that a question is settled: a state change from the agent's state to the same state, with the result in
 * words. The agent's own change follows when it continues. Critical, unlike other state changes, so that filters do not hide it from
 * clients that still show the question.
 */
export function toResolution({ eventId, token, question, ...resolved }: ResolvedQuestion): JsonObject {
  const { summary, outcome } = describe(resolved);
  return {
    "@context": [CORE_CONTEXT, EARSHOT_CONTEXT],
    aaep_version: "1.0.0",
    type: "aaep:agent.state.changed",
    event_id: eventId,
    session_id: question["session_id"] ?? "",
    timestamp: timestampOf(question, resolved.afterMs),
    producer: isObject(question["producer"]) ? question["producer"] : { agent_id: resolved.card.asked.agent },
    verbosity: "normal",
    urgency: "critical",
    localization_hints: { primary_language: "en" },
    from_state: resolved.agentState,
    to_state: resolved.agentState,
    summary_normal: summary,
    extensions: { [EARSHOT_PREFIX]: { resolved: token, question: question["event_id"] ?? "", outcome } },
  };
}

/** Estimated by the agent's clock, so that the times of a session never run backwards. */
function timestampOf(question: JsonObject, afterMs: number): string {
  const askedAt = Date.parse(String(question["timestamp"]));
  return new Date((Number.isFinite(askedAt) ? askedAt : 0) + Math.max(0, afterMs)).toISOString();
}

type Outcome = "accepted" | "rejected" | "answered" | "unanswered" | "withdrawn";

/** No answer is not a refusal. */
function describe({ card, state, by, answer }: Omit<ResolvedQuestion, "eventId" | "token" | "question">): {
  readonly summary: string;
  readonly outcome: Outcome;
} {
  const who = by.startsWith("policy: ") ? "a rule" : by;
  switch (state) {
    case "defaulted":
    case "orphaned":
      return { summary: `No answer in time: ${SILENCE[answer.word] ?? "the agent goes on without one"}.`, outcome: "unanswered" };
    case "withdrawn":
      return { summary: "The question was taken back.", outcome: "withdrawn" };
  }
  const isHandoff = card.asked.kind === "handoff";
  switch (answer.word) {
    case "accept":
      return { summary: `Allowed by ${who}.`, outcome: "accepted" };
    case "take-over":
      return { summary: `Taken over by ${who}.`, outcome: "accepted" };
    case "respond":
      return { summary: `Answered by ${who}.`, outcome: "answered" };
    default:
      return { summary: `${isHandoff ? "Declined" : "Refused"} by ${who}.`, outcome: "rejected" };
  }
}

const SILENCE: Readonly<Record<string, string>> = {
  accept: "allowed, as the agent had said",
  reject: "refused",
  respond: "the agent takes its own default",
};
