import { describeActivity, spaceWords } from "@earshot/narrate";
import type { Activity } from "@earshot/protocol/activities";
import { jsonInWords } from "@earshot/terminal/json-in-words";
import { TERMINAL_VOICE } from "@earshot/terminal/narration-lines";
import type { FacetName, StepKind } from "../step.ts";
import { DraftStep, type Holding } from "./draft-step.ts";

/** What is a step by itself. The others are joined, or mean nothing to a comparison: turns, progress, heartbeats. */
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

/** The step that an activity is by itself, named as its story is told. */
export function toDraft(activity: Activity, holding: Holding): DraftStep | undefined {
  const kind = KINDS[activity.kind];
  if (kind === undefined) return undefined;
  const step = new DraftStep(kind, NAMES[kind] ?? describeActivity(activity, TERMINAL_VOICE).title, holding);
  for (const [name, text] of Object.entries(facetsOf(activity))) step.set(name as FacetName, text, activity.workspace);
  return step;
}

/** Names of kinds whose telling has what a facet has. */
const NAMES: { readonly [Kind in StepKind]?: string } = { state: "State", closed: "Ended", goal: "Goal", plan: "Plan" };

type Facets = { readonly [Name in FacetName]?: string | undefined };

function facetsOf(activity: Activity): Facets {
  switch (activity.kind) {
    case "session.closed":
      return {
        outcome: activity.outcome === "unknown" ? "nobody said how" : activity.outcome,
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

/** In AOP what is its own is a payload; elsewhere the whole event, with its ids and times, which say nothing here. */
function dataOf({ data, protocol }: Extract<Activity, { kind: "custom" }>): string | undefined {
  return data === undefined || protocol !== "aop" || Object.keys(data).length === 0 ? undefined : jsonInWords(data);
}
