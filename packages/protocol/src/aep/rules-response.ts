import { type Rule, rule } from "../rule.ts";

/** Hook responses, alone and beside the events they answer, and what only a live drive can show. */
export const RESPONSE_RULES = {
  "aep/request-event-id": rule(
    ["error", "event", 2, "Hook responses", ["response"]],
    "A response names the event that it answers in `request_event_id`.",
    "Copy the `id` of the event that came into the hook.",
  ),
  "aep/control-object": rule(
    ["error", "event", 2, "Hook responses", ["response"]],
    "A response has `control`, and its members have the right types.",
    "`control` is an object with `behavior`; `message` and `additional_context` are strings.",
  ),
  "aep/control-behavior": rule(
    ["error", "event", 2, "Hook responses", ["response"]],
    "`control.behavior` is one of the eight behaviours.",
    "Use `allow`, `deny`, `ask`, `defer`, `block`, `continue`, `stop` or `abstain`.",
  ),
  "aep/response-decision": rule(
    ["error", "event", 2, "Hook responses", ["response"]],
    "A response has a `decision`.",
    'Say who decided what: `"decision": { "outcome": "approved", "by": "user" }`.',
  ),
  "aep/action-id-text": rule(
    ["error", "event", 2, "Hook responses", ["response"]],
    "`action_id` of a response is a string that is not empty.",
    "Copy `action.id` of the event that came into the hook, or leave the member out if it has none.",
  ),
  "aep/outcome-contradicts-behavior": rule(
    ["error", "event", 2, "Hook responses", ["response"]],
    "`allow` is never `denied` and `deny` is never `approved`.",
    "Make `decision.outcome` say what `control.behavior` does.",
  ),
  "aep/outcome-fits-behavior": rule(
    ["warning", "event", 3, "Hook responses", ["response"]],
    "`decision.outcome` fits `control.behavior`.",
    "`allow` and `continue` go with `approved`; `deny`, `block` and `stop` with `denied`; `ask`, `defer` and `abstain` with `info`.",
  ),
  "aep/updated-input-use": rule(
    ["warning", "event", 3, "Hook responses", ["response"]],
    "`control.updated_input` comes with `allow` or `ask` only.",
    "An input that will not run cannot be replaced. Leave `updated_input` out.",
  ),
  "aep/response-needs-request": rule(
    ["error", "recording", 2, "Hook responses", ["response"]],
    "`request_event_id` names an event that was heard, before the response or after it.",
    "Record the event as well as its response, and copy its id exactly.",
  ),
  "aep/response-action-id": rule(
    ["error", "recording", 2, "Hook responses", ["response/action_id"]],
    "`action_id` of a response is `action.id` of the event that it answers.",
    "Copy `action.id` exactly; an answer must not be joined to another action.",
  ),
  "aep/response-carries-action-id": rule(
    ["error", "recording", 2, "Hook responses", ["response"]],
    "A response to an event that has `action.id` carries `action_id`.",
    "Add `action_id`, so that event and response can be joined into one row.",
  ),
  "aep/one-response": rule(
    ["warning", "recording", 3, "Hook responses", ["response"]],
    "An event is answered once.",
    "The first answer counts and later ones are ignored. Send one response for each event.",
  ),
  "aep/response-before-outcome": rule(
    ["warning", "recording", 3, "Hook responses", ["response"]],
    "A response to a request comes before the action's outcome.",
    "The agent did not wait for this answer. Check the hook's timeout.",
  ),
  "aep/live-smoke-rendering": rule(
    ["error", "live", 1, "Versioning and conformance", []],
    "A consumer that has never heard of an agent shows a title and the tool name.",
    "Make the title from `type` and `agent.slug`, and show `tool.name`; use no table of known agents.",
  ),
  "aep/live-omitted-fields": rule(
    ["error", "live", 2, "Example AEP event", []],
    "A consumer copes with events that leave out every optional field.",
    "Treat each member beyond the five core ones as possibly absent.",
  ),
  "aep/live-unknown-extensions": rule(
    ["error", "live", 2, "Example AEP event", []],
    "A consumer ignores `x-` extensions that it does not know.",
    "Keep them or drop them, but do not refuse the event.",
  ),
  "aep/live-native-answer": rule(
    ["error", "live", 2, "Hook responses", []],
    "A response reaches the agent in the agent's own form, and what cannot be said in it is degraded towards safety.",
    "Render the behaviour for the agent and hook concerned; where it cannot be expressed, never turn a refusal into a permission.",
  ),
  "aep/live-answer-in-time": rule(
    ["error", "live", 2, "Hook responses", []],
    "A hook is answered before the agent gives up waiting for it.",
    "Decide, or fall back to a configured answer, some seconds before the hook's own timeout.",
  ),
  "aep/live-first-answer-counts": rule(
    ["error", "live", 2, "Hook responses", []],
    "A consumer acts on the first valid answer to a request and ignores later ones.",
    "Check `request_event_id` and `action_id`, accept one response, and drop the rest.",
  ),
} satisfies Record<string, Rule>;
