import type { JsonObject } from "@earshot/protocol";

/** What an actor of the story can do. */
export interface Stage {
  /** Waits, by the clock of the story. Rejects when the story is broken off. */
  pause(seconds: number): Promise<void>;
  /** Says something to the hub. */
  say(event: object): Promise<void>;
  /** Asks before something happens, and waits for a person. `unanswered` where nobody said anything in time. */
  ask(event: JsonObject): Promise<"allowed" | "denied" | "unanswered">;
  /** Tells the person at the terminal what is going on. */
  tell(line: string): void;
  /** Different in every run, so that stories do not mix. */
  readonly run: string;
  now(): string;
}
