import type { Question, QuestionChange } from "@earshot/aaep/speaking";
import type { AaepSession } from "./aaep-session.ts";
import type { Producer, WrittenEvent } from "./event-writer.ts";

/** The interface of an agent to its session. */
export interface AaepSessionPorts {
  readonly producer: Producer;
  readonly language: string;
  /** Wall clock. */
  now(): number;
  /** A monotonic clock. */
  elapsedMs(): number;
  /** A prefix and 128 random bits. */
  newId(prefix: "evt" | "sess" | "call" | "out" | "rpl"): string;
  /** Queues an event. Returns at once and does not throw. */
  put(written: WrittenEvent): void;
  /** Counts a dropped event. */
  ignored(): void;
  /** Asks all sources that can answer. Calls `hear` with results, possibly before returning. */
  ask(question: Question, written: WrittenEvent, hear: (news: QuestionChange) => void): void;
  withdraw(token: string): void;
  /** A person's answer to a handoff; undefined when nobody can answer. */
  acknowledge(written: WrittenEvent, timeoutMs: number, signal: AbortSignal): Promise<"taken" | "declined" | undefined>;
  /** Waits one turn of the event loop. */
  turn(): Promise<void>;
  hasEnded(session: AaepSession): void;
}
