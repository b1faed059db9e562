import type { JsonValue } from "@earshot/protocol";

/**
 * What the engine asks of the person's rules. The policy package answers it; anything with this shape will do. Judging is
 * pure, fast, and never throws: a rule that cannot be applied does not match.
 */
export interface Rules {
  /** `granted` come first, as far as they could decide at all; what a repository tightens stays tightened. */
  judge(asked: PutToRules, granted?: readonly GrantedRule[]): Ruling;
}

/** A rule that an approver granted for a while: as it would stand in the file, as one entry of `rules`. */
export interface GrantedRule {
  readonly name: string;
  readonly yaml: string;
}

/** When something is put to the rules. */
export type Moment =
  | "action"
  | "permission"
  | "prompt"
  | "outcome"
  | "stop"
  | "subagent-start"
  | "subagent-stop"
  | "compaction"
  | "session-start"
  | "confirmation"
  | "question"
  | "handoff";

export type Behaviour = "allow" | "deny" | "ask" | "defer" | "block" | "continue" | "stop" | "abstain";

/** Read from the raw input; the agent's own words about it are no part of it. What is unknown is left out. */
export interface PutToRules {
  readonly moment: Moment;
  readonly agent?: string;
  readonly session?: string;
  readonly tool?: string;
  /** The name before a mapping changed it: `mcp__forge__list` for `list`. */
  readonly originalTool?: string;
  readonly toolType?: "native" | "mcp" | "connector" | "extension" | "other";
  readonly server?: string;
  readonly skill?: string;
  readonly command?: string;
  /** Which shell reads it; left out: one that reads what bash reads. */
  readonly shell?: "bash" | "powershell" | "cmd" | "fish" | "unknown";
  readonly paths?: readonly { readonly path: string; readonly access?: "read" | "write" | "delete" }[];
  readonly cwd?: string;
  readonly roots?: readonly string[];
  readonly risk?: "low" | "medium" | "high";
  readonly reversible?: boolean;
  readonly attended?: boolean;
  /** Why it cannot be said what the tool does. */
  readonly unread?: string;
  readonly input?: JsonValue;
  readonly said?: string;
}

export interface Ruling {
  readonly behaviour: Behaviour;
  /** Left out where no rule matched: then nothing is said, and the agent decides as if nobody was asked. */
  readonly rule?: { readonly name: string };
  readonly message?: string;
  /** The whole input that takes the place of the raw one. */
  readonly updatedInput?: JsonValue;
  readonly hold: "when-someone-listens" | "always" | "never";
  readonly holdForMs: number;
  /** What is answered when nobody does; `ask` is the agent's own prompt. */
  readonly unanswered: "ask" | "deny" | "allow";
  readonly judged: {
    readonly risk?: "low" | "medium" | "high";
    readonly reversible?: boolean;
    /** Ids of the dangers that were found. */
    readonly dangers?: readonly string[];
  };
}

/** The action must not run merely because no approver was active. */
export function isDangerous({ judged }: Pick<Ruling, "judged">): boolean {
  return judged.risk === "high" || judged.reversible === false || (judged.dangers ?? []).length > 0;
}

/** Rules of presets are called after them, as in `guard/destructive`; no name that a person gives has a stroke in it. */
export function isOfPreset({ name }: { readonly name: string }): boolean {
  return name.includes("/");
}

const DEFAULT_HOLD_MS = 600_000;

/** What a hub without rules says: nothing. */
export const NO_RULES = {
  judge: ({ risk, reversible }: PutToRules): Ruling => ({
    behaviour: "abstain",
    hold: "when-someone-listens",
    holdForMs: DEFAULT_HOLD_MS,
    unanswered: "ask",
    judged: { ...(risk === undefined ? {} : { risk }), ...(reversible === undefined ? {} : { reversible }) },
  }),
};
