import type { JsonValue } from "@earshot/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Ledger, SessionInfo } from "../ledger/ledger.ts";
import type { PolicyView } from "../policy/policy-view.ts";
import { readText } from "../requests/answer.ts";
import type { Engine } from "../requests/engine.ts";
import type { RememberDesk } from "../requests/remember-desk.ts";
import { readJsonBody } from "./json-body.ts";
import { findOneSession } from "./one-session.ts";
import { byOf, queryOf, reasonOf, wrong } from "./request-routes.ts";

export interface ControlRoutePorts {
  readonly engine: Engine;
  readonly ledger: Ledger;
  readonly remembering: RememberDesk;
  /** The person's rules: as they are, and how pending ones are accepted. */
  readonly policy?: { fullView(): Promise<PolicyView>; accept(hash: string, by: string): Promise<PolicyView> };
}

type ById = FastifyRequest<{ Params: { id: string } }>;

/** What people set for all requests, or for one session. */
export function registerControl(app: FastifyInstance, { engine, ledger, policy, remembering }: ControlRoutePorts): void {
  const { control } = engine;

  app.get("/api/control", { config: { access: "viewer", summary: "pause, away, stopped sessions" } }, async () => control.view());

  app.post("/api/pause", { config: { access: "approver", summary: "leaves everything to the agents for a while" } }, async (request) => {
    const body = await readJsonBody(request);
    const { forMs, reason } = body;
    const isEnd = forMs === 0;
    await control.pause(readDuration(forMs), byOf(request, engine), isEnd && reason === undefined ? "" : readText(reason, "reason"));
    return control.view();
  });

  app.post("/api/away", { config: { access: "approver", summary: "says that one is away, and reachable" } }, async (request) => {
    const { on } = await readJsonBody(request);
    if (typeof on !== "boolean") throw wrong("`on` is true or false.");
    await control.setAway(on, byOf(request, engine));
    return control.view();
  });

  app.post("/api/presence", { config: { access: "approver", summary: "says that one is there" } }, async (request) => {
    await readJsonBody(request);
    byOf(request, engine);
    return control.view();
  });

  app.post("/api/sessions/:id/stop", { config: { access: "approver", summary: "stops a session" } }, async (request: ById) => {
    const { reason } = reasonOf(await readJsonBody(request));
    const { id: session, protocol, source } = await theSession(ledger, request);
    await engine.stop({ protocol, source, session }, byOf(request, engine), reason);
    return control.view();
  });

  app.post("/api/sessions/:id/lift", { config: { access: "approver", summary: "lets a stopped session go on" } }, async (request: ById) => {
    await readJsonBody(request);
    const { id: session, protocol, source } = await theSession(ledger, request);
    await control.lift({ protocol, source, session }, byOf(request, engine));
    return control.view();
  });

  app.post(
    "/api/policy/forget",
    { config: { access: "approver", summary: "takes back what was allowed from now on" } },
    async (request) => {
      const { rule } = await readJsonBody(request);
      return remembering.forget(readText(rule, "rule"), byOf(request, engine));
    },
  );

  if (policy === undefined) return;
  app.get("/api/policy", { config: { access: "viewer", summary: "the rules, and what is pending" } }, async () => policy.fullView());

  app.post("/api/policy/accept", { config: { access: "approver", summary: "accepts rules that allow more" } }, async (request) => {
    const { hash } = await readJsonBody(request);
    if (typeof hash !== "string") throw wrong("`hash` names the text that was shown.");
    return policy.accept(hash, byOf(request, engine));
  });
}

function readDuration(value: JsonValue | undefined): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw wrong("`forMs` is a whole number of milliseconds; 0 ends the pause.");
}

function theSession(ledger: Ledger, request: ById): Promise<SessionInfo> {
  return findOneSession(ledger, { id: request.params.id, ...queryOf(request) });
}
