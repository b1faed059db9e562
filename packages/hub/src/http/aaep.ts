import { chmodSync } from "node:fs";
import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import { createServer } from "node:net";
import type { Duplex } from "node:stream";
import type { Principal } from "@earshot/aaep";
import { prepareSocket } from "@earshot/aaep/local-socket";
import { EarshotError, PROBLEMS, type ProblemCode, type SubscriptionRejected } from "@earshot/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import type { OpenAaep } from "../aaep/open-aaep.ts";
import type { HubCredentials } from "../access/credentials.ts";
import type { Caller } from "../access/gate.ts";
import { withoutAddressToken } from "../access/own-address.ts";
import { type Ability, hasAbility } from "../access/roles.ts";
import { idParameters } from "../api-schema.ts";
import type { Lazy } from "../lazy.ts";
import { callerOf } from "./access.ts";
import { answerProblem, toProblemWithoutInternals } from "./answer.ts";
import { SECURITY_HEADERS } from "./app.ts";
import { hasOneHost } from "./listen.ts";
import { SSE } from "./live-sse.ts";
import { defineRoute } from "./validation.ts";

type LazyAaep = Pick<Lazy<OpenAaep>, "open">;

const body = Type.Unsafe<object>({ type: "object", description: "a message, by the schema that AAEP publishes" });
const MESSAGE = { type: "application/json", schema: body };

/** Authorized callers, for the binding. */
const principals = new WeakMap<IncomingMessage, Principal>();

/** AAEP over HTTP and SSE. Viewers may subscribe; a reply only takes effect from an approver, and gets the same response otherwise. */
export function registerAaep(app: FastifyInstance, aaep: LazyAaep, credentials: Pick<HubCredentials, "isCurrent">): void {
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const { http } = await aaep.open();
    principals.set(request.raw, toPrincipal(callerOf(request), credentials));
    reply.hijack();
    const { raw } = reply;
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) raw.setHeader(name, value);
    // Headers set earlier allow a web application to read this.
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
    await http.handle(request.raw, raw);
    return reply;
  };
  const get = (url: string, access: "viewer" | "anyone", summary: string, answers: { readonly type: string } = MESSAGE) =>
    app.get(url, { exposeHeadRoute: false, ...defineRoute(access, summary, {}, { answers }) }, serve);
  const post = (url: string, summary: string) => app.post(url, defineRoute("viewer", summary, {}, { body, answers: MESSAGE }), serve);

  const subscribing = defineRoute("viewer", "AAEP: subscribes (subscription.request)", {}, { body, answers: MESSAGE });
  app.post("/aaep/v1/subscriptions", { errorHandler: answerRejected, ...subscribing }, serve);
  get("/aaep/v1/events", "viewer", "AAEP: the stream of a subscription (SSE); without one, with the defaults", SSE);
  post("/aaep/v1/replies", "AAEP: replies, subscription.renegotiate, subscription.close");
  post("/aaep/v1/messages", "AAEP: any message; what is answered is answered on the stream");
  const stopping = defineRoute("approver", "AAEP: stops a session", { params: idParameters }, { body, answers: MESSAGE });
  app.post("/aaep/v1/sessions/:id/stop", stopping, serve);
  get("/.well-known/aaep-manifest.json", "anyone", "AAEP: what this producer can do; signed with `accept: application/jose`");
  const upgrading = defineRoute("viewer", "AAEP over WebSocket (aaep.v1)", {}, { answers: MESSAGE });
  app.get("/aaep/v1/ws", { exposeHeadRoute: false, ...upgrading }, async () => {
    throw new EarshotError({ code: "WRONG_QUERY", message: "This address is for WebSockets." });
  });
}

/** A rejected subscription request is answered with the protocol's message. */
function answerRejected(error: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toProblemWithoutInternals(error);
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

/** The caller for the binding: only authorized requests arrive here. */
export function principalOf(request: IncomingMessage): Principal {
  const principal = principals.get(request);
  if (principal === undefined) throw new EarshotError({ code: "NOT_AUTHORISED", message: "This credential gives no access." });
  return principal;
}

/** A connection can outlive its credential, so each reply is checked again. */
export function toPrincipal(caller: Caller, credentials: Pick<HubCredentials, "isCurrent">): Principal {
  const { name, role, credential } = caller;
  const mayEver = (ability: Ability) => role !== "nobody" && hasAbility(role, ability);
  return {
    id: credential ?? "",
    name,
    get mayRead() {
      return mayEver("read") && credentials.isCurrent(caller);
    },
    get mayReply() {
      return mayEver("decide") && credentials.isCurrent(caller);
    },
  };
}

const AAEP_WEBSOCKET_PATH = "/aaep/v1/ws";

function isAaepUpgrade(request: IncomingMessage): boolean {
  return withoutAddressToken(request).split("?", 1)[0] === AAEP_WEBSOCKET_PATH;
}

/**
 * AAEP over WebSocket. The binding authorizes the caller, because it reports refusals with the protocol's message. Returns the function
 * that stops it.
 */
export function attachAaepWebSocket(server: Server, aaep: LazyAaep, onFailure: (error: unknown) => void): () => void {
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on("error", () => {}); // broken connections are closed, and that is listened to
    if (!isAaepUpgrade(request) || !hasOneHost(request)) {
      refuseUpgrade(socket);
      return;
    }
    aaep.open().then(
      ({ webSocket }) => webSocket.upgrade(request, socket, head),
      (error: unknown) => {
        onFailure(error);
        socket.destroy();
      },
    );
  };
  server.on("upgrade", onUpgrade);
  return () => server.off("upgrade", onUpgrade);
}

function refuseUpgrade(socket: Duplex): void {
  const { status, help } = PROBLEMS.NOT_FOUND;
  const message = "There is no WebSocket at this address.";
  const body = JSON.stringify({ error: message, code: "NOT_FOUND", message, hint: help });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "cache-control: no-store",
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}

const MAX_CONNECTIONS = 256;

/**
 * Listens at AAEP's local address. The server code is loaded with the first subscriber. Throws a problem if the address is in use.
 * Returns the function that stops it.
 */
export async function listenForAaep(path: string, aaep: LazyAaep, onFailure: (error: unknown) => void): Promise<() => Promise<void>> {
  const isPipe = path.startsWith("\\\\.\\pipe\\");
  if (!isPipe) await prepareSocket(path);
  const server = createServer((peer) => {
    peer.on("error", () => {}); // broken connections are closed, and that is listened to
    aaep.open().then(
      ({ socket }) => socket.serve(peer),
      (error: unknown) => {
        onFailure(error);
        peer.destroy();
      },
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.off("error", reject);
      resolve();
    });
  });
  server.on("error", onFailure);
  if (!isPipe) chmodSync(path, 0o600);
  return () => new Promise((resolve) => server.close(() => resolve()));
}
