import type { FastifyInstance, FastifyRequest } from "fastify";
import Type from "typebox";
import { naturalNumber } from "../api-schema.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { invalidAnswer, reasonedBody } from "../requests/answer.ts";
import { controlViewSchema } from "../requests/api.ts";
import type { RequestEngine } from "../requests/engine.ts";
import { findOneSession, sessionRequest } from "./api.ts";
import { deciderNameOf } from "./request-routes.ts";
import { defineRoute } from "./validation.ts";

const pauseBody = Type.Object({
  forMs: naturalNumber({ description: "milliseconds; 0 ends the pause" }),
  ...reasonedBody.properties,
});
const awayBody = Type.Object({ on: Type.Boolean() });
const control = { 200: controlViewSchema };

/** Settings for all requests or for one session. */
export function registerControl(app: FastifyInstance, engine: RequestEngine, ledger: Ledger): void {
  registerPresence(app, engine);
  registerStopping(app, engine, ledger);
}

function registerPresence(app: FastifyInstance, engine: RequestEngine): void {
  const view = () => engine.control.view();
  const by = (request: FastifyRequest) => deciderNameOf(request, engine);

  app.get("/api/control", defineRoute("viewer", "pause, away, stopped sessions", { response: control }), async () => view());

  app.post(
    "/api/pause",
    defineRoute("approver", "leaves everything to the agents for a while", { body: pauseBody, response: control }),
    async (request) => {
      const { forMs, reason } = request.body;
      if (forMs > 0 && reason === undefined) throw invalidAnswer("/reason", "`reason` is missing: why everything is left to the agents.");
      await engine.control.pause(forMs, by(request), reason ?? "");
      return view();
    },
  );

  app.post(
    "/api/away",
    defineRoute("approver", "says that one is away, and reachable", { body: awayBody, response: control }),
    async (request) => {
      await engine.control.setAway(request.body.on, by(request));
      return view();
    },
  );

  app.post(
    "/api/presence",
    defineRoute("approver", "says that one is there", { body: Type.Object({}), response: control }),
    async (request) => {
      by(request);
      return view();
    },
  );
}

function registerStopping(app: FastifyInstance, engine: RequestEngine, ledger: Ledger): void {
  app.post(
    "/api/sessions/:id/stop",
    defineRoute("approver", "stops a session", { ...sessionRequest, body: reasonedBody, response: control }),
    async (request) => {
      const { id: session, protocol, source } = await findOneSession(ledger, { ...request.params, ...request.query });
      await engine.stop({ protocol, source, session }, deciderNameOf(request, engine), request.body.reason);
      return engine.control.view();
    },
  );

  app.post(
    "/api/sessions/:id/lift",
    defineRoute("approver", "lets a stopped session go on", { ...sessionRequest, body: Type.Object({}), response: control }),
    async (request) => {
      const { id: session, protocol, source } = await findOneSession(ledger, { ...request.params, ...request.query });
      await engine.control.lift({ protocol, source, session }, deciderNameOf(request, engine));
      return engine.control.view();
    },
  );
}
