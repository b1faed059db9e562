import { type AopType, isAopType, payloadOf, unwrapStream } from "@earshot/protocol/aop";
import type { JsonObject } from "@earshot/protocol/json";
import type { Activity, ActivityBase } from "../activity.ts";
import { firstText, NOTHING, object, text } from "../members.ts";
import type { Place } from "../place.ts";
import { tell } from "../tell.ts";
import { readAopBase } from "./base.ts";
import { decision, goal, thought, uncertainty } from "./cognition.ts";
import { agentSpawn, externalCall, memory, toolEnd, toolStart } from "./operations.ts";
import { sessionEnded, sessionHeartbeat, sessionStarted } from "./session.ts";

/** The event's payload is given, and the event itself for what stands in the envelope. */
type AopReader = (base: ActivityBase, payload: JsonObject, event: JsonObject) => Activity;

const READERS: Readonly<Record<AopType, AopReader>> = {
  "session.started": sessionStarted,
  "session.heartbeat": sessionHeartbeat,
  "session.ended": sessionEnded,
  "cognition.thought": thought,
  "cognition.goal": goal,
  "cognition.decision": decision,
  "cognition.uncertainty": uncertainty,
  "operation.tool_start": toolStart,
  "operation.tool_end": toolEnd,
  "operation.agent_spawn": agentSpawn,
  "operation.memory": memory,
  "operation.external_call": externalCall,
};

export function readAopActivities(value: JsonObject, place: Place): readonly Activity[] {
  if (place.kind === "message") return [message(value, place)];
  const event = unwrapStream(value) ?? value;
  const payload = payloadOf(event);
  const base = readAopBase(event, payload, place);
  return [isAopType(place.type) ? READERS[place.type](base, payload, event) : custom(base, payload)];
}

/** A type of one's own: what there is to read in it, if it looks like any. */
function custom(base: ActivityBase, payload: JsonObject): Activity {
  const summary = firstText(payload, "summary", "message", "description", "content", "text", "title");
  return tell(base, "custom", { summary, data: payload });
}

/** What a collector's stream carries beside events: its greeting, and its alerts. */
function message(frame: JsonObject, { session, agent, type }: Place): Activity {
  const base: ActivityBase = { protocol: "aop", type, session, agent };
  const alert = object(frame, "data") ?? NOTHING;
  const words = text(alert, "message");
  if (type !== "alert" || words === undefined) return tell(base, "custom", { data: frame });
  return tell(base, "notification", { text: words, level: text(alert, "severity"), topic: text(alert, "type") });
}
