import type { FastifyInstance, FastifyRequest } from "fastify";
import Type from "typebox";
import { naturalNumber } from "../api-schema.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { PolicyStore } from "../policy/policy-store.ts";
import { policyViewSchema } from "../policy/policy-view.ts";
import { invalidAnswer, reasonedBody } from "../requests/answer.ts";
import { controlViewSchema, forgetBody } from "../requests/api.ts";
import type { Engine } from "../requests/engine.ts";
import type { RememberDesk } from "../requests/remember-desk.ts";
import { findOneSession, sessionRequest } from "./api.ts";
import { byOf } from "./request-routes.ts";

const pauseBody = Type.Object({
  forMs: naturalNumber({ description: "milliseconds; 0 ends the pause" }),
  ...reasonedBody.properties,
});
const awayBody = Type.Object({ on: Type.Boolean() });
const acceptBody = Type.Object({ hash: Type.String({ description: "of the text that was shown" }) });
const control = { 200: controlViewSchema };

interface ControlRouteOptions {
  readonly engine: Engine;
  readonly ledger: Ledger;
  readonly remembering: RememberDesk;
  readonly policy: Pick<PolicyStore, "fullView" | "accept">;
}

/** What people set for all requests, or for one session. */
export function registerControl(app: FastifyInstance, { engine, ledger, policy, remembering }: ControlRouteOptions): void {
  const view = () => engine.control.view();
  const by = (request: FastifyRequest) => byOf(request, engine);

  app.get(
    "/api/control",
    { config: { access: "viewer", summary: "pause, away, stopped sessions" }, schema: { response: control } },
    async () => view(),
  );

  app.post(
    "/api/pause",
    {
      config: { access: "approver", summary: "leaves everything to the agents for a while" },
      schema: { body: pauseBody, response: control },
    },
    async (request) => {
      const { forMs, reason } = request.body;
      if (forMs > 0 && reason === undefined) throw invalidAnswer("/reason", "`reason` is missing: why everything is left to the agents.");
      await engine.control.pause(forMs, by(request), reason ?? "");
      return view();
    },
  );

  app.post(
    "/api/away",
    { config: { access: "approver", summary: "says that one is away, and reachable" }, schema: { body: awayBody, response: control } },
    async (request) => {
      await engine.control.setAway(request.body.on, by(request));
      return view();
    },
  );

  app.post(
    "/api/presence",
    { config: { access: "approver", summary: "says that one is there" }, schema: { body: Type.Object({}), response: control } },
    async (request) => {
      by(request);
      return view();
    },
  );

  app.post(
    "/api/sessions/:id/stop",
    {
      config: { access: "approver", summary: "stops a session" },
      schema: { ...sessionRequest, body: reasonedBody, response: control },
    },
    async (request) => {
      const { id: session, protocol, source } = await findOneSession(ledger, { ...request.params, ...request.query });
      await engine.stop({ protocol, source, session }, by(request), request.body.reason);
      return view();
    },
  );

  app.post(
    "/api/sessions/:id/lift",
    {
      config: { access: "approver", summary: "lets a stopped session go on" },
      schema: { ...sessionRequest, body: Type.Object({}), response: control },
    },
    async (request) => {
      const { id: session, protocol, source } = await findOneSession(ledger, { ...request.params, ...request.query });
      await engine.control.lift({ protocol, source, session }, by(request));
      return view();
    },
  );

  app.post(
    "/api/policy/forget",
    {
      config: { access: "approver", summary: "takes back what was allowed from now on" },
      schema: { body: forgetBody, response: control },
    },
    async (request) => remembering.forget(request.body.rule, by(request)),
  );

  const policyView = { 200: policyViewSchema };
  app.get(
    "/api/policy",
    { config: { access: "viewer", summary: "the rules, and what is pending" }, schema: { response: policyView } },
    async () => policy.fullView(),
  );

  app.post(
    "/api/policy/accept",
    {
      config: { access: "approver", summary: "accepts rules that allow more" },
      schema: { body: acceptBody, response: policyView },
    },
    async (request) => policy.accept(request.body.hash, by(request)),
  );
}
