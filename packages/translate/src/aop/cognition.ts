import { readText } from "@earshot/protocol/aop";
import type { JsonObject } from "@earshot/protocol/json";
import type { Activity, ActivityBase } from "../activity.ts";
import { LEVELS, NOTHING, object, oneOf, text, texts } from "../members.ts";
import { tell } from "../tell.ts";

export function thought(base: ActivityBase, payload: JsonObject): Activity {
  const metadata = object(payload, "metadata") ?? NOTHING;
  return tell(base, "thought", {
    text: readText("cognition.thought", payload, "content") ?? "",
    confidence: oneOf(payload, "confidence", LEVELS),
    next: text(payload, "next_intent") ?? text(metadata, "next_intent"),
  });
}

const GOAL_STATUSES = ["set", "in_progress", "completed", "abandoned"] as const;

export function goal(base: ActivityBase, payload: JsonObject): Activity {
  return tell(base, "goal", {
    text: text(payload, "goal") ?? "",
    status: oneOf(payload, "status", GOAL_STATUSES),
    parentGoal: text(payload, "parent_goal"),
  });
}

export function decision(base: ActivityBase, payload: JsonObject): Activity {
  return tell(base, "decision", {
    text: readText("cognition.decision", payload, "decision") ?? "",
    alternatives: texts(payload, "alternatives"),
    why: text(payload, "reasoning"),
    confidence: oneOf(payload, "confidence", LEVELS),
  });
}

export function uncertainty(base: ActivityBase, payload: JsonObject): Activity {
  return tell(base, "uncertainty", {
    text: readText("cognition.uncertainty", payload, "content") ?? "",
    confidence: oneOf(payload, "confidence", LEVELS),
  });
}
