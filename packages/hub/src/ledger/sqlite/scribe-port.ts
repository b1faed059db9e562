import type { CutReason } from "../ledger.ts";
import type { Draft, Written } from "./draft.ts";

/**
 * The scribe as the ledger sees him, in the same thread or in another. He does one thing after the other, in the order in
 * which he was asked; only removals are taken in steps, between which drafts are written.
 */
export interface ScribePort {
  /** Never rejects: what could not be written is said. */
  write(draft: Draft): Promise<Written>;
  /** Removes entries in steps. `begun` is called after the first, which is the one that makes them unreadable. */
  remove(removal: RemovalTask, begun: () => void): Promise<number>;
  /** What was left of removals that an earlier process began is gone. */
  readonly resumed: Promise<void>;
  /** Seals what was written, and closes the file. Nothing may be under way. */
  close(): Promise<void>;
}

export type RemovalTask =
  | { readonly what: "cut"; readonly session: number; readonly reason: CutReason; readonly upTo: number | undefined }
  | { readonly what: "erase"; readonly session: number; readonly position: number }
  | { readonly what: "forget refused"; readonly position: number }
  | { readonly what: "give back" }
  /** Removes nothing: what is in the log is written back to the file. */
  | { readonly what: "write back" };

export interface ScribeOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sealEveryMs: number;
  readonly onFailure: (error: unknown) => void;
}
