import { readBytes } from "@earshot/aaep/node";
import { EarshotError, isObject, type JsonObject, nearest, type ProblemCode, readJson } from "@earshot/protocol";
import type { FastifyContextConfig, FastifyInstance, FastifyRequest, FastifySchema, FastifySchemaCompiler } from "fastify";
import type { Static, TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import type { RouteAccess } from "../access/roles.ts";

declare module "fastify" {
  /** Parts of a request and its response are typed by the route's schemas. */
  interface FastifyTypeProviderDefault {
    readonly validator: this["schema"] extends TSchema ? Static<this["schema"]> : unknown;
    readonly serializer: this["schema"] extends TSchema ? Static<this["schema"]> : unknown;
  }
}

/** A route's options: who may call it, its summary, its parameters and its responses. */
export function defineRoute<const Schema extends FastifySchema>(
  access: RouteAccess,
  summary: string,
  schema: Schema,
  { bodyLimit, ...config }: RouteMore = {},
) {
  return { config: { access, summary, ...config }, schema, ...(bodyLimit === undefined ? {} : { bodyLimit }) };
}

/** The maximum body, and what a route reads or writes by itself. */
type RouteMore = { readonly bodyLimit?: number } & Pick<FastifyContextConfig, "takes" | "body" | "answers">;

/** The used JSON Schema keywords and two extensions. */
export interface RouteSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, RouteSchema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly (string | number)[];
  readonly items?: RouteSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
  readonly description?: string;
  /** The problem code for an invalid value. */
  readonly problem?: ProblemCode;
  /** The problem code for a text beyond `maxLength`. */
  readonly tooLong?: ProblemCode;
}

/** Validates every part of a request that has a schema. A body with a schema is parsed as strictly as an event. */
export function validateRequests(app: FastifyInstance): void {
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
  app.addHook("onRoute", (route) => {
    if (route.schema?.body === undefined) return;
    route.preValidation = async (request) => {
      request.body = await readJsonBody(request, request.routeOptions.bodyLimit);
    };
  });
}

async function readJsonBody(request: FastifyRequest, maxBytes: number): Promise<JsonObject> {
  const read = readJson((await readBytes(request.raw, maxBytes)).toString("utf8"));
  if (!read.ok) throw new EarshotError(read.problem);
  if (!isObject(read.value)) throw new EarshotError({ code: "NOT_AN_OBJECT", message: "The body is a JSON object." });
  return read.value;
}

/** Compiles a schema on the route's first call. */
const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  let validator: Validator | undefined;
  return (given: Readonly<Record<string, unknown>>) => {
    validator ??= Compile(schema);
    const value = httpPart === "body" ? given : convertTexts(given, schema);
    return validator.Check(value) ? { value } : { error: problemOf(validator, value, schema) };
  };
};

/** URLs only hold text: converts members declared as integers or lists, and adds defaults. A number above `maximum` is clamped. */
function convertTexts(given: Readonly<Record<string, unknown>>, { properties = {} }: RouteSchema): Readonly<Record<string, unknown>> {
  const converted: Record<string, unknown> = { ...given };
  for (const [name, member] of Object.entries(properties)) {
    const value = given[name];
    if (value === undefined) {
      if (member.default !== undefined) converted[name] = member.default;
    } else if (member.type === "array") {
      converted[name] = [value].flat().flatMap((text) => String(text).split(","));
    } else if (member.type === "integer" && typeof value === "string" && /^\d{1,16}$/.test(value) && Number.isSafeInteger(Number(value))) {
      converted[name] = Math.min(Number(value), member.maximum ?? Number.MAX_SAFE_INTEGER);
    }
  }
  return converted;
}

function problemOf(validator: Validator, value: Readonly<Record<string, unknown>>, schema: RouteSchema): EarshotError {
  const { properties = {}, required = [] } = schema;
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(properties, name));
  const missing = required.find((name) => value[name] === undefined);
  const [first] = validator.Errors(value);
  const [, wrong] = first?.instancePath.split("/") ?? [];
  const name = missing ?? wrong ?? unknown ?? "";
  const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (member === undefined) {
    const [near] = nearest(name, Object.keys(properties));
    const hint = near === undefined ? `There are ${Object.keys(properties).join(", ")}.` : `Did you mean \`${near}\`?`;
    return new EarshotError({ code: "WRONG_QUERY", message: `\`${name.slice(0, 80)}\` is not known here.`, hint });
  }
  const { problem = "WRONG_QUERY", tooLong = problem, description } = member;
  const message = name === missing ? `\`${name}\` is missing. It is ${nounOf(member)}.` : `\`${name}\` is ${nounOf(member)}.`;
  const hint = description === undefined ? {} : { hint: `\`${name}\`: ${description}.` };
  return new EarshotError({
    code: first?.keyword === "maxLength" ? tooLong : problem,
    message,
    pointer: first?.instancePath || `/${name}`,
    ...hint,
  });
}

/** The type and range that a member must have, in words. */
function nounOf({ type, enum: words, items, minimum, minLength = 0, maxLength }: RouteSchema): string {
  if (words !== undefined) return `one of ${words.join(", ")}`;
  if (items?.enum !== undefined) return `a list of ${items.enum.join(", ")}`;
  if (type === "integer") return minimum === undefined || minimum === 0 ? "a whole number" : `a whole number from ${minimum} on`;
  if (type === "boolean") return "true or false";
  if (type === "array") return "a list";
  if (type === "object") return "a JSON object";
  const length = maxLength === undefined ? "" : ` of at most ${maxLength.toLocaleString("en")} characters`;
  return type === "string" ? `${minLength > 0 ? "a text that is not empty" : "a text"}${length}` : "of another kind";
}
