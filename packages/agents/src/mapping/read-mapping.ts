import type { JsonObject, JsonValue } from "@earshot/protocol/json";
import { childPointer, Inspector } from "../text/inspector.ts";
import { type ReadResult, readYaml, type Strictness } from "../text/read-yaml.ts";
import { isList, parsePointer } from "./json-values.ts";
import type { Expectation, FieldGap, FieldRule, HookSign, IgnoredHook, Mapping, MappingEntry } from "./mapping.ts";
import { coversField, type FieldGroups, readFieldRules, readGaps, readMappingEntry } from "./read-entry.ts";
import { readConditions, readSources } from "./read-value.ts";

export const MAPPING_VERSION = "aep.mapping/v1";

/** Default pointers to the hook's name. */
const EVENT_NAME_SOURCES = [
  "/hook_event_name",
  "/hookEventName",
  "/hookName",
  "/agent_action_name",
  "/event",
  "/event_type",
  "/event/type",
  "/event_name",
] as const;

const KNOWN = [
  "schema_version",
  "agent",
  "display_name",
  "event_name",
  "unwrap",
  "fields",
  "groups",
  "events",
  "fallback",
  "ignored",
  "gaps",
  "expect",
] as const;

/** A mapping file and the tests inside it. */
export interface MappingFile {
  readonly mapping: Mapping;
  readonly expects: readonly Expectation[];
}

/** Reads a mapping file in the format `aep.mapping/v1`, YAML or JSON. Every problem has its line and column. */
export function readMapping(text: string, strictness: Strictness = "strict"): ReadResult<MappingFile> {
  const yaml = readYaml(text, strictness);
  if (!yaml.ok) return yaml;
  const inspector = new Inspector(yaml.value.place, strictness, yaml.warnings);
  const map = inspector.map(yaml.value.value, "");
  const file = map === undefined ? undefined : readFile(map, inspector);
  if (file === undefined || inspector.hasErrors) return { ok: false, troubles: inspector.troubles };
  return { ok: true, value: file, warnings: inspector.troubles };
}

function readFile(map: JsonObject, inspector: Inspector): MappingFile | undefined {
  inspector.members(map, "", KNOWN);
  const version = inspector.required(map, "schema_version", "");
  if (version !== undefined && version !== MAPPING_VERSION) {
    inspector.error(
      "/schema_version",
      `${JSON.stringify(version.slice(0, 60))} is not read here.`,
      `This is a reader of ${MAPPING_VERSION}.`,
    );
  }
  const agent = inspector.required(map, "agent", "");
  if (agent !== undefined && !/^[a-z0-9][a-z0-9._-]{0,63}$/.test(agent)) {
    inspector.error(
      "/agent",
      "The agent's name is a short word in lower case.",
      "For example `claude`; the name for people is `display_name`.",
    );
  }
  const displayName = inspector.text(map["display_name"], "/display_name");
  const shared = readFieldRules(map["fields"], "/fields", inspector);
  const groups = readGroups(map["groups"], inspector);
  if (map["events"] === undefined) inspector.error("", "`events` is missing.", "It lists what each hook means.");
  const entries = inspector
    .list(map["events"], "/events")
    .flatMap((item, index) => readMappingEntry(item, childPointer("/events", index), inspector, { shared, groups }) ?? []);
  const fallback =
    map["fallback"] === undefined ? undefined : readMappingEntry(map["fallback"], "/fallback", inspector, { shared, groups });
  const gaps = readGaps(map["gaps"], "/gaps", inspector);
  const named = inspector.map(map["event_name"], "/event_name");
  if (named !== undefined) inspector.members(named, "/event_name", ["source", "infer"]);
  if (agent === undefined) return undefined;
  checkIds([...entries, ...(fallback === undefined ? [] : [fallback])], inspector);
  checkGaps(entries, gaps, inspector);
  const mapping: Mapping = {
    agent,
    ...(displayName === undefined ? {} : { displayName }),
    eventName: named?.["source"] === undefined ? EVENT_NAME_SOURCES : readSources(named["source"], "/event_name/source", inspector),
    hookSigns: readHookSigns(named?.["infer"], inspector),
    unwrap: readPointers(map["unwrap"], "/unwrap", inspector),
    entries,
    ...(fallback === undefined ? {} : { fallback }),
    ignored: readIgnored(map["ignored"], inspector),
    gaps,
  };
  return { mapping, expects: readExpects(map["expect"], inspector) };
}

