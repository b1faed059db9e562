import type { Severity } from "@earshot/protocol";
import { type Bucket, type StateName, TRACE_STATES, type TraceMoment } from "../trace.ts";

/** The maximum number of buckets; when it is reached, adjacent pairs are merged. */
const MAX_BUCKETS = 512;

type Writable = { -readonly [Key in keyof Bucket]: Bucket[Key] } & {
  readonly stateMs: number[];
  readonly stateEvents: number[];
  readonly violations: Record<Severity, number>;
};

/** The state of a section after an event. */
export interface SectionStanding {
  readonly state: StateName;
  readonly tools: number;
  readonly subagents: number;
  readonly requests: number;
}

/** The counts that an event adds. */
export type AddedCounts = Partial<Pick<Bucket, "toolsStarted" | "toolsFailed" | "requestsAsked" | "characters">>;

/** Divides a section's events into a bounded number of equal portions; the portions grow with the recording. */
export class Buckets {
  #buckets: Writable[] = [];
  #portion = 1;

  /** Starts an event. The time since the previous event belongs to the state before this one. */
  open(at: TraceMoment, since: TraceMoment | undefined, before: StateName): void {
    let bucket = this.#buckets.at(-1);
    if (bucket === undefined || bucket.events >= this.#portion) {
      if (this.#buckets.length === MAX_BUCKETS) this.#halve();
      bucket = this.#buckets.at(-1);
      if (bucket === undefined || bucket.events >= this.#portion) {
        bucket = empty(at);
        this.#buckets.push(bucket);
      }
    }
    bucket.events++;
    bucket.to = at;
    add(bucket.stateMs, before, Math.max(0, (at.ms ?? 0) - (since?.ms ?? at.ms ?? 0)));
  }

  /** Finishes the event. */
  close({ state, tools, subagents, requests }: SectionStanding, added: AddedCounts): void {
    const bucket = this.#buckets.at(-1);
    if (bucket === undefined) return;
    add(bucket.stateEvents, state, 1);
    bucket.tools = Math.max(bucket.tools, tools);
    bucket.subagents = Math.max(bucket.subagents, subagents);
    bucket.requests = Math.max(bucket.requests, requests);
    bucket.toolsStarted += added.toolsStarted ?? 0;
    bucket.toolsFailed += added.toolsFailed ?? 0;
    bucket.requestsAsked += added.requestsAsked ?? 0;
    bucket.characters += added.characters ?? 0;
  }

  violated(entry: number, severity: Severity): void {
    const bucket = this.#buckets.find(({ to }) => entry <= to.entry) ?? this.#buckets.at(-1);
    if (bucket !== undefined) bucket.violations[severity]++;
  }

  all(): readonly Bucket[] {
    return this.#buckets;
  }

  #halve(): void {
    const halved: Writable[] = [];
    for (let index = 0; index < this.#buckets.length; index += 2) {
      const first = this.#buckets[index];
      const second = this.#buckets[index + 1];
      if (first === undefined) continue;
      halved.push(second === undefined ? first : merge(first, second));
    }
    this.#buckets = halved;
    this.#portion *= 2;
  }
}

function empty(at: TraceMoment): Writable {
  return {
    from: at,
    to: at,
    events: 0,
    stateMs: TRACE_STATES.map(() => 0),
    stateEvents: TRACE_STATES.map(() => 0),
    tools: 0,
    subagents: 0,
    requests: 0,
    toolsStarted: 0,
    toolsFailed: 0,
    requestsAsked: 0,
    characters: 0,
    violations: { error: 0, warning: 0, info: 0 },
  };
}

function add(counts: number[], state: StateName, amount: number): void {
  const index = TRACE_STATES.indexOf(state);
  counts[index] = (counts[index] ?? 0) + amount;
}

/** Combines two portions. */
function merge(one: Writable, other: Writable): Writable {
  return {
    from: one.from,
    to: other.to,
    events: one.events + other.events,
    stateMs: one.stateMs.map((ms, index) => ms + (other.stateMs[index] ?? 0)),
    stateEvents: one.stateEvents.map((count, index) => count + (other.stateEvents[index] ?? 0)),
    tools: Math.max(one.tools, other.tools),
    subagents: Math.max(one.subagents, other.subagents),
    requests: Math.max(one.requests, other.requests),
    toolsStarted: one.toolsStarted + other.toolsStarted,
    toolsFailed: one.toolsFailed + other.toolsFailed,
    requestsAsked: one.requestsAsked + other.requestsAsked,
    characters: one.characters + other.characters,
    violations: {
      error: one.violations.error + other.violations.error,
      warning: one.violations.warning + other.violations.warning,
      info: one.violations.info + other.violations.info,
    },
  };
}
