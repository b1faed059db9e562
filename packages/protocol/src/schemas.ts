import type { TSchema } from "typebox";
import { aaepEventSchema, aaepEventSchemas } from "./aaep/events.ts";
import { aaepMessageSchemas } from "./aaep/messages.ts";
import { aepSchemas } from "./aep/events.ts";
import { aopSchemas } from "./aop/events.ts";
import type { ProtocolName } from "./rule.ts";

/** Every schema by protocol and name, in both its published and its executed form. */
export const SCHEMAS: Readonly<Record<ProtocolName, Readonly<Record<string, TSchema>>>> = {
  aaep: { event: aaepEventSchema, ...aaepEventSchemas, ...aaepMessageSchemas },
  aep: aepSchemas,
  aop: aopSchemas,
};
