import type { Question, QuestionNews } from "@earshot/aaep/speaking";
import type { AaepSession } from "./aaep-session.ts";
import type { Producer, Written } from "./event-writer.ts";

/** What a session needs of its agent. */
export interface AaepSessionPorts {
  readonly producer: Producer;
  readonly language: string;
  /** Wall clock. */
  now(): number;
  /** A clock that is never set. */
  elapsedMs(): number;
  /** A prefix and 128 random bits in letters and digits. */
  newId(prefix: "evt" | "sess" | "call" | "out" | "rpl"): string;
  /** Hands an event over. Returns at once, and does not throw. */
  put(written: Written): void;
  /** Counts something that was said in vain. */
  ignored(): void;
  /** Asks whoever can answer. What comes of it is told to `hear`, perhaps before this returns. */
  ask(question: Question, written: Written, hear: (news: QuestionNews) => void): void;
  withdraw(token: string): void;
  /** What a person says to a handoff; undefined where nobody can say anything. */
  acknowledge(written: Written, timeoutMs: number, signal: AbortSignal): Promise<"taken" | "declined" | undefined>;
  /** Lets everything run that can. */
  turn(): Promise<void>;
  hasEnded(session: AaepSession): void;
}
