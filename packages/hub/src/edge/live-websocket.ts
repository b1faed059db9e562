import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { PROBLEMS, type Problem } from "@earshot/protocol";
import { type WebSocket, WebSocketServer } from "ws";
import { withoutAddressToken } from "../access/address-token.ts";
import type { Fanout } from "../fanout/fanout.ts";
import type { Encoding, Farewell } from "../fanout/frames.ts";
import type { Listener } from "../fanout/subscription.ts";
import { toProblem } from "./answer.ts";
import { readLiveQuery } from "./live-query.ts";
import { LIVE_PATH, lastEventIdOf } from "./live-sse.ts";
import { GRACE_MS } from "./sse-listener.ts";
import { unsentBytes } from "./unsent-bytes.ts";
import { packMessages, textMessage } from "./websocket-frames.ts";

export interface LiveWebSocketPorts {
  readonly fanout: Fanout;
  /** Throws a problem when the request may not read. */
  readonly authorise: (request: IncomingMessage) => void;
  readonly onFailure?: (error: unknown) => void;
  /** Whether somebody else answers an upgrade. */
  readonly isElsewhere?: (request: IncomingMessage) => boolean;
}

/** The same JSON as over SSE, one message per entry; and two kinds of message of its own, `position` and `closed`. */
export const WEBSOCKET_ENCODING: Encoding = {
  name: "websocket",
  encode: (frames) => packMessages(frames.map(({ json }) => json)),
  hello: (position, head) => textMessage(JSON.stringify({ kind: "position", position, head })),
  heartbeat: (position) => textMessage(JSON.stringify({ kind: "position", position })),
  farewell: ({ why, resumeAfter }) => textMessage(JSON.stringify({ kind: "closed", resumeAfter, why })),
};

/** Listeners have nothing to say; a little is tolerated. */
const LONGEST_MESSAGE_BYTES = 1024;
/** "Going away", and codes of our own for a listener that was too slow. */
const CLOSE_CODES = { stopping: 1001, stuck: 4008, crowded: 4013 } as const satisfies Record<Farewell["why"], number>;

/** WebSocket at `/api/live`, with the parameters that SSE takes. Returns how to stop. */
export function attachLiveWebSocket(server: Server, ports: LiveWebSocketPorts): () => void {
  // Pongs are ours to send: a peer that pings and never reads would pile them up.
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LONGEST_MESSAGE_BYTES,
    perMessageDeflate: false,
    clientTracking: false,
    autoPong: false,
  });
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on("error", () => {}); // broken connections are closed, and that is listened to
    const isOurs = withoutAddressToken(request).split("?", 1)[0] === LIVE_PATH;
    if (!isOurs) {
      // Somebody has to answer.
      if (ports.isElsewhere?.(request) !== true) refuse(socket, { code: "NOT_FOUND", message: "There is no WebSocket at this address." });
      return;
    }
    listen(sockets, { request, socket, head }, ports).catch((error: unknown) => {
      const problem = toProblem(error);
      if (problem.code === "INTERNAL") ports.onFailure?.(error);
      refuse(socket, problem);
    });
  };
  server.on("upgrade", onUpgrade);
  return () => server.off("upgrade", onUpgrade);
}

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

async function listen(
  sockets: WebSocketServer,
  { request, socket, head }: Upgrade,
  { fanout, authorise }: LiveWebSocketPorts,
): Promise<void> {
  authorise(request);
  const query = readLiveQuery(request.url ?? "", lastEventIdOf(request.headers));
  let webSocket: WebSocket | undefined;
  const listener = createListener(socket, () => webSocket);
  const joining = await fanout.join(listener, { ...query, encoding: WEBSOCKET_ENCODING });
  if (!joining.ok) {
    refuse(socket, joining.problem);
    return;
  }
  const { subscription } = joining;
  socket.on("drain", () => subscription.drained());
  socket.on("close", () => subscription.leave());
  if (socket.destroyed) {
    subscription.leave();
    return;
  }
  sockets.handleUpgrade(request, socket, head, (opened) => {
    webSocket = opened;
    opened.on("error", () => {}); // what a peer does wrong closes its connection, and that is listened to
    opened.on("ping", (data) => {
      if (socket.writableLength === 0) opened.pong(data);
    });
    subscription.start();
  });
}

/** Writes to the socket itself: messages of a server are not masked, so one buffer of many messages does for all listeners. */
function createListener(socket: Duplex, webSocket: () => WebSocket | undefined): Listener {
  return {
    send(chunks) {
      // Closing has begun on the other side; what follows is the end of the connection.
      if (webSocket()?.readyState !== 1) return false;
      if (chunks.length > 1) socket.cork();
      let room = true;
      for (const chunk of chunks) room = socket.write(chunk);
      if (chunks.length > 1) socket.uncork();
      return room;
    },
    unsentBytes: () => unsentBytes(socket),
    close(lastBytes, { why, resumeAfter }) {
      setTimeout(() => socket.destroy(), GRACE_MS).unref();
      const opened = webSocket();
      if (opened?.readyState !== 1) return;
      socket.write(lastBytes);
      opened.close(CLOSE_CODES[why], `${why}, resume after ${resumeAfter}`);
    },
  };
}

/** Before the upgrade, a problem is answered as over HTTP. */
function refuse(socket: Duplex, problem: Problem): void {
  const { status, help } = PROBLEMS[problem.code];
  const body = JSON.stringify({ error: problem.message, ...problem, hint: problem.hint ?? help });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "cache-control: no-store",
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}
