import type { JsonValue } from "@earshot/protocol/json";

/**
 * A parsed mapping file with shared fields copied into each entry. Serializable as JSON, so that shipped files are parsed once, in the
 * build.
 */
export interface Mapping {
  readonly agent: string;
  readonly displayName?: string;
  /** Pointers at which the hook's name is looked up, in order. */
  readonly eventName: readonly string[];
  /** For payloads that do not name their hook. */
  readonly hookSigns: readonly HookSign[];
  /** The first of these members that is an object replaces the payload. */
  readonly unwrap: readonly string[];
  readonly entries: readonly MappingEntry[];
  /** For a hook without an entry. */
  readonly fallback?: MappingEntry;
  readonly ignored: readonly IgnoredHook[];
  /** Fields the agent provides at no hook. */
  readonly gaps: readonly FieldGap[];
}

export interface MappingEntry {
  readonly id: string;
  /** Empty: any hook. */
  readonly hooks: readonly string[];
  readonly when: readonly Condition[];
  /** Stops the search when it matches. */
  readonly first: boolean;
  /** A canonical AEP type, or one outside the vocabulary. */
  readonly type: string;
  readonly fields: readonly FieldRule[];
  readonly content: readonly ContentRule[];
  readonly attachments: readonly AttachmentRule[];
  /** Fields missing at these hooks although the shared fields look for them. */
  readonly gaps: readonly FieldGap[];
  /** Values that all hooks of one call share, where tool name and input differ between them. */
  readonly correlate: readonly ValueRule[];
}

/** Conditions that identify a hook. */
export interface HookSign {
  readonly hook: string;
  readonly when: readonly Condition[];
}

export interface IgnoredHook {
  readonly hook: string;
  readonly reason: string;
}

/** A field the agent does not provide. `user` stands for all of its members. */
export interface FieldGap {
  readonly field: string;
  readonly reason: string;
}

export interface Condition {
  readonly pointer: string;
  readonly test: ConditionTest;
}

export type ConditionTest =
  | { readonly is: "equal"; readonly to: JsonValue }
  | { readonly is: "in"; readonly list: readonly JsonValue[] }
  | { readonly is: "exists"; readonly wanted: boolean }
  | { readonly is: "matches"; readonly pattern: string }
  | { readonly is: "starting"; readonly prefix: string }
  | { readonly is: "not"; readonly test: ConditionTest };

/** One field, filled by the first rule that gives a value. */
export interface FieldRule {
  /** Dotted path: `session.id`, `content.0.text`, `extensions.x-note`. */
  readonly path: string;
  readonly rules: readonly ValueRule[];
  readonly displayStyle?: string;
  /** Looked for, although the agent's documentation does not promise it. */
  readonly unconfirmed?: true;
}

/** The source of a value and its transforms. */
export interface ValueRule {
  /** Tried in order: pointers into the payload, `env:NAME`, `arg:N`, `meta:received_at`, `meta:hook`. */
  readonly sources?: readonly string[];
  /** All of them, joined with a colon; no value if one is missing. */
  readonly concat?: readonly string[];
  /** A constant. */
  readonly value?: JsonValue;
  readonly default?: JsonValue;
  readonly transforms?: readonly Transform[];
  /** Maps the value's text after the transforms; `*` is the default. */
  readonly map?: Readonly<Record<string, JsonValue>>;
  readonly when?: readonly Condition[];
}

export interface Transform {
  readonly name: string;
  readonly parameter?: JsonValue;
}

export interface ContentRule {
  readonly type: string;
  readonly text: readonly ValueRule[];
  readonly style?: string;
}

export interface AttachmentRule {
  /** One attachment per element; pointers are relative to it. */
  readonly each?: string;
  readonly members: readonly FieldRule[];
}

/** A payload and the events it must produce: a test inside the mapping file. */
export interface Expectation {
  readonly payload: JsonValue;
  readonly hook?: string;
  /** Each expected event lists required members; the number of events is exact. */
  readonly emits: readonly JsonValue[];
  readonly line: number;
}
