import { boundText } from "../brief.ts";
import { hashContent, isObject, type JsonObject } from "../json.ts";
import { defineRule } from "../rule.ts";
import { ALLOWED, completed, FIRST, live, response, without } from "./example-events.ts";
import { BEHAVIORS, type Behavior } from "./types.ts";

export const ANSWER_RULES = {
  "aep/request-event-id": defineRule(["error", "event", 2, "Hook responses", ["response"]], {
    title: "A response names the event that it answers in `request_event_id`.",
    hint: "Copy the `id` of the event that came into the hook.",
    examples: () => ({ passes: ALLOWED, fails: [FIRST, without(response(2, 1, "allow"), "request_event_id")] }),
  }),
  "aep/control-object": defineRule(["error", "event", 2, "Hook responses", ["response"]], {
    title: "A response has `control`, and its members have the right types.",
    hint: "`control` is an object with `behavior`; `message` and `additional_context` are strings.",
    examples: () => ({ passes: ALLOWED, fails: [FIRST, { ...response(2, 1, "allow"), control: { behavior: "allow", message: 1 } }] }),
  }),
  "aep/control-behavior": defineRule(["error", "event", 2, "Hook responses", ["response"]], {
    title: "`control.behavior` is one of the eight behaviours.",
    hint: "Use `allow`, `deny`, `ask`, `defer`, `block`, `continue`, `stop` or `abstain`.",
    examples: () => ({ passes: ALLOWED, fails: [FIRST, { ...response(2, 1, "allow"), control: { behavior: "approve" } }] }),
  }),
  "aep/response-decision": defineRule(["error", "event", 2, "Hook responses", ["response"]], {
    title: "A response has a `decision`.",
    hint: 'Say who decided what: `"decision": { "outcome": "approved", "by": "user" }`.',
    examples: () => ({ passes: ALLOWED, fails: [FIRST, without(response(2, 1, "allow"), "decision")] }),
  }),
  "aep/action-id-text": defineRule(["error", "event", 2, "Hook responses", ["response"]], {
    title: "`action_id` of a response is a string that is not empty.",
    hint: "Copy `action.id` of the event that came into the hook, or leave the member out if it has none.",
    examples: () => ({ passes: ALLOWED, fails: [FIRST, { ...response(2, 1, "allow"), action_id: 1 }] }),
  }),
  "aep/outcome-contradicts-behavior": defineRule(["error", "event", 2, "Hook responses", ["response"]], {
    title: "`allow` is never `denied` and `deny` is never `approved`.",
    hint: "Make `decision.outcome` say what `control.behavior` does.",
    examples: () => ({
      passes: ALLOWED,
      fails: [FIRST, { ...response(2, 1, "allow"), decision: { outcome: "denied" } }],
    }),
  }),
  "aep/outcome-fits-behavior": defineRule(["warning", "event", 3, "Hook responses", ["response"]], {
    title: "`decision.outcome` fits `control.behavior`.",
    hint: "`allow` and `continue` go with `approved`; `deny`, `block` and `stop` with `denied`; `ask`, `defer` and `abstain` with `info`.",
    examples: () => ({
      passes: [FIRST, response(2, 1, "ask")],
      fails: [FIRST, { ...response(2, 1, "ask"), decision: { outcome: "approved" } }],
    }),
  }),
  "aep/updated-input-use": defineRule(["warning", "event", 3, "Hook responses", ["response"]], {
    title: "`control.updated_input` comes with `allow` or `ask` only.",
    hint: "An input that will not run cannot be replaced. Leave `updated_input` out.",
    examples: () => ({
      passes: [FIRST, { ...response(2, 1, "allow"), control: { behavior: "allow", updated_input: { command: "npm test api" } } }],
      fails: [FIRST, { ...response(2, 1, "deny"), control: { behavior: "deny", updated_input: { command: "npm test api" } } }],
    }),
  }),
  "aep/response-needs-request": defineRule(["error", "recording", 2, "Hook responses", ["response"]], {
    title: "`request_event_id` names an event that was heard, before the response or after it.",
    hint: "Record the event as well as its response, and copy its id exactly.",
    examples: () => ({ passes: [response(2, 1, "allow"), FIRST, completed(3)], fails: [FIRST, response(2, 9, "allow")] }),
  }),
  "aep/live-native-answer": defineRule(["error", "live", 2, "Hook responses", []], {
    title: "A response reaches the agent in the agent's own form, and what cannot be said in it is degraded towards safety.",
    hint: "Render the behaviour for the agent and hook concerned; where it cannot be expressed, never turn a refusal into a permission.",
    examples: () =>
      live(
        "`deny` becomes the agent's own refusal, and the tool does not run.",
        "`ask` is rendered in a form that the agent does not know, and the tool runs.",
      ),
  }),
  "aep/live-answer-in-time": defineRule(["error", "live", 2, "Hook responses", []], {
    title: "A hook is answered before the agent gives up waiting for it.",
    hint: "Decide, or fall back to a configured answer, some seconds before the hook's own timeout.",
    examples: () =>
      live(
        "Nobody decides; the configured fallback is sent before the hook's timeout.",
        "The hook times out while the request is still shown as waiting.",
      ),
  }),
  "aep/live-first-answer-counts": defineRule(["error", "live", 2, "Hook responses", []], {
    title: "A consumer acts on the first valid answer to a request and ignores later ones.",
    hint: "Check `request_event_id` and `action_id`, accept one response, and drop the rest.",
    examples: () =>
      live(
        "Two people answer; the second is told that the request was answered before.",
        "A late `allow` turns a refusal into a permission.",
      ),
  }),
} as const;

/** The parts of a response that join it to other records: small, whatever else the response contains. Ids are shortened. */
export interface ResponseAnswer {
  /** Position in the recording. */
  readonly at: number;
  readonly eventId: string | undefined;
  /** Undefined if the response names no event that could be looked up. */
  readonly requestId: string | undefined;
  /** Undefined if the response carries none, empty if its value is not an id. */
  readonly actionId: string | undefined;
  readonly behavior: Behavior | undefined;
  /** Hash of the input that replaces the requested one; 0 for none. */
  readonly input: number;
}

export function readResponseAnswer(response: JsonObject, at: number): ResponseAnswer {
  const { id, request_event_id: requestId, action_id: actionId, control } = response;
  const { behavior, updated_input: input } = isObject(control) ? control : {};
  return {
    at,
    eventId: typeof id === "string" && id !== "" ? boundText(id) : undefined,
    requestId: typeof requestId === "string" && requestId !== "" ? boundText(requestId) : undefined,
    actionId: actionId === undefined || actionId === null ? undefined : typeof actionId === "string" ? boundText(actionId) : "",
    behavior: isBehavior(behavior) ? behavior : undefined,
    input: input === undefined || input === null ? 0 : hashContent(input),
  };
}

export function isBehavior(value: unknown): value is Behavior {
  return (BEHAVIORS as readonly unknown[]).includes(value);
}
