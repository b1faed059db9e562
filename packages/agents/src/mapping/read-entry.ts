import { CONTENT_TYPES, DISPLAY_STYLES, resolveType } from "@earshot/protocol/aep";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import { nearest } from "@earshot/protocol/nearest";
import { childPointer, type Inspector } from "../text/inspector.ts";
import { FIELD_KINDS, fieldKindOf } from "./field-kinds.ts";
import { isList, parsePointer } from "./json-values.ts";
import type { AttachmentRule, ContentRule, FieldGap, FieldRule, MappingEntry } from "./mapping.ts";
import { readConditions, readValueRules } from "./read-value.ts";

export type FieldGroups = ReadonlyMap<string, readonly FieldRule[]>;

const KNOWN = [
  "id",
  "source_event",
  "when",
  "first",
  "canonical_event",
  "use",
  "fields",
  "content",
  "attachments",
  "gaps",
  "correlate",
] as const;
const STYLES: readonly string[] = DISPLAY_STYLES;

/**
 * One entry of `events`, or the `fallback`. Fields of `shared`, of the used groups and of the entry itself are applied in this order; the
 * last one counts. A gap removes inherited fields.
 */
export function readMappingEntry(
  value: JsonValue,
  pointer: string,
  inspector: Inspector,
  { shared, groups }: { readonly shared: readonly FieldRule[]; readonly groups: FieldGroups },
): MappingEntry | undefined {
  const map = inspector.map(value, pointer);
  if (map === undefined) return undefined;
  inspector.members(map, pointer, KNOWN);
  const id = inspector.required(map, "id", pointer);
  const written = inspector.required(map, "canonical_event", pointer);
  if (id === undefined || written === undefined) return undefined;
  const used = inspector.texts(map["use"], childPointer(pointer, "use")).flatMap((name, index) => {
    const group = groups.get(name);
    if (group === undefined)
      inspector.error(
        childPointer(childPointer(pointer, "use"), index),
        `There is no group ${JSON.stringify(name)}.`,
        "Name it under `groups`.",
      );
    return group ?? [];
  });
  const own = readFieldRules(map["fields"], childPointer(pointer, "fields"), inspector);
  const gaps = readGaps(map["gaps"], childPointer(pointer, "gaps"), inspector);
  const inherited = [...shared, ...used].filter(({ path }) => !gaps.some(({ field }) => coversField(field, path)));
  return {
    id,
    hooks: inspector.texts(map["source_event"], childPointer(pointer, "source_event")),
    when: readConditions(map["when"], childPointer(pointer, "when"), inspector),
    first: inspector.flag(map["first"], childPointer(pointer, "first")),
    type: readType(written, childPointer(pointer, "canonical_event"), inspector),
    fields: lastOfEach([...inherited, ...own]),
    content: readContent(map["content"], childPointer(pointer, "content"), inspector),
    attachments: readAttachments(map["attachments"], childPointer(pointer, "attachments"), inspector),
    gaps,
    correlate: readValueRules(map["correlate"] ?? [], childPointer(pointer, "correlate"), inspector),
  };
}

/** Resolves aliases. A type outside the vocabulary is kept, because drafts change. */
function readType(written: string, pointer: string, inspector: Inspector): string {
  const type = resolveType(written);
  if (type === undefined && !written.startsWith("x-")) {
    inspector.warning(pointer, `${JSON.stringify(written.slice(0, 80))} is not one of the 21 types.`, "It is kept as it is.");
  }
  return type ?? written;
}

export function readFieldRules(value: JsonValue | undefined, pointer: string, inspector: Inspector): readonly FieldRule[] {
  const map = inspector.map(value, pointer);
  return map === undefined ? [] : Object.entries(map).flatMap(([path, rule]) => readField(path, rule, pointer, inspector) ?? []);
}

