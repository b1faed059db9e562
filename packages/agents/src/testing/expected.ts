import { readFileSync } from "node:fs";
import type { JsonValue } from "@earshot/protocol/json";
import { parse } from "yaml";
import { shippedAgents } from "../files/shipped-agents.ts";

/** The output that an agent's documents ask for: standard output as JSON or text, or an exit code with standard error. */
type Said = JsonValue | { readonly exit: number; readonly stderr: string };

/**
 * One row per set of hooks that read the same answers.
 *
 * `words` are what allow, deny, ask, defer, block, continue, stop and abstain come to, in this order: `~` before a word says that
 * nothing is lost by it, `ask/deny` that the answer for ask is given and comes to deny.
 * `says` are the answers, with `M` where the message stands; `m` where it may be left out.
 */
export interface Row {
  readonly hooks: string;
  readonly words: string;
  readonly says: Readonly<Record<string, Said>>;
  /** Whether a tool is about to run, so that a changed input must not get lost. */
  readonly action?: true;
  readonly input?: Place & { readonly merges?: true };
  readonly context?: Place;
  readonly note?: Place;
}

/** With which answers something may be added, and at which dotted path or paths; "" is the whole of standard output. */
export interface Place {
  readonly with: string;
  readonly at: readonly string[];
}

/** The file `expected.yaml` of an agent. */
interface Expected {
  readonly slug: string;
  /** Which AEP types each hook becomes. A key is a hook, or one sample of it; "" is no event. */
  readonly types: Readonly<Record<string, string>>;
  readonly answers: {
    /** What is printed for no opinion. */
    readonly neutral: string;
    readonly rows: readonly Row[];
    /** Hooks at which nothing can be said at all. */
    readonly silent: string;
  };
}

export const EXPECTED: readonly Expected[] = shippedAgents().map((slug) => {
  const text = readFileSync(new URL(`../../agents/${slug}/expected.yaml`, import.meta.url), "utf8");
  return { slug, ...(parse(text) as Omit<Expected, "slug">) };
});
