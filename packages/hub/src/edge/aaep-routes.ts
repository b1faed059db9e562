import type { IncomingMessage } from "node:http";
import type { Principal } from "@earshot/aaep";
import { EarshotError, PROBLEMS, type ProblemCode, type SubscriptionRejected } from "@earshot/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AaepDesk } from "../aaep/aaep-desk.ts";
import type { Caller } from "../access/gate.ts";
import { may } from "../access/roles.ts";
import { callerOf } from "./access.ts";
import { answerProblem, toProblem } from "./answer.ts";
import { SECURITY_HEADERS } from "./app.ts";

/** Those that the gate has let in, for the binding. */
const principals = new WeakMap<IncomingMessage, Principal>();

/**
 * AAEP's subscribers over HTTP and SSE. Who may read subscribes; a reply counts when it comes from somebody who may decide, and
 * is answered the same otherwise.
 */
export function registerAaep(app: FastifyInstance, desk: AaepDesk): void {
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const { http } = await desk.open();
    principals.set(request.raw, toPrincipal(callerOf(request)));
    reply.hijack();
    const { raw } = reply;
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) raw.setHeader(name, value);
    // What was set before tells a web application that it may read this.
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
    await http.handle(request.raw, raw);
    return reply;
  };
  const get = (url: string, access: "viewer" | "anyone", summary: string) =>
    app.get(url, { exposeHeadRoute: false, config: { access, summary } }, serve);
  const post = (url: string, access: "viewer" | "approver", summary: string) => app.post(url, { config: { access, summary } }, serve);

  app.post(
    "/aaep/v1/subscriptions",
    { errorHandler: answerRejected, config: { access: "viewer", summary: "AAEP: subscribes (subscription.request)" } },
    serve,
  );
  get("/aaep/v1/events", "viewer", "AAEP: the stream of a subscription (SSE); without one, with the defaults");
  post("/aaep/v1/replies", "viewer", "AAEP: replies, subscription.renegotiate, subscription.close");
  post("/aaep/v1/messages", "viewer", "AAEP: any message; what is answered is answered on the stream");
  post("/aaep/v1/sessions/:id/stop", "approver", "AAEP: stops a session");
  get("/.well-known/aaep-manifest.json", "anyone", "AAEP: what this producer can do; signed with `accept: application/jose`");
  app.get("/aaep/v1/ws", { exposeHeadRoute: false, config: { access: "viewer", summary: "AAEP over WebSocket (aaep.v1)" } }, async () => {
    throw new EarshotError({ code: "WRONG_QUERY", message: "This address is for WebSockets." });
  });
}

/** Whoever asks for a subscription and may not have one is told so in the protocol's own words. */
function answerRejected(error: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toProblem(error);
  const reason = REASONS[problem.code];
  if (reason === undefined) return answerProblem(reply, problem);
  return reply
    .code(PROBLEMS[problem.code].status)
    .send({ type: "subscription.rejected", reason_code: reason, reason_message: problem.message });
}

const REASONS: Partial<Record<ProblemCode, SubscriptionRejected["reason_code"]>> = {
  NOT_AUTHORISED: "authentication_required",
  NOT_PERMITTED: "authorization_denied",
  HOST_REFUSED: "authorization_denied",
};

/** Whom the binding serves: only what the gate has let in comes here. */
export function principalOf(request: IncomingMessage): Principal {
  const principal = principals.get(request);
  if (principal === undefined) throw new EarshotError({ code: "NOT_AUTHORISED", message: "Nobody has let this in." });
  return principal;
}

export function toPrincipal({ name, role, credential }: Caller): Principal {
  const mayRead = role !== "nobody" && may(role, "read");
  return { id: credential ?? "", name, mayRead, mayReply: role !== "nobody" && may(role, "decide") };
}
