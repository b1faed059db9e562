import type { AskedDescription, Explanation, Moment, PolicyChange, Trouble } from "@earshot/policy";
import type { RuleView } from "../policy/policy-view.ts";
import type { Trial } from "./trial.ts";

/**
 * What the hub answers about rules that somebody reads, tries or writes, over HTTP. Nothing of it changes anything, but for
 * `POST /api/policy/text`. Problems have the usual shape; those of rules are `RULES_INVALID`, `DIGEST_DIFFERS`,
 * `PAYLOAD_UNUSABLE`, `OVERLOADED`. What else there is about rules is in requests/api.ts.
 *
 * | route | who | body → answer |
 * |---|---|---|
 * | `GET /api/policy/rules` | viewer | → `PolicyRules`: those that count, in words, and the file as it stands |
 * | `POST /api/policy/check` | viewer | `{text}` → `PolicyCheck`: what is wrong with it, and what it would change |
 * | `POST /api/policy/try` | viewer | `{text, limit?}` → `PolicyTrial`: what it would have answered to what was asked before |
 * | `POST /api/policy/explain` | viewer | `ExplainBody` → `PolicyExplanation`: which rule decides something, and why |
 * | `POST /api/policy/text` | approver | `PolicyTextBody`: writes the file → `PolicyView` |
 */
export interface PolicyRules {
  /** In the order in which they are asked: the first that matches decides. */
  readonly rules: readonly RuleView[];
  /** The file, which may say something else than what counts. `hash` is the `base` of whoever changes it; null: it cannot be read. */
  readonly file: { readonly hash: string | null; readonly text: string | null };
  /** Those of repositories, which tighten what is done there. */
  readonly repositories: readonly { readonly path: string; readonly rules: readonly RuleView[] }[];
}

export interface PolicyCheck {
  /** False when it has errors: then nothing of it would count, and the rest is empty. */
  readonly ok: boolean;
  readonly troubles: readonly Trouble[];
  readonly rules: number;
  /** What it changes about the rules that count. */
  readonly changes: readonly PolicyChange[];
  /** Names this change: whoever accepts it, with what it lets through, says so with this. Null when nothing has to be accepted. */
  readonly accepts: string | null;
}

/** `limit`: how many of the last asks are tried; 10,000 if nothing is said, 100,000 at most. */
export interface TryBody {
  readonly text: string;
  readonly limit?: number;
}

/** Compared with the rules that count now; `happened` is what came of it then. Rules of repositories are not tried. */
export interface PolicyTrial extends Trial {
  /** Whether everything that is recorded was tried, and not only the last of it. */
  readonly isAll: boolean;
}

/** One of `payload`, `request` and `position`. With `text`, by that text instead of the rules that count. */
export interface ExplainBody {
  /** An AEP or AAEP event, what a coding agent gives its hook, or `{tool, command, cwd …}`. */
  readonly payload?: object;
  /** The id of a request. */
  readonly request?: string;
  /** Where something that asks is recorded. */
  readonly position?: number;
  readonly text?: string;
}

export interface PolicyExplanation {
  readonly asked: {
    readonly moment: Moment;
    readonly agent: string | null;
    readonly tool: string | null;
    readonly cwd: string | null;
  };
  /** What was found in it. */
  readonly found: AskedDescription;
  readonly ruling: Omit<Explanation["ruling"], "updatedInput"> & { readonly changesInput: boolean };
  /** Every rule, in order; granted ones first, those of a repository last. */
  readonly steps: Explanation["steps"];
}

/** `base`: the hash of the file that was changed. `accepts`: of `PolicyCheck`, by an approver who has seen what it lets through. */
export interface PolicyTextBody {
  readonly text: string;
  readonly base: string;
  readonly accepts?: string;
}
