import { describeActivity, spaceWords } from "@earshot/narrate";
import type { Activity } from "@earshot/protocol/activities";
import { jsonInWords } from "@earshot/terminal/json-in-words";
import { TERMINAL_VOICE } from "@earshot/terminal/narration-lines";
import type { FacetName, StepKind } from "../step.ts";
import { DraftStep, type SharedTexts } from "./draft-step.ts";

/**
 * Activities that form a step of their own. The others are joined to steps or irrelevant to a comparison: turns, progress, heartbeats.
 */
const KINDS: { readonly [Kind in Activity["kind"]]?: StepKind } = {
  "session.opened": "opened",
  "session.closed": "closed",
  prompt: "task",
  state: "state",
  goal: "goal",
  decision: "decision",
  uncertainty: "uncertainty",
  plan: "plan",
  memory: "memory",
  "external.call": "external",
  "workspace.changed": "workspace",
  "context.compacted": "compaction",
  notification: "notification",
  error: "error",
  handoff: "handoff",
  custom: "event",
};

/** The step of a single activity, named as in the narration; undefined if it forms no step. */
export function toDraftStep(activity: Activity, holding: SharedTexts): DraftStep | undefined {
  const kind = KINDS[activity.kind];
  if (kind === undefined) return undefined;
  const step = new DraftStep(kind, NAMES[kind] ?? describeActivity(activity, TERMINAL_VOICE).title, holding);
  for (const [name, text] of Object.entries(facetsOf(activity))) step.set(name as FacetName, text, activity.workspace);
  return step;
}

/** Fixed names for kinds whose narrated title repeats a facet. */
const NAMES: { readonly [Kind in StepKind]?: string } = { state: "State", closed: "Ended", goal: "Goal", plan: "Plan" };

type Facets = { readonly [Name in FacetName]?: string | undefined };

function facetsOf(activity: Activity): Facets {
  switch (activity.kind) {
    case "session.closed":
      return {
        outcome: activity.outcome === "unknown" ? "outcome unknown" : activity.outcome,
        text: activity.result ?? activity.summary,
        error: activity.error,
        code: activity.code,
      };
    case "prompt":
      return { task: activity.text };
    case "state":
      return { state: spaceWords(activity.to) };
    case "goal":
      return { task: activity.text, status: activity.status === undefined ? undefined : spaceWords(activity.status) };
    case "decision":
    case "uncertainty":
      return { text: activity.text };
    case "plan":
      return {
        items:
          activity.items.map(({ text, status }) => `${text}${status === undefined ? "" : ` (${spaceWords(status)})`}`).join("\n") ||
          activity.text,
      };
    case "memory":
      return { operation: activity.operation, target: activity.key, text: activity.summary };
    case "external.call":
      return { operation: activity.method, target: activity.target, outcome: statusInWords(activity.status), error: activity.error };
    case "workspace.changed":
      return { operation: activity.change, target: activity.path };
    case "context.compacted":
      return { text: activity.summary };
    case "notification":
      return { text: activity.text };
    case "error":
      return { text: activity.message, code: activity.code };
    case "handoff":
      return { target: activity.to, reason: activity.reason };
    case "custom":
      return { type: activity.type, text: activity.summary, data: dataOf(activity) };
    default:
      return {};
  }
}

function statusInWords(status: number | undefined): string | undefined {
  return status === undefined ? undefined : `status ${status}`;
}

/**
 * The data of an AOP custom event is its payload. In the other protocols it is the whole event with ids and times, which are irrelevant
 * here.
 */
function dataOf({ data, protocol }: Extract<Activity, { kind: "custom" }>): string | undefined {
  return data === undefined || protocol !== "aop" || Object.keys(data).length === 0 ? undefined : jsonInWords(data);
}
