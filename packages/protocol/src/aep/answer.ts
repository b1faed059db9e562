import { brief } from "../brief.ts";
import { hashContent, isObject, type JsonObject } from "../json.ts";
import { BEHAVIORS, type Behavior } from "./types.ts";

/** What a response says that joins it to other records: small, whatever else the response carries. Ids are in brief. */
export interface Answer {
  /** Where it was recorded. */
  readonly at: number;
  readonly eventId: string | undefined;
  /** Undefined when it names no event that could be looked for. */
  readonly requestId: string | undefined;
  /** Undefined when it carries none, empty when what it carries is no id. */
  readonly actionId: string | undefined;
  readonly behavior: Behavior | undefined;
  /** Hash of the input that it puts in place of the one requested; 0 for none. */
  readonly input: number;
}

export function readAnswer(response: JsonObject, at: number): Answer {
  const { id, request_event_id: requestId, action_id: actionId, control } = response;
  const { behavior, updated_input: input } = isObject(control) ? control : {};
  return {
    at,
    eventId: typeof id === "string" && id !== "" ? brief(id) : undefined,
    requestId: typeof requestId === "string" && requestId !== "" ? brief(requestId) : undefined,
    actionId: actionId === undefined || actionId === null ? undefined : typeof actionId === "string" ? brief(actionId) : "",
    behavior: isBehavior(behavior) ? behavior : undefined,
    input: input === undefined || input === null ? 0 : hashContent(input),
  };
}

export function isBehavior(value: unknown): value is Behavior {
  return (BEHAVIORS as readonly unknown[]).includes(value);
}
