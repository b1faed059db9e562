import type { Finding } from "./finding.ts";
import type { JsonFacts, JsonObject } from "./json.ts";
import type { LiveLifecycle } from "./live.ts";
import type { RecentMap } from "./recent-map.ts";
import type { RecordedLifecycle } from "./recorded.ts";
import type { ProtocolName, Rule } from "./rule.ts";

/** What one JSON object turned out to be in one protocol. */
export interface Reading {
  readonly protocol: ProtocolName;
  /** An event of the stream; or a message beside it: handshake, reply, hook response, manifest. */
  readonly kind: "event" | "message";
  /** Canonical name: aliases, prefixes and full URIs are already resolved. `?` when there is none to be had. */
  readonly type: string;
  /** The object as it was said: never rewritten. Fields may have any type where findings say so. */
  readonly value: JsonObject;
  readonly eventId: string | undefined;
  readonly sessionId: string | undefined;
  readonly agentId: string | undefined;
  /** What is wrong with it alone. A reading with an error is still handed to the judge, so that one bad field does not
   *  make the rest of the session look wrong. */
  readonly findings: readonly Finding[];
}

/** What is known about an object beside its value; `bodyHash` is equal for an event delivered again, whose bytes are the same. */
export type ReadingFacts = Readonly<JsonFacts>;

/** A finding with its place in the stream. */
export interface Told {
  readonly finding: Finding;
  /** Line number or ledger position, as given to `hear`. */
  readonly at: number;
  readonly eventId: string | undefined;
  readonly sessionId: string | undefined;
}

/**
 * Hears a stream of readings in the order in which they were recorded and tells what does not fit together: any number
 * of interleaved sessions, each with a bounded state, plus what holds across sessions (unique ids and reply tokens).
 * It tells the readings' own findings too, so that one place decides what is repeated. Findings may be told later than
 * their event was heard (a tool that never ends, posts that race each other), never about one it has not heard.
 */
export interface Judge {
  hear(reading: Reading, at: number, facts: ReadingFacts): void;
  /** The recording is over: what is still open is now missing its end. */
  end(): void;
  readonly sessions: number;
  /** What had to be forgotten to stay within bounds; 0 means every answer was exact. A shared table counts for itself. */
  readonly forgotten: number;
}

export interface JudgeOptions {
  readonly tell: (told: Told) => void;
  /** How many ids are remembered for certain; at most twice as many are. */
  readonly idCapacity?: number;
  /** A table shared with the judges of other protocols in the same recording, so that one bound holds for all of them. */
  readonly ids?: RecentMap<number, number>;
  /** How many sessions may be open at once before the one silent for longest is set aside. */
  readonly sessionCapacity?: number;
}

/** One protocol: the same members for each, so that to know one is to know all. */
export interface Protocol {
  readonly name: ProtocolName;
  readonly title: string;
  /** The wire version implemented. */
  readonly version: string;
  readonly rules: Readonly<Record<string, Rule>>;
  readonly levels: readonly Level[];
  /** How well an object fits, 0 to 100, judged by its member names alone: a broken event must still be recognised. */
  recognise(value: JsonObject): number;
  read(value: JsonObject, facts: ReadingFacts): Reading;
  /** The same rules for a hub, which hears sessions live and has no end of a recording to wait for. */
  readonly live: LiveLifecycle;
  /** The same rules for a recording, which has an end. */
  readonly recorded: RecordedLifecycle;
}

/** A conformance level one may claim. */
export interface Level {
  readonly level: 1 | 2 | 3;
  readonly name: string;
  /** Whether warnings keep a recording from this level. */
  readonly warningsCount: boolean;
  /** Rules below error severity that keep a recording from this level all the same. */
  readonly alsoCount: readonly string[];
}

export const ID_CAPACITY = 500_000;
export const SESSION_CAPACITY = 20_000;
