import { readFileSync } from "node:fs";
import type { JsonValue } from "@earshot/protocol/json";
import { parse } from "yaml";
import { shippedAgents } from "../files/shipped-agents.ts";

/** The output the agent's documentation specifies: standard output as JSON or text, or an exit code with standard error. */
type Said = JsonValue | { readonly exit: number; readonly stderr: string };

/**
 * One row per set of hooks with the same answers.
 *
 * `words` lists the results of allow, deny, ask, defer, block, continue, stop and abstain, in this order. `~` before a word means that
 * nothing is lost; `ask/deny` means that the answer for ask is given and results in deny. `says` lists the answers, with `M` for the
 * message and `m` where it is optional.
 */
export interface ExpectedRow {
  readonly hooks: string;
  readonly words: string;
  readonly says: Readonly<Record<string, Said>>;
  /** Whether a tool is about to run, so that a changed input must not get lost. */
  readonly action?: true;
  readonly input?: AdditionPlace & { readonly merges?: true };
  readonly context?: AdditionPlace;
  readonly note?: AdditionPlace;
}

/** The answers that may carry an addition, and its dotted paths; "" is the whole standard output. */
export interface AdditionPlace {
  readonly with: string;
  readonly at: readonly string[];
}

interface Expected {
  readonly slug: string;
  /** The AEP types of each hook. A key is a hook or one sample of it; "" is no event. */
  readonly types: Readonly<Record<string, string>>;
  readonly answers: {
    /** The output for no opinion. */
    readonly neutral: string;
    readonly rows: readonly ExpectedRow[];
    /** Hooks that take no answer. */
    readonly silent: string;
  };
}

export const EXPECTED: readonly Expected[] = shippedAgents().map((slug) => {
  const text = readFileSync(new URL(`../../agents/${slug}/expected.yaml`, import.meta.url), "utf8");
  return { slug, ...(parse(text) as Omit<Expected, "slug">) };
});
