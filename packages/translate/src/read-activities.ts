import type { ProtocolName } from "@earshot/protocol";
import type { JsonObject } from "@earshot/protocol/json";
import { readAaepActivities } from "./aaep/read-activities.ts";
import type { Activity } from "./activity.ts";
import { readAepActivities } from "./aep/read-activities.ts";
import { readAopActivities } from "./aop/read-activities.ts";
import type { Place } from "./place.ts";

const READERS: Readonly<Record<ProtocolName, (event: JsonObject, place: Place) => readonly Activity[]>> = {
  aaep: readAaepActivities,
  aep: readAepActivities,
  aop: readAopActivities,
};

/**
 * What an event or message means: at least one activity. Never throws, whatever the JSON: members of a wrong type are as
 * good as absent. Looks at a fixed depth of it and hands on texts, inputs and outputs as they are; whoever shows or keeps
 * them cuts them.
 */
export function readActivities(protocol: ProtocolName, event: JsonObject, place: Place): readonly Activity[] {
  return READERS[protocol](event, place);
}
