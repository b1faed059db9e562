import type { ProtocolName } from "@earshot/protocol";

/**
 * One meaningful thing that an agent did, put together from all that was said about it: a call from request to outcome, a
 * question with its answer, an output whole. Ids, times, heartbeats and percentages are no part of it, so that two runs can be
 * laid side by side. Texts are the agent's own, untrusted, and cut.
 */
export interface Step {
  readonly kind: StepKind;
  /** What it is called for people: `Call Bash`, `Thought`, `Asks for confirmation`. */
  readonly name: string;
  /** At most one of each name. */
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

/** One thing that can be said about a step. */
export interface Facet {
  readonly name: FacetName;
  /** As it was said, cut. */
  readonly text: string;
  /** Equal for texts that mean the same: paths below the workspace, ids and times made alike. Of a long one a digest. */
  readonly same: string;
}

/**
 * What a facet is called, and what it means that two differ. In the `course` two runs part ways; in a `detail` they do the same and say or
 * get something else.
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
  /** Where a step's line has it: in its name already, right after it, as its words, at the end, or nowhere unless it differs. */
  readonly place: "name" | "head" | "words" | "part" | "hidden";
}

/** The steps of one session, in the order in which they began. */
export interface Lane {
  readonly session: string;
  readonly protocol: ProtocolName;
  /** The agent's name for people, or its id; empty where nobody has one. */
  readonly agent: string;
  readonly steps: readonly Step[];
  /** The lane of its parent, and after how many of the parent's steps it began. */
  readonly parent?: { readonly lane: number; readonly step: number };
}

/** Everything that one recording or session holds, ready to be compared. */
export interface Run {
  /** What a person called it. */
  readonly name: string;
  readonly protocols: readonly ProtocolName[];
  readonly events: number;
  /** Parents stand before their children. */
  readonly lanes: readonly Lane[];
  readonly sums: Sums;
  /** Lines that are no event of any protocol. */
  readonly unread: number;
  /** Steps beyond the bound, which are not in the lanes. */
  readonly dropped: number;
}

/** What a run amounts to. What nobody supplied is left out. */
export interface Sums {
  readonly durationMs?: number;
  readonly costUsd?: number;
  readonly tokens?: { readonly input?: number; readonly output?: number; readonly total?: number };
  readonly calls: number;
  readonly failedCalls: number;
  readonly errors: number;
  /** How often each tool was called, the most used first. */
  readonly tools: ReadonlyMap<string, number>;
  /** What was asked and how it was answered: `confirmation, accept`. */
  readonly answers: ReadonlyMap<string, number>;
}

export function facetOf({ facets }: Step, name: FacetName): Facet | undefined {
  return facets.find((facet) => facet.name === name);
}
