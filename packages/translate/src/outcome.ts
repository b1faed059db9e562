export type Outcome = "completed" | "failed" | "cancelled" | "timeout";

/** Words in use for how something ended. Others (`logout`, `window_close`) say that it ended, not how. */
const WORDS: ReadonlyMap<string, Outcome> = new Map([
  ...["completed", "complete", "success", "succeeded", "done", "ok"].map((word) => [word, "completed"] as const),
  ...["failed", "failure", "error", "errored"].map((word) => [word, "failed"] as const),
  ...["cancelled", "canceled", "aborted", "abort", "interrupted"].map((word) => [word, "cancelled"] as const),
  ...["timeout", "timed_out"].map((word) => [word, "timeout"] as const),
]);

export function outcomeOf(word: string | undefined): Outcome | undefined {
  return word === undefined ? undefined : WORDS.get(word);
}

/** The same for a call. */
export function callOutcomeOf(word: string | undefined): "succeeded" | "failed" | "cancelled" | "timeout" | undefined {
  const outcome = outcomeOf(word);
  return outcome === "completed" ? "succeeded" : outcome;
}
