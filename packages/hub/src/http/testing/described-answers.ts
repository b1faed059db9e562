import type { TSchema } from "typebox";
import { Value } from "typebox/value";
import { expect } from "vitest";
import type { RouteInfo } from "../openapi.ts";

/** Checks a response against its route in `GET /openapi.json`, including that it has no undeclared members. */
export function expectDescribed(routes: readonly RouteInfo[], method: string, path: string, status: number, body: unknown): void {
  const schema = schemaOf(routes, method, path.split("?", 1)[0] ?? "", status);
  if (schema === undefined) return;
  expect({ [`${method} ${path}`]: Value.Errors(schema, body) }).toEqual({ [`${method} ${path}`]: [] });
  expect(Value.Clean(schema, structuredClone(body))).toEqual(body);
}

function schemaOf(routes: readonly RouteInfo[], method: string, path: string, status: number): TSchema | undefined {
  const segments = path.split("/");
  const matches = ({ url }: RouteInfo) => {
    const parts = url.split("/");
    return parts.length === segments.length && parts.every((part, index) => part.startsWith(":") || part === segments[index]);
  };
  const found = routes.filter((route) => route.method === method && matches(route));
  const route = found.find(({ url }) => !url.includes(":")) ?? found[0];
  return route?.schema.response?.[status] as TSchema | undefined;
}
