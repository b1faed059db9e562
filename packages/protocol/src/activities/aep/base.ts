import { isObject, type JsonObject } from "../../json.ts";
import type { ActivityBase, Attachment, Parent } from "../activity.ts";
import { type EventIdentity, omitUndefined, omitUndefinedOrEmpty } from "../build-activity.ts";
import { amount, firstText, NOTHING, object, objects, oneOf, text, texts } from "../members.ts";
import {
  type CountBasis,
  collect,
  collectAs,
  ELSEWHERE,
  OF_EVENT,
  OF_SESSION,
  type Supplied,
  type Tally,
  toSupplied,
} from "../supplied.ts";

const RELATIONS = ["subagent", "fork", "resume", "continuation"] as const;
/** More than a person looks at. */
const MAX_ATTACHMENTS = 32;

function chooseCountBasis(type: string, isChild: boolean): CountBasis {
  switch (type) {
    case "session.end":
      return OF_SESSION;
    case "subagent.stop":
      // Reported by the child, it concerns the child's whole session; reported by the parent, it is one event among many.
      return isChild ? OF_SESSION : OF_EVENT;
    case "action.completed":
    case "action.failed":
    case "model.thought":
    case "model.response":
      return OF_EVENT;
    default:
      return ELSEWHERE;
  }
}

/** Reads the envelope and its context objects. */
export function readAepBase(event: JsonObject, { session: sessionId, agent, type }: EventIdentity): ActivityBase {
  const session = object(event, "session") ?? NOTHING;
  const model = object(event, "model") ?? NOTHING;
  const extensions = object(event, "extensions");
  const parent = parentOf(session, sessionId);
  const supplied = suppliedIn(event, extensions, chooseCountBasis(type, parent !== undefined));
  return omitUndefined<ActivityBase>({
    protocol: "aep",
    type,
    session: sessionId,
    agent,
    agentName: text(object(event, "agent") ?? NOTHING, "display_name"),
    eventId: text(event, "id"),
    at: text(event, "time"),
    parent,
    conversation: text(session, "conversation_id"),
    turn: text(session, "turn_id"),
    workspace: workspaceOf(event) ?? supplied.workspace,
    model: firstText(model, "id", "display_name") ?? supplied.model,
    provider: text(model, "provider") ?? supplied.provider,
    tokens: supplied.tokens,
    costUsd: supplied.costUsd,
    context: supplied.context,
    attachments: attachmentsOf(event),
    metadata: extensions,
  });
}

/** Metrics are the protocol's own place for numbers, so they are read first. */
function suppliedIn(event: JsonObject, extensions: JsonObject | undefined, basis: CountBasis): Supplied {
  const { metrics, model } = event;
  let tally = isObject(metrics) ? collect(undefined, metrics) : undefined;
  if (isObject(model)) tally = collectAs(tally, "usage", model["usage"], model);
  if (extensions !== undefined) tally = collectExtensions(tally, extensions);
  return toSupplied(tally, basis);
}

/** The parent, if the event names one for its own session; the child is then the emitter. */
function parentOf(session: JsonObject, sessionId: string): Parent | undefined {
  const parent = session["parent"];
  if (!isObject(parent)) return undefined;
  const id = firstText(parent, "conversation_id", "session_id", "id");
  if (id === undefined || id === sessionId || id === session["conversation_id"]) return undefined;
  return omitUndefined<Parent>({
    session: id,
    relation: oneOf(parent, "relation", RELATIONS),
    callId: text(parent, "spawning_action_id"),
  });
}

function workspaceOf(event: JsonObject): string | undefined {
  const { workspace } = event;
  if (!isObject(workspace)) return undefined;
  return firstText(workspace, "cwd", "project_path") ?? texts(workspace, "roots")?.[0];
}

/** Metadata of the attachments, without their data. */
function attachmentsOf(event: JsonObject): readonly Attachment[] | undefined {
  if (event["attachments"] === undefined) return undefined;
  const found: Attachment[] = [];
  for (const one of objects(event, "attachments").slice(0, MAX_ATTACHMENTS)) {
    const attachment = omitUndefinedOrEmpty<Attachment>({
      type: text(one, "type"),
      name: text(one, "name"),
      mimeType: text(one, "mime_type"),
      url: text(one, "url"),
      sizeBytes: amount(one, "size_bytes"),
    });
    if (attachment !== undefined) found.push(attachment);
  }
  return found.length === 0 ? undefined : found;
}

/** Reads extensions: names that begin with `x-` (`x-cost-usd` is `cost_usd`), and one object per vendor. */
function collectExtensions(tally: Tally | undefined, extensions: JsonObject): Tally | undefined {
  let found = tally;
  for (const key in extensions) {
    const value = extensions[key];
    found = collectAs(found, plainName(key), value, extensions);
    if (isObject(value)) found = collect(found, value);
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
