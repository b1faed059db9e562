import { isObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { ActivityBase, ActivityParent, AgentSummaries } from "../activity.ts";
import { type EventIdentity, omitUndefined, omitUndefinedOrEmpty } from "../build-activity.ts";
import { EMPTY_OBJECT, nonEmptyText, objectMember, oneOfWords } from "../members.ts";
import {
  type CountBasis,
  collectSupplied,
  EVENT_BASIS,
  PROGRESS_BASIS,
  SESSION_BASIS,
  type SuppliedTally,
  type SuppliedValues,
  toSupplied,
  UNKNOWN_BASIS,
} from "../supplied.ts";

const URGENCIES = ["background", "normal", "critical"] as const;
const RELATIONS = ["subagent", "fork", "resume", "continuation"] as const;

function chooseCountBasis(type: string): CountBasis {
  switch (type) {
    case "agent.session.completed":
    case "agent.session.errored":
    case "agent.session.cancelled":
      return SESSION_BASIS;
    case "agent.tool.completed":
      return EVENT_BASIS;
    case "agent.progress.updated":
      return PROGRESS_BASIS;
    default:
      return UNKNOWN_BASIS;
  }
}

/** Reads the envelope. `extensions` holds everything the agent adds itself, one object per prefix. */
export function readAaepBase(event: JsonObject, { session, agent, type }: EventIdentity): ActivityBase {
  const producer = objectMember(event, "producer") ?? EMPTY_OBJECT;
  const extensions = objectMember(event, "extensions");
  const supplied = suppliedIn(event, extensions, type);
  const terse = nonEmptyText(event, "summary_terse");
  const normal = nonEmptyText(event, "summary_normal");
  const detailed = nonEmptyText(event, "summary_detailed");
  const summary = normal ?? terse ?? detailed;
  const hints = event["localization_hints"];
  return omitUndefined<ActivityBase>({
    protocol: "aaep",
    type,
    session,
    agent,
    agentName: nonEmptyText(producer, "agent_name"),
    eventId: nonEmptyText(event, "event_id"),
    at: nonEmptyText(event, "timestamp"),
    parent: parentOf(supplied.parent, extensions, session),
    workspace: supplied.workspace,
    model: nonEmptyText(producer, "model") ?? supplied.model,
    provider: supplied.provider,
    tokens: supplied.tokens,
    costUsd: supplied.costUsd,
    context: supplied.context,
    summary,
    summaries: summary === undefined ? undefined : omitUndefinedOrEmpty<AgentSummaries>({ terse, normal, detailed }),
    urgency: oneOfWords(event, "urgency", URGENCIES),
    language: isObject(hints) ? nonEmptyText(hints, "primary_language") : undefined,
    metadata: extensions,
  });
}

/** Producers write numbers at the top level although the specification forbids it. */
function suppliedIn(event: JsonObject, extensions: JsonObject | undefined, type: string): SuppliedValues {
  let tally: SuppliedTally | undefined;
  for (const prefix in extensions) {
    const extension: JsonValue | undefined = extensions[prefix];
    if (isObject(extension)) tally = collectSupplied(tally, extension);
  }
  // The specification forbids a bare string under `extensions`, but one appendix shows a parent there.
  if (extensions !== undefined) tally = collectSupplied(tally, extensions);
  return toSupplied(collectSupplied(tally, event), chooseCountBasis(type));
}

function parentOf(parent: string | undefined, extensions: JsonObject | undefined, session: string): ActivityParent | undefined {
  // A session that names itself as its parent has no parent.
  if (parent === undefined || parent === session) return undefined;
  for (const prefix in extensions) {
    const extension: JsonValue | undefined = extensions[prefix];
    if (!isObject(extension) || extension["parent_session_id"] !== parent) continue;
    return { session: parent, relation: oneOfWords(extension, "relation", RELATIONS) ?? "subagent" };
  }
  return { session: parent, relation: "subagent" };
}
