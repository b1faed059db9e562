import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Engine } from "../decide/engine.ts";
import { standingOf } from "../decide/standing.ts";
import { callerOf } from "./access.ts";
import { closing, waitOf } from "./request-routes.ts";

type ById = FastifyRequest<{ Params: { id: string } }>;

/** `GET /v1/sessions/:id/standing`: whether a producer's own session was stopped. With `wait`, when it is, or after that time. */
export function registerStanding(app: FastifyInstance, { engine }: { readonly engine: Pick<Engine, "control" | "news"> }): void {
  app.get(
    "/v1/sessions/:id/standing",
    { config: { access: "producer", summary: "whether one's own session was stopped; waits for it" } },
    async (request: ById, reply) => {
      const session = { source: callerOf(request).name, session: request.params.id };
      return standingOf(engine, session, { waitMs: waitOf(request), signal: closing(reply) });
    },
  );
}
