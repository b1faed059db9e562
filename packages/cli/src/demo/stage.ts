import type { JsonObject } from "@earshot/protocol";

/** The functions of an actor in the story. */
export interface DemoStage {
  /** Waits in story time. Rejects when the story is cancelled. */
  pause(seconds: number): Promise<void>;
  /** Sends an event to the hub. */
  send(event: object): Promise<void>;
  /** Asks before an action and waits for a person. `unanswered` at the deadline. */
  ask(event: JsonObject): Promise<"allowed" | "denied" | "unanswered">;
  /** Prints a line for the person at the terminal. */
  print(line: string): void;
  /** Unique per run, so that stories do not mix. */
  readonly run: string;
  now(): string;
}
