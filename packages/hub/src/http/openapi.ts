import type { FastifyInstance } from "fastify";
import type { RouteAccess } from "../access/roles.ts";
import type { RouteInfo } from "./route-list.ts";

/** The description of the interface, made from the routes that there are. */
export function registerOpenApi(app: FastifyInstance, { version }: { readonly version: string }): void {
  app.get("/openapi.json", { config: { access: "anyone", summary: "this description" } }, async () => openApiOf(app.routeList, version));
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

export function openApiOf(routes: readonly RouteInfo[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes.filter(({ method }) => method !== "HEAD")) {
    const path = route.url.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Earshot hub", version },
    paths,
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } }, schemas: { Problem: PROBLEM } },
  };
}

function toOperation({ method, url, access, takes, summary }: RouteInfo): object {
  const parameters = [...url.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: "path", required: true, schema: { type: "string" } }));
  const problem = { description: "A problem", content: { "application/json": { schema: { $ref: "#/components/schemas/Problem" } } } };
  const isOpen = access === "anyone" || access === "page";
  return {
    ...(summary === "" ? {} : { summary }),
    description: WHO[access],
    "x-access": access,
    ...(isOpen ? {} : { security: [...(access === "speaker" ? [{}] : []), { token: [] }] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(method === "POST" ? { requestBody: { content: Object.fromEntries(takes.map((type) => [type, {}])) } } : {}),
    responses: { "200": { description: "Done" }, default: problem },
  };
}

const PROBLEM = {
  type: "object",
  required: ["code", "message"],
  properties: Object.fromEntries(["code", "message", "rule", "pointer", "hint", "error"].map((name) => [name, { type: "string" }])),
};