function readField(path: string, value: JsonValue | undefined, pointer: string, inspector: Inspector): FieldRule | undefined {
  const place = childPointer(pointer, path);
  if (fieldKindOf(path) === undefined) {
    const near = nearest(path, Object.keys(FIELD_KINDS));
    const hint =
      near.length === 0
        ? "Names of AEP, separated by dots; what is your own goes under extensions.x-…"
        : `Is \`${near.join("` or `")}\` meant?`;
    inspector.error(place, `There is no field ${JSON.stringify(path.slice(0, 80))}.`, hint);
    return undefined;
  }
  const rules = readValueRules(value, place, inspector, ["display_style", "unconfirmed"]);
  const first = isList(value) ? value[0] : value;
  const beside = isObject(first) ? first : {};
  const style = readStyle(beside["display_style"], childPointer(place, "display_style"), inspector);
  const unconfirmed = inspector.flag(beside["unconfirmed"], childPointer(place, "unconfirmed"));
  return { path, rules, ...(style === undefined ? {} : { displayStyle: style }), ...(unconfirmed ? { unconfirmed } : {}) };
}

function readStyle(value: JsonValue | undefined, pointer: string, inspector: Inspector): string | undefined {
  const style = inspector.text(value, pointer);
  if (style !== undefined && !STYLES.includes(style))
    inspector.warning(pointer, `${JSON.stringify(style.slice(0, 60))} is not a display style.`, `Known: ${STYLES.join(", ")}.`);
  return style;
}

/** `user` stands for all of its members. */
export function coversField(gap: string, path: string): boolean {
  return path === gap || path.startsWith(`${gap}.`);
}

/** A field written twice takes the later rule at the later position. */
function lastOfEach(fields: readonly FieldRule[]): readonly FieldRule[] {
  return [...new Map(fields.map((field) => [field.path, field])).values()];
}

function readContent(value: JsonValue | undefined, pointer: string, inspector: Inspector): readonly ContentRule[] {
  return inspector.list(value, pointer).flatMap((item, index) => {
    const place = childPointer(pointer, index);
    const map = inspector.map(item, place);
    if (map === undefined) return [];
    inspector.members(map, place, ["type", "text", "style"]);
    const type = inspector.required(map, "type", place);
    if (type === undefined) return [];
    if (!(CONTENT_TYPES as readonly string[]).includes(type)) {
      inspector.error(
        childPointer(place, "type"),
        `${JSON.stringify(type.slice(0, 60))} is not a type of content.`,
        `Known: ${CONTENT_TYPES.join(", ")}.`,
      );
      return [];
    }
    const style = readStyle(map["style"], childPointer(place, "style"), inspector);
    return [{ type, text: readValueRules(map["text"], childPointer(place, "text"), inspector), ...(style === undefined ? {} : { style }) }];
  });
}

function readAttachments(value: JsonValue | undefined, pointer: string, inspector: Inspector): readonly AttachmentRule[] {
  return inspector.list(value, pointer).flatMap((item, index) => {
    const place = childPointer(pointer, index);
    const map = inspector.map(item, place);
    if (map === undefined) return [];
    const { each, ...rest } = map;
    if (each !== undefined && (typeof each !== "string" || parsePointer(each) === undefined)) {
      inspector.error(childPointer(place, "each"), "A JSON Pointer is asked for here.", "each: /attachments");
      return [];
    }
    return [{ ...(each === undefined ? {} : { each }), members: readAttachmentMembers(rest, place, inspector) }];
  });
}

/** A plain text is a constant, as in `type: image`. */
function readAttachmentMembers(map: JsonObject, pointer: string, inspector: Inspector): readonly FieldRule[] {
  return Object.entries(map).flatMap(([name, rule]) => {
    if (fieldKindOf(`attachments.0.${name}`) === undefined) {
      inspector.error(
        childPointer(pointer, name),
        `An attachment has no ${JSON.stringify(name.slice(0, 60))}.`,
        "Look at the members of attachments.",
      );
      return [];
    }
    const rules = typeof rule === "string" ? [{ value: rule }] : readValueRules(rule, childPointer(pointer, name), inspector);
    return [{ path: name, rules }];
  });
}

export function readGaps(value: JsonValue | undefined, pointer: string, inspector: Inspector): readonly FieldGap[] {
  return inspector.list(value, pointer).flatMap((item, index) => {
    const place = childPointer(pointer, index);
    const map = inspector.map(item, place);
    if (map === undefined) return [];
    inspector.members(map, place, ["field", "reason"]);
    const reason = inspector.required(map, "reason", place);
    const fields = inspector.texts(map["field"], childPointer(place, "field"));
    return fields.map((field) => ({ field, reason: reason ?? "" }));
  });
}
