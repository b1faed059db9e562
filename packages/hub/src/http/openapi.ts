import { isObject } from "@earshot/protocol";
import type { FastifyInstance } from "fastify";
import Type from "typebox";
import { JSON_ONLY } from "../access/gate.ts";
import type { RouteAccess } from "../access/roles.ts";
import type { RouteSchema } from "./validation.ts";

/** A route as the router knows it; the interface description and the access tests are derived from these. */
export interface RouteInfo {
  readonly method: string;
  readonly url: string;
  readonly access: RouteAccess;
  readonly takes: readonly string[];
  readonly summary: string;
  /** Content type of the answer. */
  readonly answers: string;
  readonly schema: RouteSchemas;
}

interface RouteSchemas {
  readonly params?: RouteSchema;
  readonly querystring?: RouteSchema;
  readonly body?: RouteSchema;
  readonly response?: Readonly<Record<string, RouteSchema>>;
}

/** Records every route registered from now on. */
export function listRoutes(app: FastifyInstance): readonly RouteInfo[] {
  const routes: RouteInfo[] = [];
  app.addHook("onRoute", ({ method, url, config, schema }) => {
    const { access = "viewer", takes = JSON_ONLY, summary = "", body, answers } = config ?? {};
    const own = { ...(body && { body }), ...(answers?.schema && { response: { 200: answers.schema } }) };
    const schemas = { ...schema, ...own } as RouteSchemas; // Fastify takes schemas of any kind
    const described = { url, access, takes, summary, answers: answers?.type ?? JSON_TYPE, schema: schemas };
    for (const one of [method].flat()) routes.push({ method: one, ...described });
  });
  return routes;
}

const JSON_TYPE = "application/json";

/** The interface description, generated from the routes. */
export function registerOpenApi(app: FastifyInstance, { version }: { readonly version: string }): void {
  const document = { type: JSON_TYPE, schema: Type.Unsafe<object>({ type: "object" }) };
  app.get("/openapi.json", { config: { access: "anyone", summary: "this description", answers: document } }, async () =>
    openApiOf(app.routeList, version),
  );
}

const WHO: Readonly<Record<RouteAccess, string>> = {
  anyone: "Needs no credential.",
  page: "Needs no credential.",
  speaker: "Needs no credential on the hub's own machine; with a producer's, what is said counts as verified.",
  producer: "Needs a producer.",
  viewer: "Needs a viewer, an approver or an admin.",
  approver: "Needs an approver or an admin.",
  admin: "Needs an admin.",
  "aop-reader": "Needs a viewer, an approver or an admin; also by the address /k/TOKEN/….",
  "aop-remover": "Needs an admin; also by the address /k/TOKEN/….",
};

/** Schemas with a `title` are described once, under that name. */
type NamedSchemas = Record<string, object>;

export function openApiOf(routes: readonly RouteInfo[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  const schemas: NamedSchemas = { Problem: PROBLEM };
  for (const route of routes.filter(({ method }) => method !== "HEAD")) {
    const path = route.url.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route, schemas) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Earshot hub", version },
    paths,
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } }, schemas },
  };
}

function toOperation({ method, url, access, takes, summary, answers: type, schema }: RouteInfo, schemas: NamedSchemas): object {
  const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: describe(schema.params?.properties?.[name] ?? { type: "string" }, schemas),
  }));
  const parameters = [...inPath, ...queryParameters(schema.querystring, schemas)];
  const problem = { description: "A problem", content: jsonContent({ $ref: "#/components/schemas/Problem" }) };
  const body = schema.body === undefined ? {} : { schema: describe(schema.body, schemas) };
  const isOpen = access === "anyone" || access === "page";
  const answers = Object.entries(schema.response ?? {}).map(([status, answer]) => [
    status,
    { description: "Done", content: jsonContent(describe(answer, schemas)) },
  ]);
  return {
    ...(summary === "" ? {} : { summary }),
    description: WHO[access],
    "x-access": access,
    ...(isOpen ? {} : { security: [...(access === "speaker" ? [{}] : []), { token: [] }] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(method === "POST" ? { requestBody: { content: Object.fromEntries(takes.map((one) => [one, body])) } } : {}),
    responses: {
      ...(answers.length === 0 ? { "200": { description: "Done", content: { [type]: {} } } } : Object.fromEntries(answers)),
      default: problem,
    },
  };
}

function queryParameters({ properties = {}, required = [] }: RouteSchema = {}, schemas: NamedSchemas): readonly object[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    ...(required.includes(name) && schema.default === undefined ? { required: true } : {}),
    ...(schema.type === "array" ? { style: "form", explode: false } : {}),
    schema: describe(schema, schemas),
  }));
}

/** A schema as plain JSON, with references for schemas that have a `title`. */
function describe(schema: RouteSchema, schemas: NamedSchemas): object {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    if (!isObject(value)) return value;
    const { problem: _problem, tooLong: _tooLong, ...described } = value; // for our own messages only
    const { title } = described;
    if (typeof title !== "string") return described;
    schemas[title] = described;
    return { $ref: `#/components/schemas/${title}` };
  }) as object;
}

function jsonContent(schema: object): object {
  return { [JSON_TYPE]: { schema } };
}

const PROBLEM = {
  type: "object",
  required: ["code", "message"],
  properties: Object.fromEntries(["code", "message", "rule", "pointer", "hint", "error"].map((name) => [name, { type: "string" }])),
};
