import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import type { Asked } from "../requests/card.ts";
import type { PastAsk } from "./past-ask.ts";

/** What an ask of the past was about, as a card would say it, for whoever puts it into words. Long texts in it are cut. */
export function askedThen({ type, agent, session, event, asked }: Pick<PastAsk, "type" | "agent" | "session" | "event" | "asked">): Asked {
  const moment = asked[0]?.moment ?? "action";
  const action = objectAt(event, "action");
  const words = event["question"] ?? event["reason"] ?? event["action"];
  const input = action["input"] ?? event["content"];
  return {
    kind: moment === "confirmation" || moment === "handoff" ? moment : moment === "question" ? "clarification" : "permission",
    protocol: "aep",
    source: "",
    session,
    agent,
    title: cut(String(objectAt(event, "tool")["name"] ?? objectAt(event, "skill")["name"] ?? type)),
    ...(input === undefined ? {} : { input: shorten(input) }),
    said: typeof words === "string" ? [{ name: "said", text: cut(words) }] : [],
    risk: "unknown",
    irreversible: false,
    facts: {
      moment,
      ...Object.fromEntries(
        ["workspace", "server", "skill", "target_kind"].flatMap((name) => {
          const fact = event[name];
          return fact === undefined ? [] : [[name, shorten(fact)]];
        }),
      ),
    },
  };
}

const LONGEST = 2000;
const MOST_MEMBERS = 24;
const DEEPEST = 3;

/** So that many of them together stay small. */
function shorten(value: JsonValue, depth = 0): JsonValue {
  if (typeof value === "string") return cut(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEEPEST) return null;
  if (Array.isArray(value)) return value.slice(0, MOST_MEMBERS).map((one) => shorten(one, depth + 1));
  const members = Object.entries(value).slice(0, MOST_MEMBERS);
  return Object.fromEntries(members.map(([name, one]) => [cut(name), shorten(one ?? null, depth + 1)]));
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}

function objectAt(event: JsonObject, name: string): JsonObject {
  const value = event[name];
  return isObject(value) ? value : {};
}
