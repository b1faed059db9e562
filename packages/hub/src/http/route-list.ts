import type { FastifyInstance } from "fastify";
import { JSON_ONLY } from "../access/gate.ts";
import type { RouteAccess } from "../access/roles.ts";

/** A route as the router knows it: the description of the interface and the tests of access are made from these. */
export interface RouteInfo {
  readonly method: string;
  readonly url: string;
  readonly access: RouteAccess;
  readonly takes: readonly string[];
  readonly summary: string;
}

/** Notes every route that is registered from now on. */
export function listRoutes(app: FastifyInstance): readonly RouteInfo[] {
  const routes: RouteInfo[] = [];
  app.addHook("onRoute", ({ method, url, config }) => {
    const { access = "viewer", takes = JSON_ONLY, summary = "" } = config ?? {};
    for (const one of Array.isArray(method) ? method : [method]) routes.push({ method: one, url, access, takes, summary });
  });
  return routes;
}
