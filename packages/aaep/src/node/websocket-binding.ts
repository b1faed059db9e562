import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { EarshotError, type Problem } from "@earshot/protocol";
import { type WebSocket, WebSocketServer } from "ws";
import type { Principal } from "../producer/producer-ports.ts";
import { SUBPROTOCOL } from "../subscriber/channel-connector.ts";
import { DEFAULT_PREFIX, type HttpBindingPorts, PeerWatch, unsentBytes } from "./binding.ts";
import { refuseUpgrade, toPublicProblem, toRejection } from "./http-answers.ts";
import { LAST_DATA_GRACE_MS, serveChannel, type TextChannel } from "./serve-channel.ts";

/** Close codes of B.2. */
export const CLOSE_CODES = {
  clean: 4000,
  rejected: 4001,
  authentication: 4002,
  authorisation: 4003,
  violation: 4004,
  bySubscriber: 4005,
} as const;

const LONGEST_MESSAGE_BYTES = 256 * 1024;
/** Above this many buffered bytes no more events are sent. */
const HIGH_WATER_BYTES = 64 * 1024;
/** How long a peer may take to start a handshake before it counts as one without. */
const IMPLICIT_AFTER_MS = 1000;
const MAX_MISSED_PONGS = 2;

/** Close code and reason for each ending. */
const ENDINGS: Readonly<Record<Parameters<TextChannel["end"]>[0], readonly [code: number, reason: string]>> = {
  closed: [CLOSE_CODES.clean, "Closed."],
  rejected: [CLOSE_CODES.rejected, "The subscription was rejected."],
  nonsense: [CLOSE_CODES.violation, "Too much was not understood."],
  stopping: [CLOSE_CODES.clean, "The producer is stopping."],
};

/**
 * AAEP over WebSocket, at the prefix and at `/ws` below it: one JSON message per text frame in both directions. An offered subprotocol is
 * echoed. Works in any Node server through `attach`, or `handles` and `upgrade`.
 */
export class WebSocketBinding {
  readonly #ports: HttpBindingPorts;
  readonly #paths: ReadonlySet<string>;
  readonly #open = new Map<WebSocket, Duplex>();
  readonly #watch = new PeerWatch();
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: LONGEST_MESSAGE_BYTES,
    perMessageDeflate: false,
    clientTracking: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });

  constructor(ports: HttpBindingPorts) {
    this.#ports = ports;
    const prefix = ports.prefix ?? DEFAULT_PREFIX;
    this.#paths = new Set([prefix, `${prefix}/`, `${prefix}/ws`]);
    ports.producer.onClose(() => this.close());
  }

  handles(request: IncomingMessage): boolean {
    return this.#paths.has((request.url ?? "").split("?", 1)[0] ?? "");
  }

  /** Listens for upgrades and leaves other paths to other listeners. Returns the function that stops it. */
  attach(server: Server): () => void {
    const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
      if (this.handles(request)) this.upgrade(request, socket, head);
      else if (server.listenerCount("upgrade") === 1) {
        refuseUpgrade(socket, { code: "NOT_FOUND", message: "There is no WebSocket at this address." });
      }
    };
    server.on("upgrade", onUpgrade);
    return () => server.off("upgrade", onUpgrade);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => {}); // broken connections are closed, and that is listened to
    this.#admit(request).then(
      (admitted) => this.#accept(request, socket, head, admitted),
      (error: unknown) => {
        this.#ports.onFailure?.(error);
        refuseUpgrade(socket, toPublicProblem(error));
      },
    );
  }

  /** Ends all sockets. */
  close(): void {
    this.#watch.close();
    for (const [webSocket, socket] of this.#open) end(webSocket, socket, ...ENDINGS.stopping);
  }

  /** The caller's identity, or a refusal. Pages cannot see a status, so a refusal is sent after the upgrade. */
  async #admit(request: IncomingMessage): Promise<Admission> {
    try {
      return { principal: await this.#ports.authorise(request) };
    } catch (error) {
      const problem = EarshotError.is(error) ? error.problem : undefined;
      if (problem === undefined || problem.code === "HOST_REFUSED" || toRejection(problem) === undefined) throw error;
      return { problem };
    }
  }

  #accept(request: IncomingMessage, socket: Duplex, head: Buffer, admission: Admission): void {
    if (socket.destroyed) return;
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on("error", () => {}); // what a peer does wrong closes its connection, and that is listened to
      if ("problem" in admission) this.#turnAway(webSocket, socket, admission.problem);
      else this.#serve(webSocket, socket, admission.principal);
    });
  }

  #turnAway(webSocket: WebSocket, socket: Duplex, problem: Problem): void {
    webSocket.send(JSON.stringify(toRejection(problem)));
    const code = problem.code === "NOT_AUTHORISED" ? CLOSE_CODES.authentication : CLOSE_CODES.authorisation;
    end(webSocket, socket, code, problem.message);
  }

  #serve(webSocket: WebSocket, socket: Duplex, principal: Principal): void {
    const { connection, receive } = serveChannel(
      this.#ports.producer,
      { principal },
      {
        write: (text) => {
          webSocket.send(text);
          return webSocket.bufferedAmount < HIGH_WATER_BYTES;
        },
        end: (why) => end(webSocket, socket, ...ENDINGS[why]),
        onMessage: this.#ports.onMessage,
      },
    );
    let missedPongs = 0;
    this.#open.set(webSocket, socket);
    const unwatch = this.#watch.add({
      unsentBytes: () => unsentBytes(socket),
      destroy: () => webSocket.terminate(),
      onQuiet: () => {
        if (missedPongs++ > MAX_MISSED_PONGS) webSocket.terminate();
        else webSocket.ping();
      },
    });
    const implicit = setTimeout(() => connection.beginImplicitly(), IMPLICIT_AFTER_MS).unref();
    webSocket.on("message", (data, isBinary) => {
      clearTimeout(implicit);
      if (isBinary) end(webSocket, socket, CLOSE_CODES.violation, "Messages are text.");
      else receive(data.toString());
    });
    webSocket.on("pong", () => {
      missedPongs = 0;
    });
    socket.on("drain", () => connection.drained());
    webSocket.on("close", (code) => {
      clearTimeout(implicit);
      unwatch();
      this.#open.delete(webSocket);
      connection.closed(code === CLOSE_CODES.bySubscriber || code === CLOSE_CODES.clean ? "closed" : "lost");
    });
  }
}

type Admission = { readonly principal: Principal } | { readonly problem: Problem };

/** Does not wait for a peer that ignores the closing handshake. */
function end(webSocket: WebSocket, socket: Duplex, code: number, reason: string): void {
  webSocket.close(code, reason.slice(0, 60));
  setTimeout(() => socket.destroy(), LAST_DATA_GRACE_MS).unref();
}
