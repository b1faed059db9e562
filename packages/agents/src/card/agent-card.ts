import type { JsonObject } from "@earshot/protocol/json";
import Type, { type Static, type TProperties } from "typebox";

const text = Type.String({ minLength: 1 });
const texts = Type.Array(text);
const seconds = Type.Integer({ minimum: 1 });
const members = Type.Unsafe<JsonObject>(Type.Record(Type.String(), Type.Unknown()));
const strict = <Properties extends TProperties>(properties: Properties) => Type.Object(properties, { additionalProperties: false });

const handlerSchema = strict({
  /** Where the line goes. `script`: the agent takes a file and no words, so a small one is written for each hook. */
  command: Type.Enum(["command", "bash", "script", "action"]),
  on: Type.Optional(strict({ member: text })),
  timeout: Type.Optional(strict({ member: text, unit: Type.Enum(["s", "ms"]) })),
  /** The same for every entry. */
  members,
  /** Added to hooks whose answer nobody waits for. */
  watchOnly: Type.Optional(members),
  /** Whether a URL can stand in place of a command. */
  http: Type.Optional(Type.Literal(true)),
});

const jsonFormatSchema = strict({
  kind: Type.Literal("json"),
  /** Where the events stand. `bareOr`: on the whole, unless the file has that member or is new. */
  at: Type.Union([Type.Array(text), strict({ bareOr: text })]),
  /** Members that the file needs besides. */
  members,
  /**
   * `groups`: event → [{ matcher, hooks: [handler] }]; `flat`: event → [handler]; `tools-grouped`: groups for the hooks of tools,
   * flat for the others; `list`: one list of all.
   */
  shape: Type.Enum(["groups", "flat", "tools-grouped", "list"]),
  handler: handlerSchema,
  /** Other files that go with it. */
  beside: Type.Optional(Type.Array(strict({ file: text, text }))),
});

const pluginFormatSchema = strict({
  kind: Type.Literal("plugin"),
  /** The agent whose plugin.js it is, if not its own. */
  of: Type.Optional(text),
  /** The name that the agent looks for in the module. */
  exported: Type.Optional(text),
  /** Hooks that the plugin registers for by itself; it is given the names of all others. */
  called: texts,
});

const formatSchema = Type.Union([
  jsonFormatSchema,
  strict({ kind: Type.Literal("toml"), list: text }),
  strict({ kind: Type.Literal("yaml"), key: text }),
  /** A file per hook, which the agent runs. */
  strict({ kind: Type.Literal("scripts") }),
  pluginFormatSchema,
]);

/** `~` is the user's home; a variable may name the folder instead. Paths of a project are relative to it. */
const settingsFileSchema = strict({
  folder: text,
  variable: Type.Optional(text),
  /** Empty for a folder with a file for each hook. */
  file: Type.String(),
  format: formatSchema,
  /** Another file takes its place when this one is not there, and that one is. */
  otherwise: Type.Optional(strict({ file: text, format: formatSchema })),
});

/** Members that together occur only in one agent's payloads. A dot names a member of an object in the payload: `extra.version`. */
const signSchema = strict({
  /** An environment variable that is set, or `NAME=VALUE`. */
  env: Type.Optional(text),
  has: Type.Optional(texts),
  lacks: Type.Optional(texts),
  /** Members with text that a regular expression matches. */
  matches: Type.Optional(Type.Record(Type.String(), Type.String())),
});

/** The file `agent.yaml` of an agent: who it is, how it is found and recognized, and where and how its hooks are registered. */
export const agentCardSchema = strict({
  slug: Type.String({ pattern: "^[a-z0-9][a-z0-9_-]{0,63}$" }),
  /** As its maker names the program. */
  name: text,
  /** As people say it, where that is shorter. */
  called: Type.Optional(text),
  /** Other names that people and installers use. */
  aliases: texts,
  /** Its programs, as they are found on the PATH. */
  programs: texts,
  /** Folders that it makes itself: where one of them is, the agent was here. */
  folders: texts,
  signs: Type.Optional(Type.Array(signSchema)),
  /** Agents whose signs its own payloads show as well. */
  before: Type.Optional(texts),
  /** Agents with payloads like its own: between them the registration decides. */
  alike: Type.Optional(texts),
  /** An agent whose settings it reads, and what its payloads then have that the other's have not. */
  borrows: Type.Optional(strict({ of: text, signs: Type.Array(signSchema) })),
  /** The settings of this user, and those that go with a project. */
  user: Type.Optional(settingsFileSchema),
  project: Type.Optional(settingsFileSchema),
  /** The hooks to register for. */
  hooks: texts,
  /** Hooks that have a mapping and are left alone, and why. A key between slashes is a regular expression. */
  leftOut: Type.Record(Type.String(), text),
  /** Hooks that are refused by versions before this one, together with the whole file. */
  newer: Type.Optional(strict({ since: text, hooks: texts, why: text })),
  tools: strict({
    /** Those that change nothing and send nothing: they are watched, and never held. */
    harmless: texts,
    /** Whether a matcher may be a regular expression of JavaScript. Where it may not, everything is gated. */
    matcher: Type.Enum(["javascript", "none"]),
    /** Hooks at which only harmless things happen. */
    harmlessHooks: Type.Optional(texts),
    /** Tools that another hook gates, by the hook that leaves them to it. */
    elsewhere: Type.Optional(Type.Record(Type.String(), texts)),
  }),
  deadline: strict({
    /** The longest that the agent takes, in seconds, for hooks that may wait for a person. */
    gateS: seconds,
    /** For those that only tell. */
    observeS: seconds,
    /** Where a hook has a limit of its own. */
    hooksS: Type.Optional(Type.Record(Type.String(), seconds)),
    /** The agent has its own limit, and cannot be told another. */
    isFixed: Type.Optional(Type.Literal(true)),
  }),
  /** Whether the agent runs or blocks a tool whose hook fails. */
  failing: Type.Enum(["runs", "blocks"]),
  /** The agent's own switch for that, as it is set on entries that gate. */
  failClosed: Type.Optional(members),
  /** The agent has no question of its own before a tool. */
  neverAsks: Type.Optional(Type.Literal(true)),
  /** Paths that hold its settings, hooks and plugins: patterns of rules, with a slash at the end for a folder and all that is in it. */
  guards: texts,
  /** Steps that are needed before the hooks take effect. */
  afterwards: strict({ trust: Type.Optional(text), restart: Type.Optional(text) }),
  /** Limits of the agent's hooks, as sentences for a person. */
  limits: texts,
});

export type AgentCard = Static<typeof agentCardSchema>;
export type SettingsFile = Static<typeof settingsFileSchema>;
export type SettingsFormat = Static<typeof formatSchema>;
export type JsonFormat = Static<typeof jsonFormatSchema>;
export type HandlerShape = Static<typeof handlerSchema>;
export type PluginFormat = Static<typeof pluginFormatSchema>;
