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
 * What an event or message means: at least one activity. Never throws, whatever the JSON: members of a wrong type are as
 * good as absent. Looks at a fixed depth of it and hands on texts, inputs and outputs as they are; whoever shows or keeps
 * them cuts them.
 */
export function readActivities(protocol: ProtocolName, event: JsonObject, identity: EventIdentity): readonly Activity[] {
  return READERS[protocol](event, identity);
}
