import type { JsonValue } from "@earshot/protocol/json";
import { type CoerceValue, createCoerce } from "./coerce.ts";
import { addWarning, createConditions, createValue, type MappingScope, type ReadValue, type ValueTest } from "./compile-value.ts";
import { createPut, type EventDraft, listIn, objectIn, type PutValue } from "./draft.ts";
import { defaultStyle, fieldKindOf } from "./field-kinds.ts";
import { createLook, isList } from "./json-values.ts";
import type { AttachmentRule, ContentRule, FieldRule, MappingEntry } from "./mapping.ts";

const MAX_ATTACHMENTS = 64;

export interface CompiledEntry {
  readonly id: string;
  readonly type: string;
  readonly first: boolean;
  /** Undefined: the entry always applies. */
  readonly holds: ValueTest | undefined;
  /** Fills the fields of the entry's rules. Core members and required members are filled elsewhere. */
  readonly fill: (scope: MappingScope, draft: EventDraft) => void;
  /** The correlation values that all hooks of one call share; undefined when the file declares none. */
  readonly correlate: ((scope: MappingScope) => readonly JsonValue[] | undefined) | undefined;
}

export function compileEntry(entry: MappingEntry): CompiledEntry {
  const fields = entry.fields.map((rule) => createField(rule, entry.id));
  const parts = entry.content.map((rule) => createPart(rule, entry.id));
  const attachments = entry.attachments.map((rule) => createAttachments(rule, entry.id));
  return {
    id: entry.id,
    type: entry.type,
    first: entry.first,
    holds: createConditions(entry.when),
    fill: (scope, draft) => {
      for (const field of fields) field(scope, draft);
      for (const part of parts) part(scope, draft);
      for (const attach of attachments) attach(scope, draft);
    },
    correlate: entry.correlate.length === 0 ? undefined : createCorrelate(entry),
  };
}

type Fill = (scope: MappingScope, draft: EventDraft) => void;

function createField({ path, rules, displayStyle }: FieldRule, entry: string): Fill {
  const named = { entry, field: path };
  const value = createValue(rules, named);
  const coerce = createCoerce(fieldKindOf(path) ?? "any");
  const put = createPut(path);
  const style = displayStyle === undefined || displayStyle === defaultStyle(path) ? undefined : displayStyle;
  return (scope, draft) => {
    const found = value(scope);
    if (found === undefined) return;
    const fit = coerce(found);
    if (fit === undefined) {
      if (found !== "") addWarning(scope, { ...named, message: "What is there does not fit the field." });
      return;
    }
    put(draft, fit);
    if (style !== undefined) objectIn(objectIn(draft, "extensions"), "x-display")[path] = style;
  };
}

/** A part without text is left out. */
function createPart({ type, text, style }: ContentRule, entry: string): Fill {
  const value = createValue(text, { entry, field: `content[${type}]` });
  const coerce = createCoerce("text");
  return (scope, draft) => {
    scope.cuts.originalLength = undefined;
    const found = value(scope);
    const fit = found === undefined ? undefined : coerce(found);
    if (fit === undefined) return;
    const part: EventDraft = { type, text: fit };
    if (style !== undefined) part["style"] = style;
    if (scope.cuts.originalLength !== undefined) {
      part["truncated"] = true;
      part["original_length"] = scope.cuts.originalLength;
    }
    listIn(draft, "content").push(part);
  };
}

interface Member {
  readonly value: ReadValue;
  readonly coerce: CoerceValue;
  readonly put: PutValue;
}

function createAttachments({ each, members }: AttachmentRule, entry: string): Fill {
  const look = each === undefined ? undefined : createLook(each);
  const fills = members.map(({ path, rules }): Member => {
    const kind = fieldKindOf(`attachments.0.${path}`) ?? "text";
    return { value: createValue(rules, { entry, field: `attachments.${path}` }), coerce: createCoerce(kind), put: createPut(path) };
  });
  const one = (scope: MappingScope, draft: EventDraft) => {
    const attachment: EventDraft = {};
    for (const { value, coerce, put } of fills) {
      const found = value(scope);
      const fit = found === undefined ? undefined : coerce(found);
      if (fit !== undefined) put(attachment, fit);
    }
    if (Object.keys(attachment).some((name) => name !== "type")) listIn(draft, "attachments").push(attachment);
  };
  if (look === undefined) return one;
  return (scope, draft) => {
    const whole = scope.at;
    const list = look(whole);
    if (!isList(list)) return;
    for (const element of list.slice(0, MAX_ATTACHMENTS)) {
      scope.at = element;
      one(scope, draft);
    }
    scope.at = whole;
  };
}

function createCorrelate({ id, correlate }: MappingEntry): (scope: MappingScope) => readonly JsonValue[] | undefined {
  const values = correlate.map((rule) => createValue([rule], { entry: id, field: "correlate" }));
  return (scope) => {
    const found = values.map((value) => value(scope));
    return found.every((value) => value !== undefined) ? (found as readonly JsonValue[]) : undefined;
  };
}
