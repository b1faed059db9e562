import type { JsonObject } from "@earshot/protocol/json";
import type { ActivityBase } from "../activity.ts";
import { object, text } from "../members.ts";
import type { Place } from "../place.ts";
import { ELSEWHERE, OF_EVENT, OF_SESSION, type Reckoning, readSupplied, SO_FAR } from "../supplied.ts";
import { given } from "../tell.ts";

/** The protocol gives two names for numbers and the software in use four more; a heartbeat's are running totals. */
function reckoningOf(type: string): Reckoning {
  switch (type) {
    case "session.ended":
      return OF_SESSION;
    case "session.heartbeat":
      return SO_FAR;
    case "operation.tool_end":
    case "operation.external_call":
    case "cognition.thought":
      return OF_EVENT;
    default:
      return ELSEWHERE;
  }
}

/** What the envelope says, and what the agent supplies of its own accord: in `metadata` first, in the payload second. */
export function readAopBase(event: JsonObject, payload: JsonObject, { session, agent, type }: Place): ActivityBase {
  const metadata = object(payload, "metadata");
  const { tokens, costUsd, context, model, provider, workspace } = readSupplied([metadata, payload], reckoningOf(type));
  const parent = text(event, "parent_session_id");
  return given<ActivityBase>({
    protocol: "aop",
    type,
    session,
    agent,
    at: text(event, "timestamp"),
    // A session that calls itself its parent has none.
    parent: parent === undefined || parent === session ? undefined : { session: parent, relation: "subagent" },
    workspace,
    model,
    provider,
    tokens,
    costUsd,
    context,
    metadata,
  });
}
