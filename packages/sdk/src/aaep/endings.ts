import { own } from "../plain/own.ts";
import { toOneOf, toUri } from "./facts.ts";
import type { CancelOptions, CompleteOptions, FailOptions } from "./session-options.ts";
import { MAX_CHARACTERS, toSummaries, toWords, toWordsOr } from "./words.ts";

type Payload = Readonly<Record<string, unknown>>;

const CANCELLERS = ["user", "producer", "timeout", "system"] as const;
const CATEGORIES = ["transient", "permanent", "requires_user", "unknown"] as const;
const CANCELLED_WORDS = {
  user: "Stopped by a person.",
  producer: "Called off by the agent.",
  timeout: "Time ran out.",
  system: "Called off by the system.",
} as const;

export function toCompleted(options: CompleteOptions | undefined, facts: Payload): Payload {
  const { summary, outputSummary, resultUri } = own(options);
  return {
    ...toSummaries(summary, "Done."),
    ...facts,
    output_summary: toWords(outputSummary, MAX_CHARACTERS.text),
    result_uri: toUri(resultUri),
  };
}

export function toErrored(message: string, options: FailOptions | undefined): Payload {
  const { summary, category, code, recoverable, remedy, uri } = own(options);
  return {
    ...toSummaries(summary, message),
    error_category: toOneOf(category, CATEGORIES) ?? "unknown",
    error_code: typeof code === "string" && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : undefined,
    error_uri: toUri(uri),
    recoverable: typeof recoverable === "boolean" ? recoverable : undefined,
    remediation_hint: toWords(remedy, MAX_CHARACTERS.terse),
  };
}

export interface Cancelled {
  readonly payload: Payload;
  readonly message: string;
  readonly isTimeout: boolean;
}

export function toCancelled(options: CancelOptions | undefined): Cancelled {
  const { by, reason, summary, partialResult } = own(options);
  const canceller = toOneOf(by, CANCELLERS) ?? "producer";
  const summaries = toSummaries(summary, CANCELLED_WORDS[canceller]);
  const payload = {
    ...summaries,
    cancelled_by: canceller,
    cancellation_reason: typeof reason === "string" && /^[a-z][a-z0-9_]{1,63}$/.test(reason) ? reason : undefined,
    partial_result: toWords(partialResult, MAX_CHARACTERS.text),
  };
  return { payload, message: summaries.summary_normal, isTimeout: canceller === "timeout" };
}

/** The session's ending when the work a person allowed was not done: the session did not complete. */
export function toNotDone(actions: readonly string[]): CancelOptions {
  const summary = toWordsOr(`Allowed, and not done: ${actions.join(" ")}`, "What was allowed was not done.");
  return { by: "producer", reason: "allowed_action_not_done", summary };
}
