import type { Moment } from "@earshot/agents";
import type { JsonObject } from "@earshot/protocol/json";

/**
 * All that the installer has to know about one coding agent, as data: where it keeps its hooks, how an entry looks, how long it
 * waits, and what happens when a hook fails. What it sends and what it understands is in its folder in packages/agents.
 */
export interface Adapter {
  readonly slug: string;
  readonly name: string;
  /** What else people call it. */
  readonly names: readonly string[];
  /** Its programs, as they are found on the PATH. */
  readonly programs: readonly string[];
  /** Folders that it makes itself: where one of them is, the agent was here. */
  readonly folders: readonly string[];
  readonly user?: SettingsFile;
  readonly project?: SettingsFile;
  /** The hooks to register for. */
  readonly hooks: readonly string[];
  /** Hooks that have a mapping and are left alone, and why. */
  readonly leftOut: Readonly<Record<string, string>>;
  /** Hooks that are refused by versions before this one, together with the whole file. */
  readonly newer?: { readonly since: string; readonly hooks: readonly string[]; readonly why: string };
  readonly tools: Tools;
  readonly deadline: Deadline;
  /** What the agent does with a tool whose hook fails. */
  readonly failing: "runs" | "blocks";
  /** The agent's own switch for that, as it is set on entries that gate. */
  readonly failClosed?: JsonObject;
  /** What has to happen before the hooks count. */
  readonly afterwards: Afterwards;
  /** What a person should know. */
  readonly limits: readonly string[];
}

/** `~` is the user's home; a variable may name the folder instead. Paths of a project are relative to it. */
export interface SettingsFile {
  readonly folder: string;
  readonly variable?: string;
  readonly file: string;
  readonly format: Format;
  /** Another file takes its place when this one is not there, and that one is. */
  readonly otherwise?: { readonly file: string; readonly format: Format };
}

export type Format = JsonFormat | { readonly kind: "toml"; readonly list: string } | YamlFormat | ScriptsFormat | PluginFormat;

export interface JsonFormat {
  readonly kind: "json";
  /** Where the events stand. `bare-or`: on the whole, unless the file has that member or is new. */
  readonly at: readonly string[] | { readonly bareOr: string };
  /** Members that the file needs besides. */
  readonly members: JsonObject;
  /**
   * `groups`: event → [{ matcher, hooks: [handler] }]; `flat`: event → [handler]; `tools-grouped`: groups for the hooks of tools,
   * flat for the others; `list`: one list of all.
   */
  readonly shape: "groups" | "flat" | "tools-grouped" | "list";
  readonly handler: HandlerShape;
  /** Other files that go with it. */
  readonly beside?: readonly { readonly file: string; readonly text: string }[];
}

export interface HandlerShape {
  /** Where the line goes. `script`: the agent takes a file and no words, so that a small one is written for each hook. */
  readonly command: "command" | "bash" | "script" | "action";
  readonly on?: { readonly member: string };
  readonly timeout?: { readonly member: string; readonly unit: "s" | "ms" };
  /** The same for every entry. */
  readonly members: JsonObject;
  /** Added to hooks whose answer nobody waits for. */
  readonly watchOnly?: JsonObject;
  /** Where a URL can stand in place of a command. */
  readonly http?: boolean;
}

export interface YamlFormat {
  readonly kind: "yaml";
  readonly key: string;
}

/** A file per hook, which the agent runs. */
export interface ScriptsFormat {
  readonly kind: "scripts";
}

export interface PluginFormat {
  readonly kind: "plugin";
  readonly plugin: "opencode" | "kilo" | "amp" | "pi";
}

export interface Tools {
  /** Those that change nothing and send nothing: they are watched, and never held. */
  readonly harmless: readonly string[];
  /** Whether a matcher may be a regular expression of JavaScript. Where it may not, everything is gated. */
  readonly matcher: "javascript" | "none";
  /** Hooks at which only harmless things happen. */
  readonly harmlessHooks?: readonly string[];
  /** Tools that another hook gates, by the hook that leaves them to it. */
  readonly elsewhere?: Readonly<Record<string, readonly string[]>>;
}

export interface Deadline {
  /** The longest that the agent takes, in seconds, for hooks that may wait for a person. */
  readonly gateS: number;
  /** For those that only tell. */
  readonly observeS: number;
  /** Where a hook has a limit of its own. */
  readonly hooksS?: Readonly<Record<string, number>>;
  /** Whether it can be written, or the agent has its own. */
  readonly isFixed?: true;
}

export interface Afterwards {
  readonly trust?: string;
  readonly restart?: string;
}

/** One hook as it is to be registered. */
export interface Registration {
  readonly hook: string;
  readonly moment: Moment;
  /** Whether it may wait for a person. */
  readonly gates: boolean;
  /** It could refuse, and is registered only to watch. */
  readonly watchOnly: boolean;
  /** Whether a failure of the hook must not let the tool run. */
  readonly failsClosed: boolean;
  readonly matcher?: string;
  readonly timeoutS: number;
}

/** A day: longer than anybody waits, and small enough for every unit and timer. */
export const LONGEST_S = 86_400;
