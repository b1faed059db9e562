import type { JsonObject } from "@earshot/protocol/json";
import Type, { type Static, type TProperties } from "typebox";

const text = Type.String({ minLength: 1 });
const texts = Type.Array(text);
const seconds = Type.Integer({ minimum: 1 });
const members = Type.Unsafe<JsonObject>(Type.Record(Type.String(), Type.Unknown()));
const strict = <Properties extends TProperties>(properties: Properties) => Type.Object(properties, { additionalProperties: false });

const handlerSchema = strict({
  /** Where the command line goes. `script`: the agent takes a file without arguments, so a small script is written for each hook. */
  command: Type.Enum(["command", "bash", "script", "action"]),
  on: Type.Optional(strict({ member: text })),
  timeout: Type.Optional(strict({ member: text, unit: Type.Enum(["s", "ms"]) })),
  /** Members that every entry gets. */
  members,
  /** Members added to hooks whose answer is not awaited. */
  watchOnly: Type.Optional(members),
  /** Whether a URL may replace the command. */
  http: Type.Optional(Type.Literal(true)),
});

const jsonFormatSchema = strict({
  kind: Type.Literal("json"),
  /** Where the hook entries are stored. `bareOr`: at the top level, unless the file has that member or is new. */
  at: Type.Union([Type.Array(text), strict({ bareOr: text })]),
  /** Further members the file must have. */
  members,
  /**
   * `groups`: event → [{ matcher, hooks: [handler] }]; `flat`: event → [handler]; `tools-grouped`: groups for the hooks of tools,
   * flat for the others; `list`: one list of all.
   */
  shape: Type.Enum(["groups", "flat", "tools-grouped", "list"]),
  handler: handlerSchema,
  /** Further files that are written. */
  beside: Type.Optional(Type.Array(strict({ file: text, text }))),
});

const pluginFormatSchema = strict({
  kind: Type.Literal("plugin"),
  /** The agent whose plugin.js is used, if not its own. */
  of: Type.Optional(text),
  /** The export name the agent looks for in the module. */
  exported: Type.Optional(text),
  /** Hooks the plugin registers itself; it receives the names of all others. */
  called: texts,
});

const formatSchema = Type.Union([
  jsonFormatSchema,
  strict({ kind: Type.Literal("toml"), list: text }),
  strict({ kind: Type.Literal("yaml"), key: text }),
  /** One file per hook, which the agent runs. */
  strict({ kind: Type.Literal("scripts") }),
  pluginFormatSchema,
]);

/** `~` is the user's home, unless a variable names the folder. Project paths are relative to the project. */
const settingsFileSchema = strict({
  folder: text,
  variable: Type.Optional(text),
  /** Empty for a folder with one file per hook. */
  file: Type.String(),
  format: formatSchema,
  /** Used instead when this file is missing and the other one exists. */
  otherwise: Type.Optional(strict({ file: text, format: formatSchema })),
});

/** Members that together occur only in one agent's payloads. A dot names a nested member: `extra.version`. */
const signSchema = strict({
  /** An environment variable that is set, or `NAME=VALUE`. */
  env: Type.Optional(text),
  has: Type.Optional(texts),
  lacks: Type.Optional(texts),
  /** Members whose text matches a regular expression. */
  matches: Type.Optional(Type.Record(Type.String(), Type.String())),
});

/** The file `agent.yaml`: the agent's names, how it is detected and recognized, and how its hooks are registered. */
export const agentCardSchema = strict({
  slug: Type.String({ pattern: "^[a-z0-9][a-z0-9_-]{0,63}$" }),
  /** The official program name. */
  name: text,
  /** A shorter name in common use. */
  called: Type.Optional(text),
  /** Other names that people and installers use. */
  aliases: texts,
  /** Program names looked up on the PATH. */
  programs: texts,
  /** Folders the agent creates; if one exists, the agent was used here. */
  folders: texts,
  signs: Type.Optional(Type.Array(signSchema)),
  /** Agents whose signs also occur in this agent's payloads. */
  before: Type.Optional(texts),
  /** Agents with indistinguishable payloads; the registration decides between them. */
  alike: Type.Optional(texts),
  /** An agent whose settings this one reads, and the signs that distinguish its payloads. */
  borrows: Type.Optional(strict({ of: text, signs: Type.Array(signSchema) })),
  /** The user's settings and the project's settings. */
  user: Type.Optional(settingsFileSchema),
  project: Type.Optional(settingsFileSchema),
  /** The hooks to register. */
  hooks: texts,
  /** Mapped hooks that are not registered, with the reason. A key between slashes is a regular expression. */
  leftOut: Type.Record(Type.String(), text),
  /** Hooks whose presence makes older versions reject the whole file. */
  newer: Type.Optional(strict({ since: text, hooks: texts, why: text })),
  tools: strict({
    /** Tools that change nothing and send nothing: observed, never held. */
    harmless: texts,
    /** Whether a matcher may be a JavaScript regular expression. If not, every tool is gated. */
    matcher: Type.Enum(["javascript", "none"]),
    /** Hooks that only concern harmless actions. */
    harmlessHooks: Type.Optional(texts),
    /** Tools gated by another hook, keyed by the hook that leaves them out. */
    elsewhere: Type.Optional(Type.Record(Type.String(), texts)),
  }),
  deadline: strict({
    /** The agent's longest timeout, in seconds, for hooks that may wait for a person. */
    gateS: seconds,
    /** Timeout in seconds for hooks that only observe. */
    observeS: seconds,
    /** Timeouts of individual hooks. */
    hooksS: Type.Optional(Type.Record(Type.String(), seconds)),
    /** The agent's timeout cannot be configured. */
    isFixed: Type.Optional(Type.Literal(true)),
  }),
  /** Whether the agent runs or blocks a tool whose hook fails. */
  failing: Type.Enum(["runs", "blocks"]),
  /** The agent's own fail-closed setting, added to gating entries. */
  failClosed: Type.Optional(members),
  /** The agent never prompts before a tool. */
  neverAsks: Type.Optional(Type.Literal(true)),
  /** Paths of its settings, hooks and plugins, as rule patterns; a trailing slash covers the whole folder. */
  guards: texts,
  /** Steps needed before the hooks take effect. */
  afterwards: strict({ trust: Type.Optional(text), restart: Type.Optional(text) }),
  /** Limits of the agent's hooks, as sentences for users. */
  limits: texts,
});

export type AgentCard = Static<typeof agentCardSchema>;
export type SettingsFile = Static<typeof settingsFileSchema>;
export type SettingsFormat = Static<typeof formatSchema>;
export type JsonFormat = Static<typeof jsonFormatSchema>;
export type HandlerShape = Static<typeof handlerSchema>;
export type PluginFormat = Static<typeof pluginFormatSchema>;
