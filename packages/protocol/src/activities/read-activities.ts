import type { JsonObject } from "../json.ts";
import type { ProtocolName } from "../rule.ts";
import { readAaepActivities } from "./aaep/read-activities.ts";
import type { Activity } from "./activity.ts";
import { readAepActivities } from "./aep/read-activities.ts";
import { readAopActivities } from "./aop/read-activities.ts";
import type { EventIdentity } from "./build-activity.ts";

const READERS: Readonly<Record<ProtocolName, (event: JsonObject, identity: EventIdentity) => readonly Activity[]>> = {
  aaep: readAaepActivities,
  aep: readAepActivities,
  aop: readAopActivities,
};

/**
 * The activities of an event or message, at least one. Never throws for any JSON: members of a wrong type count as absent. Reads to a
 * fixed depth and passes texts, inputs and outputs through unchanged; the code that shows or stores them truncates them.
 */
export function readActivities(protocol: ProtocolName, event: JsonObject, identity: EventIdentity): readonly Activity[] {
  return READERS[protocol](event, identity);
}
