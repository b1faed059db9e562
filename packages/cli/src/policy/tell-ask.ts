import type { Asked } from "@earshot/hub";
import { isObject, type JsonObject } from "@earshot/protocol";
import { whatItWantsInShort } from "../inbox/what-it-wants.ts";
import type { PastAsk } from "./past-ask.ts";

/** What an ask of the past was about, in one sentence. */
export function tellAsk({ type, agent, session, event, asked }: Pick<PastAsk, "type" | "agent" | "session" | "event" | "asked">): string {
  const moment = asked[0]?.moment ?? "action";
  const action = objectAt(event, "action");
  const words = event["question"] ?? event["reason"] ?? event["action"];
  const input = action["input"] ?? event["content"];
  const about: Asked = {
    kind: moment === "confirmation" || moment === "handoff" ? moment : moment === "question" ? "clarification" : "permission",
    protocol: "aep",
    source: "",
    session,
    agent,
    title: String(objectAt(event, "tool")["name"] ?? objectAt(event, "skill")["name"] ?? type),
    ...(input === undefined ? {} : { input }),
    said: typeof words === "string" ? [{ name: "said", text: words }] : [],
    risk: "unknown",
    irreversible: false,
    facts: {
      moment,
      ...Object.fromEntries(
        ["workspace", "server", "skill", "target_kind"].flatMap((name) => (event[name] === undefined ? [] : [[name, event[name]]])),
      ),
    },
  };
  return whatItWantsInShort(about);
}

function objectAt(event: JsonObject, name: string): JsonObject {
  const value = event[name];
  return isObject(value) ? value : {};
}
