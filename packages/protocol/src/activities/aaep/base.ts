import { isObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { ActivityBase, Parent, Summaries } from "../activity.ts";
import { type EventIdentity, omitUndefined, omitUndefinedOrEmpty } from "../build-activity.ts";
import { NOTHING, object, oneOf, text } from "../members.ts";
import { type CountBasis, collect, ELSEWHERE, OF_EVENT, OF_SESSION, SO_FAR, type Supplied, type Tally, toSupplied } from "../supplied.ts";

const URGENCIES = ["background", "normal", "critical"] as const;
const RELATIONS = ["subagent", "fork", "resume", "continuation"] as const;

function chooseCountBasis(type: string): CountBasis {
  switch (type) {
    case "agent.session.completed":
    case "agent.session.errored":
    case "agent.session.cancelled":
      return OF_SESSION;
    case "agent.tool.completed":
      return OF_EVENT;
    case "agent.progress.updated":
      return SO_FAR;
    default:
      return ELSEWHERE;
  }
}

/** Reads the envelope. `extensions` holds everything the agent adds itself, one object per prefix. */
export function readAaepBase(event: JsonObject, { session, agent, type }: EventIdentity): ActivityBase {
  const producer = object(event, "producer") ?? NOTHING;
  const extensions = object(event, "extensions");
  const supplied = suppliedIn(event, extensions, type);
  const terse = text(event, "summary_terse");
  const normal = text(event, "summary_normal");
  const detailed = text(event, "summary_detailed");
  const summary = normal ?? terse ?? detailed;
  const hints = event["localization_hints"];
  return omitUndefined<ActivityBase>({
    protocol: "aaep",
    type,
    session,
    agent,
    agentName: text(producer, "agent_name"),
    eventId: text(event, "event_id"),
    at: text(event, "timestamp"),
    parent: parentOf(supplied.parent, extensions, session),
    workspace: supplied.workspace,
    model: text(producer, "model") ?? supplied.model,
    provider: supplied.provider,
    tokens: supplied.tokens,
    costUsd: supplied.costUsd,
    context: supplied.context,
    summary,
    summaries: summary === undefined ? undefined : omitUndefinedOrEmpty<Summaries>({ terse, normal, detailed }),
    urgency: oneOf(event, "urgency", URGENCIES),
    language: isObject(hints) ? text(hints, "primary_language") : undefined,
    metadata: extensions,
  });
}

/** Producers write numbers at the top level although the specification forbids it. */
function suppliedIn(event: JsonObject, extensions: JsonObject | undefined, type: string): Supplied {
  let tally: Tally | undefined;
  for (const prefix in extensions) {
    const extension: JsonValue | undefined = extensions[prefix];
    if (isObject(extension)) tally = collect(tally, extension);
  }
  // The specification forbids a bare string under `extensions`, but one appendix shows a parent there.
  if (extensions !== undefined) tally = collect(tally, extensions);
  return toSupplied(collect(tally, event), chooseCountBasis(type));
}

function parentOf(parent: string | undefined, extensions: JsonObject | undefined, session: string): Parent | undefined {
  // A session that names itself as its parent has no parent.
  if (parent === undefined || parent === session) return undefined;
  for (const prefix in extensions) {
    const extension: JsonValue | undefined = extensions[prefix];
    if (!isObject(extension) || extension["parent_session_id"] !== parent) continue;
    return { session: parent, relation: oneOf(extension, "relation", RELATIONS) ?? "subagent" };
  }
  return { session: parent, relation: "subagent" };
}
