import type { Asked } from "@earshot/policy";
import { isObject, type JsonObject } from "@earshot/protocol";
import { readHookEvent } from "../hooks/hook-event.ts";

/** What an event, as it is recorded, puts to the rules; undefined for what nobody waits on. Masked secrets are masked here, too. */
export function putToRules(type: string, value: JsonObject, asksItself: boolean): Asked | undefined {
  if (type === "agent.awaiting.confirmation" || type === "agent.handoff.requested") return fromAaep(type, value);
  // Whether somebody was there is not recorded: rules for unattended runs do not match.
  return readHookEvent(type, value, { asksItself, attended: true })?.put;
}

function fromAaep(type: string, value: JsonObject): Asked {
  const { risk_level: risk, irreversible, reversibility, producer, session_id: session, action, reason } = value;
  const agent = isObject(producer) ? producer["agent_id"] : undefined;
  const said = action ?? reason;
  const isFinal = irreversible === true || reversibility === "irreversible";
  return {
    moment: type === "agent.handoff.requested" ? "handoff" : "confirmation",
    ...(typeof agent === "string" ? { agent } : {}),
    ...(typeof session === "string" ? { session } : {}),
    ...(risk === "low" || risk === "medium" || risk === "high" ? { risk } : {}),
    ...(type === "agent.handoff.requested" ? {} : { reversible: !isFinal }),
    ...(typeof said === "string" ? { said } : {}),
  };
}
