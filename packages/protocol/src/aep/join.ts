import { boundText } from "../brief.ts";
import { type Finding, NO_FINDINGS } from "../finding.ts";
import { isObject } from "../json.ts";
import type { ProtocolReading } from "../protocol.ts";
import { defineRule } from "../rule.ts";
import { clipText } from "../schema.ts";
import type { ResponseAnswer } from "./answer.ts";
import { ALLOWED, FIRST, response, without } from "./example-events.ts";
import { type AepSessionState, stepAnswer } from "./lifecycle.ts";
import type { AepRuleId } from "./rules.ts";

export const JOIN_RULES = {
  "aep/response-action-id": defineRule(["error", "recording", 2, "Hook responses", ["response/action_id"]], {
    title: "`action_id` of a response is `action.id` of the event that it answers.",
    hint: "Copy `action.id` exactly; an answer must not be joined to another action.",
    examples: () => ({ passes: ALLOWED, fails: [FIRST, { ...response(2, 1, "allow"), action_id: "call_2" }] }),
  }),
  "aep/response-carries-action-id": defineRule(["error", "recording", 2, "Hook responses", ["response"]], {
    title: "A response to an event that has `action.id` carries `action_id`.",
    hint: "Add `action_id`, so that event and response can be joined into one row.",
    examples: () => ({ passes: ALLOWED, fails: [FIRST, without(response(2, 1, "allow"), "action_id")] }),
  }),
  "aep/one-response": defineRule(["warning", "recording", 3, "Hook responses", ["response"]], {
    title: "An event is answered once.",
    hint: "The first answer counts and later ones are ignored. Send one response for each event.",
    examples: () => ({ passes: ALLOWED, fails: [FIRST, response(2, 1, "allow"), response(3, 1, "deny")] }),
  }),
} as const;

/** The parts of an event that a response to it needs. */
export interface AnsweredEvent {
  readonly at: number;
  /** Shortened, because an id may be as long as an event. */
  readonly actionId?: string | undefined;
  /** The first answer and its position. */
  behavior?: string | undefined;
  answeredAt?: number;
}

/** Whether a response may name this event. Deltas are excluded: no hook waits on one, and they are numerous. */
export function mayBeAnswered({ kind, type, eventId }: ProtocolReading): boolean {
  return kind === "event" && eventId !== undefined && type !== "model.delta";
}

export function actionIdOfReading({ value: { action } }: ProtocolReading): string | undefined {
  return isObject(action) && typeof action["id"] === "string" ? boundText(action["id"]) : undefined;
}

/** Joins a response and the event it answers, in either order of arrival. Changes both the event's entry and the session. */
export function joinAnswer(answer: ResponseAnswer, event: AnsweredEvent, session: AepSessionState | undefined): readonly Finding[] {
  const findings = compareActionIds(answer, event);
  if (answer.actionId !== undefined && answer.actionId !== event.actionId) return findings; // it must not move another action's row
  const { behavior } = answer;
  if (behavior === undefined || behavior === event.behavior) return findings; // saying the same thing twice surprises nobody
  if (event.behavior !== undefined) return [...findings, secondAnswer(behavior, event)];
  event.behavior = behavior;
  event.answeredAt = answer.at;
  return session === undefined ? findings : [...findings, ...stepAnswer(session, answer)];
}

function secondAnswer(behavior: string, event: AnsweredEvent): Finding {
  const message = `The event was answered \`${event.behavior}\` before; this \`${behavior}\` comes too late.`;
  return { rule: ruleId("aep/one-response"), message, pointer: "/control/behavior", since: event.answeredAt ?? 0 };
}

/** Compares the action id of a response with that of the event it answers. */
function compareActionIds({ actionId: given }: ResponseAnswer, { actionId, at }: AnsweredEvent): readonly Finding[] {
  if (given === undefined) {
    if (actionId === undefined) return NO_FINDINGS;
    const message = `The event answered has the action id ${clipText(actionId, 60)}, and \`action_id\` is missing.`;
    return [{ rule: ruleId("aep/response-carries-action-id"), message, pointer: "/action_id", since: at }];
  }
  if (given === "" || given === actionId) return NO_FINDINGS;
  const asked = actionId === undefined ? "no action id" : `the action id ${clipText(actionId, 60)}`;
  const message = `\`action_id\` is ${clipText(given, 60)}; the event answered has ${asked}.`;
  return [{ rule: ruleId("aep/response-action-id"), message, pointer: "/action_id", since: at }];
}

/** Makes the compiler check that the id is in the catalog. */
function ruleId(id: AepRuleId): AepRuleId {
  return id;
}
