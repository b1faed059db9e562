import { isDeepStrictEqual } from "node:util";
import { type JsonObject, type JsonValue, PROTOCOLS, type ProtocolName } from "@earshot/protocol";
import { SCHEMAS } from "@earshot/protocol/schemas";
import type { TSchema } from "typebox";
import * as aaep from "../../packages/protocol/src/aaep/events.ts";
import { capabilitiesSchema } from "../../packages/protocol/src/aaep/messages.ts";
import * as aep from "../../packages/protocol/src/aep/events.ts";
import { identifierSchema } from "../../packages/protocol/src/aop/events.ts";

/** Schemas that occur several times and get a definition of their own. */
const SHARED: Readonly<Record<ProtocolName, Readonly<Record<string, TSchema>>>> = {
  aaep: {
    producer: aaep.producerSchema,
    localization_hints: aaep.localizationHintsSchema,
    capabilities: capabilitiesSchema,
    uri: aaep.uri,
    language: aaep.language,
  },
  aep: {
    agent: aep.agentSchema,
    session: aep.sessionSchema,
    user: aep.userSchema,
    workspace: aep.workspaceSchema,
    model: aep.modelSchema,
    action: aep.actionSchema,
    tool: aep.toolSchema,
    server: aep.serverSchema,
    skill: aep.skillSchema,
    content_part: aep.contentPartSchema,
    attachment: aep.attachmentSchema,
    decision: aep.decisionSchema,
    metrics: aep.metricsSchema,
    lifecycle: aep.lifecycleSchema,
    extensions: aep.extensionsSchema,
  },
  aop: { id: identifierSchema },
};

/** The definition that the events of a protocol extend. */
const ENVELOPE: Readonly<Record<ProtocolName, string>> = { aaep: "event", aep: "event", aop: "envelope" };

/** One JSON Schema document per protocol, with a definition for each event and message. */
export function schemaFiles(): [string, string][] {
  return (Object.keys(SCHEMAS) as ProtocolName[]).map((protocol) => [
    `packages/protocol/schemas/${protocol}.schema.json`,
    `${format(schemaDocument(protocol), "")}\n`,
  ]);
}

function schemaDocument(protocol: ProtocolName): JsonObject {
  const shared = toJson(SHARED[protocol]);
  const named = toJson(SCHEMAS[protocol]);
  const { [ENVELOPE[protocol]]: envelope } = named;
  if (envelope === undefined) throw new Error(`${protocol} has no envelope.`);
  const definitions: Record<string, JsonValue> = {};
  for (const [name, schema] of Object.entries(shared)) definitions[name] = mapMembers(schema, (member) => useShared(member, shared));
  for (const [name, schema] of Object.entries(named)) {
    definitions[name] = useShared(schema === envelope ? schema : extend(schema, ENVELOPE[protocol], envelope), shared);
  }
  const { title, version } = PROTOCOLS[protocol];
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:earshot:schema:${protocol}`,
    title: `${title} ${version}, as Earshot reads it`,
    description: `Validate against a definition: #/$defs/${ENVELOPE[protocol]} for any event, #/$defs/TYPE for one type of event or message.`,
    $defs: definitions,
  };
}

function toJson(schemas: Readonly<Record<string, TSchema>>): Readonly<Record<string, JsonObject>> {
  return JSON.parse(JSON.stringify(schemas)) as Readonly<Record<string, JsonObject>>;
}

/** Replaces a subschema with a reference if it equals a shared schema, or narrows the shared schema named after its member. */
function useShared(value: JsonValue, shared: Readonly<Record<string, JsonObject>>): JsonValue {
  for (const [name, schema] of Object.entries(shared)) if (isDeepStrictEqual(value, schema)) return { $ref: `#/$defs/${name}` };
  return mapMembers(value, (member, key) => {
    const base = shared[key];
    return useShared(base === undefined ? member : extend(member, key, base), shared);
  });
}

/** If the schema has all members of `base`, a reference to `base` plus its additions; otherwise the schema itself. */
function extend(schema: JsonValue, name: string, base: JsonObject): JsonValue {
  const [own, theirs] = [partsOf(schema), partsOf(base)];
  if (isDeepStrictEqual(schema, base) || own === undefined || theirs === undefined) return schema;
  const isExtension =
    [...theirs.properties.keys()].every((member) => own.properties.has(member)) &&
    theirs.required.every((member) => own.required.includes(member));
  if (!isExtension) return schema;
  const required = own.required.filter((member) => !theirs.required.includes(member));
  const properties = [...own.properties].filter(([member, value]) => !isDeepStrictEqual(value, theirs.properties.get(member)));
  const allOf = own.allOf.filter((one) => !theirs.allOf.some((other) => isDeepStrictEqual(one, other)));
  return {
    $ref: `#/$defs/${name}`,
    ...(own.$comment === undefined ? {} : { $comment: own.$comment }),
    ...(required.length === 0 ? {} : { required }),
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(allOf.length === 0 ? {} : { allOf }),
  };
}

/** Undefined for a schema with keywords that a reference would lose. */
function partsOf(schema: JsonValue) {
  const {
    type,
    properties,
    required = [],
    allOf = [],
    $comment,
    ...others
  } = schema as {
    readonly $comment?: string;
    readonly type?: string;
    readonly properties?: JsonObject;
    readonly required?: readonly string[];
    readonly allOf?: readonly JsonValue[];
  };
  if (type !== "object" || properties === undefined || Object.keys(others).length > 0) return undefined;
  return { properties: new Map(Object.entries(properties)), required, allOf, $comment };
}

function mapMembers(value: JsonValue, map: (member: JsonValue, key: string) => JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue, index) => map(item, String(index)));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, map(member as JsonValue, key)]));
}

const LINE_WIDTH = 120;

/** JSON in which values that fit on one line stay on one line. */
function format(value: JsonValue, indent: string, prefix = ""): string {
  const line = onOneLine(value);
  if (typeof value !== "object" || value === null || indent.length + prefix.length + line.length <= LINE_WIDTH) return prefix + line;
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((item: JsonValue) => format(item, inner))
    : Object.entries(value).map(([key, member]) => format(member as JsonValue, inner, `${JSON.stringify(key)}: `));
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${prefix}${open}\n${members.map((member) => inner + member).join(",\n")}\n${indent}${close}`;
}

function onOneLine(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${onOneLine(member as JsonValue)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
