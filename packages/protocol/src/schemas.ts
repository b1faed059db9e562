import type { TSchema } from "typebox";
import { aaepEventSchema, aaepEventSchemas } from "./aaep/events.ts";
import { aaepMessageSchemas } from "./aaep/messages.ts";
import { aepSchemas } from "./aep/events.ts";
import { aopSchemas } from "./aop/events.ts";
import type { ProtocolName } from "./rule.ts";

/** Every schema by protocol and name, as it is published and as it runs. */
export const SCHEMAS: Readonly<Record<ProtocolName, Readonly<Record<string, TSchema>>>> = {
  aaep: { event: aaepEventSchema, ...aaepEventSchemas, ...aaepMessageSchemas },
  aep: aepSchemas,
  aop: aopSchemas,
};

/** A schema as a document of its own. It is ours: the protocols' projects publish their own, or none. */
export function schemaDocument(protocol: ProtocolName, name: string): Record<string, unknown> {
  const schema = SCHEMAS[protocol][name];
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:earshot:schema:${protocol}:${name}`,
    title: `${protocol.toUpperCase()} ${name}, as Earshot reads it`,
    ...(JSON.parse(JSON.stringify(schema)) as Record<string, unknown>),
  };
}
