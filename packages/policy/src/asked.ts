import type { JsonValue } from "@earshot/protocol";
import type { PolicyMoment, PolicyRisk } from "./behaviour.ts";

/**
 * A request as the policy sees it, from any agent or protocol. Every member but the moment may be unknown: a permissive rule does not
 * match an unknown value, and nothing is guessed here.
 *
 * Producers fill it from the raw input, not from the agent's description, which is in `said` and is not visible to rules.
 */
export interface PolicyInput {
  readonly moment: PolicyMoment;
  /** The agent's slug: claude, cursor, codex. */
  readonly agent?: string;
  readonly session?: string;
  /** The name used in events: Bash, Edit, list. */
  readonly tool?: string;
  /** The name before a mapping changed it: mcp__forge__list for list. Rules may use either. */
  readonly originalTool?: string;
  readonly toolType?: ToolType;
  /** The MCP server a tool belongs to. */
  readonly server?: string;
  readonly skill?: string;
  /** The raw shell command, exactly as it would run. */
  readonly command?: string;
  /** The shell that reads `command`; absent: one that reads the same language as bash. */
  readonly shell?: ShellKind;
  /** Files that the tool itself names, absolute or relative to `cwd`. Files that a command touches are found by parsing the command. */
  readonly paths?: readonly NamedPath[];
  readonly cwd?: string;
  /** The folder in which the tool starts the command, if the tool names another one. */
  readonly runsIn?: string;
  /** The folders the agent was opened on; if there are none, `cwd` counts as one. */
  readonly roots?: readonly string[];
  /** The agent's own rating; the policy may raise it, never lower it. */
  readonly risk?: PolicyRisk;
  readonly reversible?: boolean;
  /** Whether an approver could be asked at all: false in headless runs. */
  readonly attended?: boolean;
  /** Why the tool's effect is unknown: its arguments have an unknown form. A whole sentence. */
  readonly unread?: string;
  /** Files written in this session, with their contents if known; a written script is read when a command runs it. */
  readonly written?: Readonly<Record<string, string | null>>;
  /** The raw arguments. */
  readonly input?: JsonValue;
  /** The agent's own description, untrusted. Shown separately, never matched. */
  readonly said?: string;
}

export const TOOL_TYPES = ["native", "mcp", "connector", "extension", "other"] as const;
export type ToolType = (typeof TOOL_TYPES)[number];

/** Only commands for bash-compatible shells can be parsed; commands for the others are uninspectable, with a reason. */
export const SHELLS = ["bash", "powershell", "cmd", "fish", "unknown"] as const;
export type ShellKind = (typeof SHELLS)[number];

export const ACCESSES = ["read", "write", "delete"] as const;
export type PathAccess = (typeof ACCESSES)[number];

export interface NamedPath {
  readonly path: string;
  /** Absent if unknown: a restrictive rule treats it as any access, a permissive one as none. */
  readonly access?: PathAccess;
}

/** Settings that are the same for every request on one machine and that a pure package cannot look up. */
export interface Places {
  /** The user's home folder, the value of `~` and `$HOME`. */
  readonly home?: string;
  /** The hub's own folder; absent: `.earshot` in the home folder. */
  readonly earshot?: string;
  /** The port the hub listens on; absent: 4747. */
  readonly port?: number;
  /** Resolves the symbolic links in a path. Absent: links are not followed. */
  readonly realPath?: (path: string) => string;
}
