import { quietly } from "../plain/own.ts";

export type Outcome = "completed" | "failed" | "cancelled" | "timeout";

/**
 * How a run ended that ended by an error. `AbortSignal` and everything built on it tell by the error's name whether
 * somebody called it off or time ran out.
 */
export function outcomeOf(error: unknown, signal?: AbortSignal): Exclude<Outcome, "completed"> {
  const isAborted = quietly(() => signal?.aborted) === true;
  const name = nameOf(error);
  if (name !== "AbortError" && name !== "TimeoutError" && !isAborted) return "failed";
  const reason = isAborted ? nameOf(quietly(() => signal?.reason)) : undefined;
  return name === "TimeoutError" || reason === "TimeoutError" ? "timeout" : "cancelled";
}

/** Anything may be thrown, also what throws when it is looked at. */
function nameOf(error: unknown): unknown {
  return quietly(() => (typeof error === "object" && error !== null && "name" in error ? error.name : undefined));
}
