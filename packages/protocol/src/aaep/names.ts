/** The twelve core types by local name, the part after `aaep:`. */
export const CORE_TYPES = [
  "agent.session.started",
  "agent.session.completed",
  "agent.session.errored",
  "agent.session.cancelled",
  "agent.state.changed",
  "agent.progress.updated",
  "agent.tool.invoked",
  "agent.tool.completed",
  "agent.output.streaming",
  "agent.awaiting.confirmation",
  "agent.awaiting.clarification",
  "agent.handoff.requested",
] as const;
export type CoreType = (typeof CORE_TYPES)[number];

/** Messages are sent alongside the events and have no envelope. */
export const MESSAGE_TYPES = [
  "subscription.request",
  "subscription.accepted",
  "subscription.rejected",
  "subscription.renegotiate",
  "subscription.close",
  "confirmation.reply",
  "clarification.reply",
] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

export const MANIFEST_TYPE = "producer.manifest";
export const CORE_CONTEXT = "https://aaep-protocol.org/context/v1";

/** Two documents of the specification expand `aaep:` differently; both are read, neither is written. */
export const FULL_FORMS = ["https://aaep-protocol.org/types/", "https://aaep-protocol.org/vocab/v1#"] as const;

const CORE = new Map<string, CoreType>(CORE_TYPES.flatMap((type) => [[`aaep:${type}`, type] as const]));
const MESSAGES = new Set<string>(MESSAGE_TYPES);

export interface TypeName {
  readonly form: "compact" | "uri" | "message" | "malformed";
  /** `aaep` for the protocol's own types; the empty string if there is none. */
  readonly prefix: string;
  /** The part after the prefix; for a foreign URI, the URI. */
  readonly local: string;
  readonly core: CoreType | undefined;
}

/** Cache of parsed names: real streams use a dozen. Bounded, because a hostile stream may use millions. */
const seen = new Map<string, TypeName>();

export function readTypeName(text: string): TypeName {
  const known = seen.get(text);
  if (known !== undefined) return known;
  const name = parseTypeName(text);
  if (seen.size >= 512) seen.clear();
  seen.set(text, name);
  return name;
}

export function isMessageType(text: string): text is MessageType {
  return MESSAGES.has(text);
}

/** The types that end a session. */
export const TERMINAL_TYPES: readonly string[] = ["agent.session.completed", "agent.session.errored", "agent.session.cancelled"];
const TERMINAL = new Set(TERMINAL_TYPES);

/** Whether an event of this core type ends its session. The `aaep:` prefix is optional. */
export function isTerminalType(type: string): boolean {
  return TERMINAL.has(type.startsWith("aaep:") ? type.slice("aaep:".length) : type);
}

/** Values for keys that a request omits (§5.3). Without a rate there is no limit; without a pace, the pace is unknown. */
export const DEFAULT_CAPABILITIES = {
  preferred_verbosity: "normal",
  languages: ["en-US"],
  supports_confirmation_reply: false,
  supports_clarification_reply: false,
  coalesce_boundaries: ["sentence", "completion"],
  event_filters: { include: ["aaep:agent.*"], exclude: [] },
  supported_conformance_levels: [1],
  supported_extensions: [],
  cognitive_load: "medium",
  accept_signed_manifests_only: false,
} as const;

/** A pattern is a type, or the beginning of one followed by `*`. `aaep:agent.tool.*` also matches `aaep:agent.tool`. */
export function matchesPattern(pattern: string, type: string): boolean {
  if (!pattern.endsWith("*")) return pattern === type;
  return type.startsWith(pattern.slice(0, -1)) || (pattern.endsWith(".*") && type === pattern.slice(0, -2));
}

function parseTypeName(text: string): TypeName {
  const core = CORE.get(text);
  if (core !== undefined) return { form: "compact", prefix: "aaep", local: core, core };
  if (MESSAGES.has(text)) return { form: "message", prefix: "", local: text, core: undefined };
  for (const full of FULL_FORMS) {
    if (text.startsWith(full)) {
      const local = text.slice(full.length);
      return { form: "uri", prefix: "aaep", local, core: CORE.get(`aaep:${local}`) };
    }
  }
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\/\S+$/.test(text)) return { form: "uri", prefix: "", local: text, core: undefined };
  const compact = /^([A-Za-z][A-Za-z0-9_-]*):([^\s:/][^\s]*)$/.exec(text);
  if (compact !== null) return { form: "compact", prefix: compact[1] ?? "", local: compact[2] ?? "", core: undefined };
  return { form: "malformed", prefix: "", local: text, core: undefined };
}
