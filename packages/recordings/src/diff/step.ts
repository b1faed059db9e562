import type { ProtocolName } from "@earshot/protocol";

/**
 * One meaningful action of an agent, joined from all its activities: a call from request to outcome, a question with its answer, a
 * complete output. Ids, times, heartbeats and percentages are excluded, so that runs can be compared. Texts come from the agent,
 * untrusted and shortened.
 */
export interface RunStep {
  readonly kind: StepKind;
  /** The display name: `Call Bash`, `Thought`, `Asks for confirmation`. */
  readonly name: string;
  /** At most one facet of each name. */
  readonly facets: readonly Facet[];
}

export type StepKind =
  | "opened"
  | "task"
  | "state"
  | "call"
  | "request"
  | "subagent"
  | "output"
  | "thought"
  | "goal"
  | "decision"
  | "uncertainty"
  | "plan"
  | "memory"
  | "external"
  | "workspace"
  | "compaction"
  | "notification"
  | "error"
  | "handoff"
  | "event"
  | "closed";

/** One property of a step. */
export interface Facet {
  readonly name: FacetName;
  /** The original text, shortened. */
  readonly text: string;
  /**
   * The comparison key, equal for texts with the same meaning: workspace paths, ids and times are normalized. A digest for long texts.
   */
  readonly same: string;
}

/**
 * The label of each facet, and the significance of a difference. A `course` difference is a divergence of the runs. With a `detail`
 * difference the action is the same, but its wording or result differs.
 */
export const FACETS = {
  agent: { label: "Agent", weight: "course", place: "part" },
  tool: { label: "Tool", weight: "course", place: "name" },
  type: { label: "Type", weight: "course", place: "name" },
  request: { label: "Kind", weight: "course", place: "name" },
  child: { label: "Subagent", weight: "course", place: "name" },
  operation: { label: "Operation", weight: "course", place: "name" },
  state: { label: "State", weight: "course", place: "head" },
  status: { label: "Status", weight: "course", place: "head" },
  outcome: { label: "Outcome", weight: "course", place: "head" },
  subject: { label: "Input", weight: "course", place: "words" },
  target: { label: "Target", weight: "course", place: "words" },
  task: { label: "Words", weight: "course", place: "words" },
  goal: { label: "Goal", weight: "course", place: "part" },
  decision: { label: "Decision", weight: "course", place: "part" },
  answer: { label: "Answer", weight: "course", place: "part" },
  prompt: { label: "Question", weight: "detail", place: "words" },
  text: { label: "Words", weight: "detail", place: "words" },
  input: { label: "Whole input", weight: "detail", place: "hidden" },
  result: { label: "Result", weight: "detail", place: "part" },
  error: { label: "Error", weight: "detail", place: "part" },
  code: { label: "Error code", weight: "detail", place: "part" },
  reason: { label: "Reason", weight: "detail", place: "part" },
  items: { label: "Items", weight: "detail", place: "part" },
  data: { label: "Data", weight: "detail", place: "hidden" },
} as const satisfies Record<string, FacetKind>;

export type FacetName = keyof typeof FACETS;

interface FacetKind {
  readonly label: string;
  readonly weight: "course" | "detail";
  /** The position in a step's line: in the name, directly after it, as the step's words, at the end, or shown only if it differs. */
  readonly place: "name" | "head" | "words" | "part" | "hidden";
}

/** The steps of one session, in the order in which they began. */
export interface RunLane {
  readonly session: string;
  readonly protocol: ProtocolName;
  /** The agent's display name or id; empty if neither is known. */
  readonly agent: string;
  readonly steps: readonly RunStep[];
  /** The parent's lane, and the number of the parent's steps before this lane began. */
  readonly parent?: { readonly lane: number; readonly step: number };
}

/** The content of one recording or session, prepared for comparison. */
export interface RecordedRun {
  /** The name given by the user. */
  readonly name: string;
  readonly protocols: readonly ProtocolName[];
  readonly events: number;
  /** Parents precede their children. */
  readonly lanes: readonly RunLane[];
  readonly sums: RunSums;
  /** Number of lines that are not an event of any protocol. */
  readonly unread: number;
  /** Number of steps above the limit, which are not in the lanes. */
  readonly dropped: number;
}

/** The totals of a run. Values that were not reported are absent. */
export interface RunSums {
  readonly durationMs?: number;
  readonly costUsd?: number;
  readonly tokens?: { readonly input?: number; readonly output?: number; readonly total?: number };
  readonly calls: number;
  readonly failedCalls: number;
  readonly errors: number;
  /** Number of calls per tool, the most used first. */
  readonly tools: ReadonlyMap<string, number>;
  /** Number of requests by kind and answer: `confirmation, accept`. */
  readonly answers: ReadonlyMap<string, number>;
}

export function facetOf({ facets }: RunStep, name: FacetName): Facet | undefined {
  return facets.find((facet) => facet.name === name);
}