function readGroups(value: JsonValue | undefined, inspector: Inspector): FieldGroups {
  const map = inspector.map(value, "/groups") ?? {};
  return new Map(
    Object.entries(map).map(([name, fields]): [string, readonly FieldRule[]] => [
      name,
      readFieldRules(fields, childPointer("/groups", name), inspector),
    ]),
  );
}

function readHookSigns(value: JsonValue | undefined, inspector: Inspector): readonly HookSign[] {
  return inspector.list(value, "/event_name/infer").flatMap((item, index) => {
    const place = childPointer("/event_name/infer", index);
    const map = inspector.map(item, place);
    if (map === undefined) return [];
    inspector.members(map, place, ["hook", "when"]);
    const hook = inspector.required(map, "hook", place);
    return hook === undefined ? [] : [{ hook, when: readConditions(map["when"], childPointer(place, "when"), inspector) }];
  });
}

function readPointers(value: JsonValue | undefined, pointer: string, inspector: Inspector): readonly string[] {
  return inspector.texts(value, pointer).filter((text) => {
    const isPointer = parsePointer(text) !== undefined;
    if (!isPointer) inspector.error(pointer, `${JSON.stringify(text.slice(0, 80))} is not a JSON Pointer.`, "Begin with a slash: /event.");
    return isPointer;
  });
}

function readIgnored(value: JsonValue | undefined, inspector: Inspector): readonly IgnoredHook[] {
  return inspector.list(value, "/ignored").flatMap((item, index) => {
    const place = childPointer("/ignored", index);
    const map = inspector.map(item, place);
    if (map === undefined) return [];
    inspector.members(map, place, ["event", "reason"]);
    const reason = inspector.required(map, "reason", place);
    return inspector.texts(map["event"], childPointer(place, "event")).map((hook) => ({ hook, reason: reason ?? "" }));
  });
}

function readExpects(value: JsonValue | undefined, inspector: Inspector): readonly Expectation[] {
  return inspector.list(value, "/expect").flatMap((item, index) => {
    const place = childPointer("/expect", index);
    const map = inspector.map(item, place);
    if (map === undefined) return [];
    inspector.members(map, place, ["payload", "hook", "emits"]);
    const { payload, emits } = map;
    if (payload === undefined || !isList(emits)) {
      inspector.error(place, "An expectation has a `payload` and a list `emits`.", "emits: [] expects no event.");
      return [];
    }
    const hook = inspector.text(map["hook"], childPointer(place, "hook"));
    return [{ payload, emits, line: inspector.lineOf(place), ...(hook === undefined ? {} : { hook }) }];
  });
}

function checkIds(entries: readonly MappingEntry[], inspector: Inspector): void {
  const seen = new Set<string>();
  for (const [index, { id }] of entries.entries()) {
    if (seen.has(id))
      inspector.error(
        childPointer("/events", index),
        `The id ${JSON.stringify(id.slice(0, 80))} was there before.`,
        "Each entry has an id of its own.",
      );
    seen.add(id);
  }
}

/** A field that is both filled and declared as a gap is a contradiction. */
function checkGaps(entries: readonly MappingEntry[], gaps: readonly FieldGap[], inspector: Inspector): void {
  for (const [index, entry] of entries.entries()) {
    for (const gap of [...entry.gaps, ...gaps]) {
      const filled = entry.fields.find(({ path }) => coversField(gap.field, path));
      if (filled !== undefined)
        inspector.error(
          childPointer("/events", index),
          `\`${filled.path}\` is filled and is said to be a gap.`,
          "Remove the gap or the rule.",
        );
    }
  }
}
