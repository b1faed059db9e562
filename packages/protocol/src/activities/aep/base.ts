import { isObject, type JsonObject } from "../../json.ts";
import type { ActivityAttachment, ActivityBase, ActivityParent } from "../activity.ts";
import { type EventIdentity, omitUndefined, omitUndefinedOrEmpty } from "../build-activity.ts";
import { EMPTY_OBJECT, firstText, nonEmptyText, nonNegative, objectList, objectMember, oneOfWords, textList } from "../members.ts";
import {
  type CountBasis,
  collectSupplied,
  collectSuppliedAs,
  EVENT_BASIS,
  SESSION_BASIS,
  type SuppliedTally,
  type SuppliedValues,
  toSupplied,
  UNKNOWN_BASIS,
} from "../supplied.ts";

const RELATIONS = ["subagent", "fork", "resume", "continuation"] as const;
/** More than a person looks at. */
const MAX_ATTACHMENTS = 32;

function chooseCountBasis(type: string, isChild: boolean): CountBasis {
  switch (type) {
    case "session.end":
      return SESSION_BASIS;
    case "subagent.stop":
      // Reported by the child, it concerns the child's whole session; reported by the parent, it is one event among many.
      return isChild ? SESSION_BASIS : EVENT_BASIS;
    case "action.completed":
    case "action.failed":
    case "model.thought":
    case "model.response":
      return EVENT_BASIS;
    default:
      return UNKNOWN_BASIS;
  }
}

/** Reads the envelope and its context objects. */
export function readAepBase(event: JsonObject, { session: sessionId, agent, type }: EventIdentity): ActivityBase {
  const session = objectMember(event, "session") ?? EMPTY_OBJECT;
  const model = objectMember(event, "model") ?? EMPTY_OBJECT;
  const extensions = objectMember(event, "extensions");
  const parent = parentOf(session, sessionId);
  const supplied = suppliedIn(event, extensions, chooseCountBasis(type, parent !== undefined));
  return omitUndefined<ActivityBase>({
    protocol: "aep",
    type,
    session: sessionId,
    agent,
    agentName: nonEmptyText(objectMember(event, "agent") ?? EMPTY_OBJECT, "display_name"),
    eventId: nonEmptyText(event, "id"),
    at: nonEmptyText(event, "time"),
    parent,
    conversation: nonEmptyText(session, "conversation_id"),
    turn: nonEmptyText(session, "turn_id"),
    workspace: workspaceOf(event) ?? supplied.workspace,
    model: firstText(model, "id", "display_name") ?? supplied.model,
    provider: nonEmptyText(model, "provider") ?? supplied.provider,
    tokens: supplied.tokens,
    costUsd: supplied.costUsd,
    context: supplied.context,
    attachments: attachmentsOf(event),
    metadata: extensions,
  });
}

/** Metrics are the protocol's own place for numbers, so they are read first. */
function suppliedIn(event: JsonObject, extensions: JsonObject | undefined, basis: CountBasis): SuppliedValues {
  const { metrics, model } = event;
  let tally = isObject(metrics) ? collectSupplied(undefined, metrics) : undefined;
  if (isObject(model)) tally = collectSuppliedAs(tally, "usage", model["usage"], model);
  if (extensions !== undefined) tally = collectExtensions(tally, extensions);
  return toSupplied(tally, basis);
}

/** The parent, if the event names one for its own session; the child is then the emitter. */
function parentOf(session: JsonObject, sessionId: string): ActivityParent | undefined {
  const parent = session["parent"];
  if (!isObject(parent)) return undefined;
  const id = firstText(parent, "conversation_id", "session_id", "id");
  if (id === undefined || id === sessionId || id === session["conversation_id"]) return undefined;
  return omitUndefined<ActivityParent>({
    session: id,
    relation: oneOfWords(parent, "relation", RELATIONS),
    callId: nonEmptyText(parent, "spawning_action_id"),
  });
}

function workspaceOf(event: JsonObject): string | undefined {
  const { workspace } = event;
  if (!isObject(workspace)) return undefined;
  return firstText(workspace, "cwd", "project_path") ?? textList(workspace, "roots")?.[0];
}

/** Metadata of the attachments, without their data. */
function attachmentsOf(event: JsonObject): readonly ActivityAttachment[] | undefined {
  if (event["attachments"] === undefined) return undefined;
  const found: ActivityAttachment[] = [];
  for (const one of objectList(event, "attachments").slice(0, MAX_ATTACHMENTS)) {
    const attachment = omitUndefinedOrEmpty<ActivityAttachment>({
      type: nonEmptyText(one, "type"),
      name: nonEmptyText(one, "name"),
      mimeType: nonEmptyText(one, "mime_type"),
      url: nonEmptyText(one, "url"),
      sizeBytes: nonNegative(one, "size_bytes"),
    });
    if (attachment !== undefined) found.push(attachment);
  }
  return found.length === 0 ? undefined : found;
}

/** Reads extensions: names that begin with `x-` (`x-cost-usd` is `cost_usd`), and one object per vendor. */
function collectExtensions(tally: SuppliedTally | undefined, extensions: JsonObject): SuppliedTally | undefined {
  let found = tally;
  for (const key in extensions) {
    const value = extensions[key];
    found = collectSuppliedAs(found, plainName(key), value, extensions);
    if (isObject(value)) found = collectSupplied(found, value);
  }
  return found;
}

function plainName(key: string): string {
  return key.startsWith("x-") ? key.slice(2).replaceAll("-", "_") : key;
}

/** Text of an extension under one of these names. */
export function extensionText(event: JsonObject, ...names: readonly string[]): string | undefined {
  const { extensions } = event;
  if (!isObject(extensions)) return undefined;
  for (const name of names) {
    const value = extensions[`x-${name}`];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}
