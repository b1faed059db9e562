import { ownOptions } from "../plain/own.ts";
import { MAX_TEXT_CHARACTERS, toCleanText, toCleanTextOr, toSummaryMembers } from "./clean-text.ts";
import { toOneOf, toUri } from "./facts.ts";
import type { CancelOptions, CompleteOptions, FailOptions } from "./session-options.ts";

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
  const { summary, outputSummary, resultUri } = ownOptions(options);
  return {
    ...toSummaryMembers(summary, "Done."),
    ...facts,
    output_summary: toCleanText(outputSummary, MAX_TEXT_CHARACTERS.text),
    result_uri: toUri(resultUri),
  };
}

export function toErrored(message: string, options: FailOptions | undefined): Payload {
  const { summary, category, code, recoverable, remedy, uri } = ownOptions(options);
  return {
    ...toSummaryMembers(summary, message),
    error_category: toOneOf(category, CATEGORIES) ?? "unknown",
    error_code: typeof code === "string" && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : undefined,
    error_uri: toUri(uri),
    recoverable: typeof recoverable === "boolean" ? recoverable : undefined,
    remediation_hint: toCleanText(remedy, MAX_TEXT_CHARACTERS.terse),
  };
}

export interface Cancelled {
  readonly payload: Payload;
  readonly message: string;
  readonly isTimeout: boolean;
}

export function toCancelled(options: CancelOptions | undefined): Cancelled {
  const { by, reason, summary, partialResult } = ownOptions(options);
  const canceller = toOneOf(by, CANCELLERS) ?? "producer";
  const summaries = toSummaryMembers(summary, CANCELLED_WORDS[canceller]);
  const payload = {
    ...summaries,
    cancelled_by: canceller,
    cancellation_reason: typeof reason === "string" && /^[a-z][a-z0-9_]{1,63}$/.test(reason) ? reason : undefined,
    partial_result: toCleanText(partialResult, MAX_TEXT_CHARACTERS.text),
  };
  return { payload, message: summaries.summary_normal, isTimeout: canceller === "timeout" };
}

/** The session's ending when the work a person allowed was not done: the session did not complete. */
export function toNotDone(actions: readonly string[]): CancelOptions {
  const summary = toCleanTextOr(`Allowed, and not done: ${actions.join(" ")}`, "What was allowed was not done.");
  return { by: "producer", reason: "allowed_action_not_done", summary };
}
