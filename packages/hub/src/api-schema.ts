import type { Problem } from "@earshot/protocol";
import Type, { type TInteger, type TSchema, type TSchemaOptions } from "typebox";

/** Builders for the schemas of the hub's HTTP interface. A schema defines the type, the validation and the documentation of a value. */
export const listOf = <Items extends TSchema>(items: Items, options: TSchemaOptions = {}) => Type.Immutable(Type.Array(items, options));

export const orNull = <Value extends TSchema>(value: Value, options: TSchemaOptions = {}) => Type.Union([value, Type.Null()], options);

/** A small number would remove or report nearly everything and is probably a forgotten unit; zero turns it off. */
export const orZero = (schema: TInteger) => Type.Union([Type.Literal(0), schema]);

/** A timestamp: ISO 8601 in UTC. */
export const isoTime = (options: TSchemaOptions = {}) => Type.String({ ...options, format: "date-time" });

export const positiveInteger = (options: TSchemaOptions = {}) => Type.Integer({ minimum: 1, ...options });

export const naturalNumber = (options: TSchemaOptions = {}) => Type.Integer({ minimum: 0, ...options });

export const textOf = (maxLength: number, options: TSchemaOptions = {}) => Type.String({ minLength: 1, maxLength, ...options });

/** A boolean query parameter. */
export const queryFlag = (description: string) => Type.Optional(Type.Enum(["1", "0"], { description }));

export const protocolSchema = Type.Enum(["aaep", "aep", "aop"]);

/** A finding as clients see it; a flag of an entry also says how severe it is and since when it holds. */
export const problemSchema = Type.Unsafe<Problem>({
  type: "object",
  required: ["code", "message"],
  properties: Object.fromEntries(["code", "message", "rule", "pointer", "hint"].map((name) => [name, { type: "string" }])),
});

/** The path parameter `:id`. */
export const idParameters = Type.Object({ id: Type.String() });

/** How long a call may be held before it is answered. */
export const waitMs = (maximum: number) => Type.Integer({ minimum: 0, maximum, default: 0, description: "milliseconds" });
