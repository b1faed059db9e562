import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { EarshotError, PROBLEMS } from "@earshot/protocol";

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

export type ListenAddress = { readonly host: string; readonly port: number } | { readonly path: string };

/** Far more than one machine needs; each may hold an unfinished request. */
const MAX_CONNECTIONS = 4096;
/** The time limit for a request's head. */
const HEADERS_MS = 30_000;

/** A server that passes every request to the handler. */
export async function listenHttp(handle: RequestHandler, where: ListenAddress, maxConnections = MAX_CONNECTIONS): Promise<Server> {
  const server: Server = createServer(
    {
      // A long stream of events is not a slow request; bodies have a limit for the pause between two chunks.
      requestTimeout: 0,
      // Node derives it from the limit for whole requests, which is off.
      headersTimeout: HEADERS_MS,
      keepAliveTimeout: 72_000,
      noDelay: true,
      // Java's client offers HTTP/2 with every request and continues with HTTP/1.1 if ignored.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === "websocket" && server.listenerCount("upgrade") > 0,
    },
    (request, response) => (hasOneHost(request) ? handle(request, response) : refuseHosts(response)),
  );
  limitConnections(server, maxConnections);
  server.on("clientError", (_error, socket) => {
    if (!socket.writable) return;
    const body = JSON.stringify({ error: "The request is not HTTP.", code: "WRONG_QUERY", message: "The request is not HTTP." });
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      () => socket.destroy(), // a peer could otherwise keep it open
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, where)));
    server.listen({ ...where, backlog: 1024 }, resolve);
  });
  return server;
}

/** Connections with a valid credential, by credential, oldest first. */
const trusted = new Map<string, Set<Duplex>>();

/**
 * A connection with a valid credential is not closed to make room for others. One credential keeps at most a quarter of all connections:
 * beyond that its oldest is closed.
 */
export function trustConnection(socket: Duplex, credential: string): void {
  const own = trusted.get(credential) ?? new Set();
  if (own.has(socket)) return;
  trusted.set(credential, own.add(socket));
  socket.emit(TRUSTED);
  socket.once("close", () => {
    own.delete(socket);
    if (own.size === 0) trusted.delete(credential);
  });
  if (own.size > MAX_CONNECTIONS / 4) closeOldest(own);
}

const TRUSTED = "trusted";

function closeOldest(sockets: Set<Duplex>): void {
  const [oldest] = sockets;
  if (oldest === undefined) return;
  sockets.delete(oldest);
  oldest.destroy();
}

/** Closes the oldest connection without a credential when there are too many: the newest may be the dashboard's or a hook's. */
function limitConnections(server: Server, most: number): void {
  const strangers = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    strangers.add(socket);
    const leave = () => strangers.delete(socket);
    socket.once(TRUSTED, leave).once("close", leave);
    if (strangers.size > most) closeOldest(strangers);
  });
}

/** A proxy could read a second Host header, or an absolute target, differently. */
export function hasOneHost({ rawHeaders, url }: IncomingMessage): boolean {
  let hosts = url?.startsWith("/") === true ? 0 : 1;
  for (let index = 0; index < rawHeaders.length; index += 2) if (rawHeaders[index]?.toLowerCase() === "host") hosts++;
  return hosts < 2;
}

function refuseHosts(response: ServerResponse): void {
  const message = "The request names more than one host.";
  response.writeHead(400, { "content-type": "application/json; charset=utf-8", connection: "close" });
  response.end(JSON.stringify({ error: message, code: "HOST_REFUSED", message, hint: PROBLEMS.HOST_REFUSED.help }));
}

export function portOfServer(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** The answer before the hub is ready and after it began to stop: it exists; retry soon. */
export function answerUnready(version: string, message: string): RequestHandler {
  return (request, response) => {
    const isHealth = request.url?.split("?", 1)[0] === "/health";
    const problem = { code: "LEDGER_UNAVAILABLE", message, hint: PROBLEMS.LEDGER_UNAVAILABLE.help };
    const body = isHealth ? { ok: true, version, ready: false, subscribers: 0 } : { error: problem.message, ...problem };
    response.writeHead(isHealth ? 200 : 503, {
      "content-type": "application/json; charset=utf-8",
      "retry-after": "1",
      connection: "close",
    });
    response.end(JSON.stringify(body));
  };
}

function explain(error: NodeJS.ErrnoException, where: ListenAddress): Error {
  const told = "path" in where ? where.path : `${where.host}, port ${where.port}`;
  if (error.code === "EADDRINUSE") {
    return new EarshotError({ code: "PORT_TAKEN", message: `Something else listens on ${told}.` }, { cause: error });
  }
  if (error.code === "EACCES") {
    return new EarshotError({ code: "PORT_TAKEN", message: `Listening on ${told} is not permitted.` }, { cause: error });
  }
  return error;
}
