import type { FastifyInstance, FastifyRequest } from "fastify";
import Type from "typebox";
import { naturalNumber } from "../api-schema.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { invalidAnswer, reasonedBody } from "../requests/answer.ts";
import { controlViewSchema } from "../requests/api.ts";
import type { Engine } from "../requests/engine.ts";
import { findOneSession, sessionRequest } from "./api.ts";
import { byOf } from "./request-routes.ts";
import { route } from "./validation.ts";

const pauseBody = Type.Object({
  forMs: naturalNumber({ description: "milliseconds; 0 ends the pause" }),
  ...reasonedBody.properties,
});
const awayBody = Type.Object({ on: Type.Boolean() });
const control = { 200: controlViewSchema };

/** Settings for all requests or for one session. */
export function registerControl(app: FastifyInstance, engine: Engine, ledger: Ledger): void {
  registerPresence(app, engine);
  registerStopping(app, engine, ledger);
}

function registerPresence(app: FastifyInstance, engine: Engine): void {
  const view = () => engine.control.view();
  const by = (request: FastifyRequest) => byOf(request, engine);

  app.get("/api/control", route("viewer", "pause, away, stopped sessions", { response: control }), async () => view());

  app.post(
    "/api/pause",
    route("approver", "leaves everything to the agents for a while", { body: pauseBody, response: control }),
    async (request) => {
      const { forMs, reason } = request.body;
      if (forMs > 0 && reason === undefined) throw invalidAnswer("/reason", "`reason` is missing: why everything is left to the agents.");
      await engine.control.pause(forMs, by(request), reason ?? "");
      return view();
    },
  );

  app.post(
    "/api/away",
    route("approver", "says that one is away, and reachable", { body: awayBody, response: control }),
    async (request) => {
      await engine.control.setAway(request.body.on, by(request));
      return view();
    },
  );

  app.post("/api/presence", route("approver", "says that one is there", { body: Type.Object({}), response: control }), async (request) => {
    by(request);
    return view();
  });
}

function registerStopping(app: FastifyInstance, engine: Engine, ledger: Ledger): void {
  app.post(
    "/api/sessions/:id/stop",
    route("approver", "stops a session", { ...sessionRequest, body: reasonedBody, response: control }),
    async (request) => {
      const { id: session, protocol, source } = await findOneSession(ledger, { ...request.params, ...request.query });
      await engine.stop({ protocol, source, session }, byOf(request, engine), request.body.reason);
      return engine.control.view();
    },
  );

  app.post(
    "/api/sessions/:id/lift",
    route("approver", "lets a stopped session go on", { ...sessionRequest, body: Type.Object({}), response: control }),
    async (request) => {
      const { id: session, protocol, source } = await findOneSession(ledger, { ...request.params, ...request.query });
      await engine.control.lift({ protocol, source, session }, byOf(request, engine));
      return engine.control.view();
    },
  );
}
