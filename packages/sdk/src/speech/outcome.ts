import { callQuietly } from "../plain/own.ts";

export type Outcome = "completed" | "failed" | "cancelled" | "timeout";

/** The outcome of a run that threw. `AbortSignal` and everything built on it report cancellation and timeouts by the error's name. */
export function outcomeOfError(error: unknown, signal?: AbortSignal): Exclude<Outcome, "completed"> {
  const isAborted = callQuietly(() => signal?.aborted) === true;
  const name = nameOf(error);
  if (name !== "AbortError" && name !== "TimeoutError" && !isAborted) return "failed";
  const reason = isAborted ? nameOf(callQuietly(() => signal?.reason)) : undefined;
  return name === "TimeoutError" || reason === "TimeoutError" ? "timeout" : "cancelled";
}

/** Anything may be thrown, including values that throw when read. */
function nameOf(error: unknown): unknown {
  return callQuietly(() => (typeof error === "object" && error !== null && "name" in error ? error.name : undefined));
}
