import type { Finding } from "./finding.ts";
import type { JsonFacts, JsonObject } from "./json.ts";
import type { LiveLifecycle } from "./live.ts";
import type { RecentMap } from "./recent-map.ts";
import type { RecordedLifecycle } from "./recorded.ts";
import type { ProtocolName, Rule } from "./rule.ts";

/** One JSON object as read in one protocol. */
export interface ProtocolReading {
  readonly protocol: ProtocolName;
  /** An event of the stream, or a message beside it: handshake, reply, hook response, manifest. */
  readonly kind: "event" | "message";
  /** Canonical name: aliases, prefixes and full URIs are resolved. `?` if there is none. */
  readonly type: string;
  /** The original object, never rewritten. Fields may have any type if findings say so. */
  readonly value: JsonObject;
  readonly eventId: string | undefined;
  readonly sessionId: string | undefined;
  readonly agentId: string | undefined;
  /**
   * Findings about this object alone. A reading with an error is still passed to the judge, so one bad field does not make the rest of
   * the session look wrong.
   */
  readonly findings: readonly Finding[];
}

/** Facts about an object besides its value; `bodyHash` is equal for a redelivered event, whose bytes are the same. */
export type ReadingFacts = Readonly<JsonFacts>;

/** A finding with its position in the stream. */
export interface TracedFinding {
  readonly finding: Finding;
  /** Line number or ledger position, as given to `handle`. */
  readonly at: number;
  readonly eventId: string | undefined;
  readonly sessionId: string | undefined;
}

/**
 * Judges a stream of readings in recording order and reports inconsistencies: any number of interleaved sessions, each with a bounded
 * state, plus checks across sessions (unique ids and reply tokens). It also reports the readings' own findings, so one place decides
 * about repetition. Findings may be reported later than their event (a tool that never ends, posts that overtake each other), never
 * before it.
 */
export interface Judge {
  handle(reading: ProtocolReading, at: number, facts: ReadingFacts): void;
  /** The recording is over: anything still open lacks its end. */
  end(): void;
  readonly sessions: number;
  /** Number of facts forgotten to stay within bounds; 0 means that every finding was exact. A shared table is counted separately. */
  readonly forgotten: number;
}

export interface JudgeOptions {
  readonly tell: (told: TracedFinding) => void;
  /** Number of ids remembered for certain; at most twice as many are. */
  readonly idCapacity?: number;
  /** A table shared with the judges of other protocols in the same recording, so one bound covers all of them. */
  readonly ids?: RecentMap<number, number>;
  /** Maximum number of open sessions before the least recently active one is set aside. */
  readonly sessionCapacity?: number;
}

/** One protocol. Every protocol has the same members. */
export interface Protocol {
  readonly name: ProtocolName;
  readonly title: string;
  /** The implemented wire version. */
  readonly version: string;
  readonly rules: Readonly<Record<string, Rule>>;
  readonly levels: readonly ConformanceLevel[];
  /** Score from 0 to 100 for how well an object fits, by its member names alone: a broken event must still be recognized. */
  recognise(value: JsonObject): number;
  read(value: JsonObject, facts: ReadingFacts): ProtocolReading;
  /** The same rules for a hub, which receives sessions live and has no end of a recording to wait for. */
  readonly live: LiveLifecycle;
  /** The same rules for a recording, which has an end. */
  readonly recorded: RecordedLifecycle;
}

/** A conformance level that an implementation may claim. */
export interface ConformanceLevel {
  readonly level: 1 | 2 | 3;
  readonly name: string;
  /** Whether warnings disqualify a recording from this level. */
  readonly warningsCount: boolean;
  /** Rules below error severity that also disqualify a recording from this level. */
  readonly alsoCount: readonly string[];
}

export const DEFAULT_ID_CAPACITY = 500_000;
export const SESSION_CAPACITY = 20_000;
