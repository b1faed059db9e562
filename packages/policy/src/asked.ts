import type { JsonValue } from "@earshot/protocol";
import type { Moment, Risk } from "./behaviour.ts";

/**
 * What is put to the policy, whatever agent or protocol it comes from. Everything but the moment may be unknown: a rule that
 * allows does not match on what is unknown, and nothing is guessed here.
 *
 * Whoever fills it in reads the raw input, not the agent's words about it: those are in `said`, and no rule sees them.
 */
export interface Asked {
  readonly moment: Moment;
  /** The agent's slug: claude, cursor, codex … */
  readonly agent?: string;
  readonly session?: string;
  /** As events name it: Bash, Edit, list. */
  readonly tool?: string;
  /** The name before a mapping changed it: mcp__forge__list for list. Rules may name either. */
  readonly originalTool?: string;
  readonly toolType?: ToolType;
  /** The MCP server a tool belongs to. */
  readonly server?: string;
  readonly skill?: string;
  /** A shell command, raw: exactly what would run. */
  readonly command?: string;
  /** Which shell reads `command`; left out: one that reads what bash reads. */
  readonly shell?: Shell;
  /** Files the tool itself names, absolute or relative to `cwd`. What a command touches is found in the command. */
  readonly paths?: readonly NamedPath[];
  readonly cwd?: string;
  /** The folder that the tool itself says the command starts in, where that is another. */
  readonly runsIn?: string;
  /** The folders the agent was opened on; `cwd` counts as one where there are none. */
  readonly roots?: readonly string[];
  /** As the agent says; it may be judged higher here, never lower. */
  readonly risk?: Risk;
  readonly reversible?: boolean;
  /** Whether somebody could be asked at all: false in headless runs. */
  readonly attended?: boolean;
  /** Why it cannot be said what the tool does: its arguments have no form that is known here. A sentence. */
  readonly unread?: string;
  /** Files that were written in this session, with what is in them where that is known: what runs them is read. */
  readonly written?: Readonly<Record<string, string | null>>;
  /** The raw arguments. */
  readonly input?: JsonValue;
  /** The agent's own words about it, untrusted. Shown apart, never matched. */
  readonly said?: string;
}

export const TOOL_TYPES = ["native", "mcp", "connector", "extension", "other"] as const;
export type ToolType = (typeof TOOL_TYPES)[number];

/** Only what bash reads can be taken apart; the others are uninspectable, and say why. */
export const SHELLS = ["bash", "powershell", "cmd", "fish", "unknown"] as const;
export type Shell = (typeof SHELLS)[number];

export const ACCESSES = ["read", "write", "delete"] as const;
export type Access = (typeof ACCESSES)[number];

export interface NamedPath {
  readonly path: string;
  /** Left out where it cannot be told: a rule that restricts takes it for any, one that allows for none. */
  readonly access?: Access;
}

/** What is the same for every ask on one machine, and what a pure package cannot look up. */
export interface Places {
  /** The user's home folder: what `~` and `$HOME` stand for. */
  readonly home?: string;
  /** The hub's own folder; left out: `.earshot` in the home folder. */
  readonly earshot?: string;
  /** The port that the hub listens on; left out: 4747. */
  readonly port?: number;
  /** Where a path leads when the links in it are followed. Left out: links are not followed. */
  readonly realPath?: (path: string) => string;
}
