import type { JsonValue } from "@earshot/protocol/json";

/**
 * A mapping file as plain data: what its reader made of it, with shared fields already in each entry. It can be written as
 * JSON and read back, so that files which ship with Earshot are read once, when it is built.
 */
export interface Mapping {
  readonly agent: string;
  readonly displayName?: string;
  /** Where the name of the hook is found, in order. */
  readonly eventName: readonly string[];
  /** For payloads that do not name their hook. */
  readonly hookSigns: readonly HookSign[];
  /** The first of these that is an object takes the place of the payload. */
  readonly unwrap: readonly string[];
  readonly entries: readonly MappingEntry[];
  /** For a hook that no entry speaks of. */
  readonly fallback?: MappingEntry;
  readonly ignored: readonly IgnoredHook[];
  /** What the agent supplies in no hook at all. */
  readonly gaps: readonly Gap[];
}

export interface MappingEntry {
  readonly id: string;
  /** Empty: any hook. */
  readonly hooks: readonly string[];
  readonly when: readonly Condition[];
  /** Ends the search when it matches. */
  readonly first: boolean;
  /** A canonical AEP type, or one that is not in the vocabulary. */
  readonly type: string;
  readonly fields: readonly FieldRule[];
  readonly content: readonly ContentRule[];
  readonly attachments: readonly AttachmentRule[];
  /** What is not supplied at these hooks, though the file's shared fields look for it. */
  readonly gaps: readonly Gap[];
  /** What one call has in common in all its hooks, where tool name and input differ between them. */
  readonly correlate: readonly ValueRule[];
}

/** By what else a hook is known. */
export interface HookSign {
  readonly hook: string;
  readonly when: readonly Condition[];
}

export interface IgnoredHook {
  readonly hook: string;
  readonly reason: string;
}

/** A field that the agent does not supply. `user` stands for all of its members. */
export interface Gap {
  readonly field: string;
  readonly reason: string;
}

export interface Condition {
  readonly pointer: string;
  readonly test: Test;
}

export type Test =
  | { readonly is: "equal"; readonly to: JsonValue }
  | { readonly is: "in"; readonly list: readonly JsonValue[] }
  | { readonly is: "exists"; readonly wanted: boolean }
  | { readonly is: "matches"; readonly pattern: string }
  | { readonly is: "starting"; readonly prefix: string }
  | { readonly is: "not"; readonly test: Test };

/** One field: the first rule that gives a value fills it. */
export interface FieldRule {
  /** Dotted: `session.id`, `content.0.text`, `extensions.x-note`. */
  readonly path: string;
  readonly rules: readonly ValueRule[];
  readonly displayStyle?: string;
  /** Looked for, though the agent's documents do not promise it. */
  readonly unconfirmed?: true;
}

/** Where a value comes from and what becomes of it on the way. */
export interface ValueRule {
  /** Tried in order: pointers into the payload, `env:NAME`, `arg:N`, `meta:received_at`, `meta:hook`. */
  readonly sources?: readonly string[];
  /** All of them, joined with a colon; none if one is missing. */
  readonly concat?: readonly string[];
  /** A constant. */
  readonly value?: JsonValue;
  readonly default?: JsonValue;
  readonly transforms?: readonly Transform[];
  /** Looked up by the value's text, after the transforms; `*` catches the rest. */
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
  /** One attachment for each element; pointers are relative to it. */
  readonly each?: string;
  readonly members: readonly FieldRule[];
}

/** A payload and the events it must become: a test that the file brings along. */
export interface Expectation {
  readonly payload: JsonValue;
  readonly hook?: string;
  /** Each holds at least these members; their number is exact. */
  readonly emits: readonly JsonValue[];
  readonly line: number;
}
