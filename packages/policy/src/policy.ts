import type { JsonObject } from "@earshot/protocol";
import type { PathAccess, ToolType } from "./asked.ts";
import type { Fallback, HoldPolicy, HookBehaviour, PolicyMoment, PolicyRisk } from "./behaviour.ts";

/**
 * The user's advance decisions: rules in order, of which the first that matches decides. Plain data with all defaults filled in, so it
 * can be written as JSON and read back without a YAML parser.
 */
export interface Policy {
  readonly rules: readonly PolicyRule[];
}

export interface PolicyRule {
  /** Unique in its policy; the names of preset rules begin with the preset's name: `guard/destructive`. */
  readonly name: string;
  readonly from: RuleOrigin;
  /** Every criterion must hold; without any, the rule matches at every moment at which its answer is possible. */
  readonly match: RuleMatch;
  /** Exceptions from `match`. */
  readonly except?: RuleMatch;
  readonly answer: HookBehaviour;
  /** For the agent or the user. */
  readonly message?: string;
  /** A merge patch (RFC 7396) on the raw input. */
  readonly updatedInput?: JsonObject;
  readonly unanswered: Fallback;
  readonly unreachable: Fallback;
  readonly hold: HoldPolicy;
  readonly holdForMs: number;
}

export interface RuleOrigin {
  /** The file's name: `policy.yaml`, or a preset's name. */
  readonly file: string;
  readonly line: number;
}

/** A list matches if one of its members does. */
export interface RuleMatch {
  readonly moment?: readonly PolicyMoment[];
  readonly agent?: readonly TextPattern[];
  readonly session?: readonly TextPattern[];
  readonly tool?: readonly TextPattern[];
  readonly toolType?: readonly ToolType[];
  readonly server?: readonly TextPattern[];
  readonly skill?: readonly TextPattern[];
  /** Matched against every simple command, word by word; see docs/policy.md. */
  readonly command?: readonly TextPattern[];
  /** Ids of the catalogue of dangers, or `any`. */
  readonly danger?: readonly string[];
  /** Whether everything in it is understood and known to be harmless. */
  readonly harmless?: boolean;
  /** Whether a shell command could be parsed, or a tool's arguments could be read. */
  readonly inspectable?: boolean;
  readonly path?: readonly TextPattern[];
  readonly access?: readonly PathAccess[];
  readonly cwd?: readonly TextPattern[];
  /** The higher of the agent's rating and the policy's. */
  readonly risk?: readonly PolicyRisk[];
  readonly reversible?: boolean;
  readonly attended?: boolean;
}

/** A literal text or glob, or a pattern in RE2's syntax. */
export type TextPattern = string | { readonly regex: string };

export const DEFAULT_HOLD_MS = 10 * 60_000;
export const MIN_HOLD_MS = 10_000;
export const MAX_HOLD_MS = 24 * 3_600_000;

/** No rules: everything is left to the agent. Used if the file does not exist. */
export const EMPTY_POLICY: Policy = { rules: [] };

export const RULE_DEFAULTS = {
  unanswered: "ask",
  unreachable: "ask",
  hold: "when-someone-listens",
  holdForMs: DEFAULT_HOLD_MS,
} as const satisfies Partial<PolicyRule>;
