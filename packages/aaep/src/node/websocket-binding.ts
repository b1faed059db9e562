import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { EarshotError, type Problem } from "@earshot/protocol";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { Connection } from "../producer/connection.ts";
import type { Principal } from "../producer/producer-ports.ts";
import { readObjectText } from "../producer/read-message.ts";
import { DEFAULT_PREFIX, type HttpBindingPorts, StuckWatch, unsentBytes } from "./binding.ts";
import { problemOf, refuseUpgrade, toRejection } from "./http-answers.ts";

/** Why a socket is closed (B.2). */
export const CLOSE_CODES = {
  clean: 4000,
  rejected: 4001,
  authentication: 4002,
  authorisation: 4003,
  violation: 4004,
  bySubscriber: 4005,
} as const;

export const SUBPROTOCOL = "aaep.v1";

const LONGEST_MESSAGE_BYTES = 256 * 1024;
/** What the socket may hold before no more events are sent to it. */
const HIGH_WATER_BYTES = 64 * 1024;
/** How long a peer has to begin a handshake before it is taken for one that makes none. */
const IMPLICIT_AFTER_MS = 1000;
const PING_MS = 10_000;
const STUCK_MS = 30_000;
const GRACE_MS = 2000;
/** Messages that are not understood, in a row. */
const MOST_NONSENSE = 20;

interface OpenSocket {
  readonly socket: Duplex;
  readonly webSocket: WebSocket;
  readonly stuck: StuckWatch;
  missedPongs: number;
}

/**
 * AAEP over WebSocket, at the prefix and at `/ws` below it: one JSON message per text frame, both ways. The subprotocol is echoed
 * where it is offered. Hangs in any Node server by `attach`, or by `handles` and `upgrade`.
 */
export class WebSocketBinding {
  readonly #ports: HttpBindingPorts;
  readonly #paths: ReadonlySet<string>;
  readonly #open = new Set<OpenSocket>();
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: LONGEST_MESSAGE_BYTES,
    perMessageDeflate: false,
    clientTracking: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  #timer: NodeJS.Timeout | undefined;

  constructor(ports: HttpBindingPorts) {
    this.#ports = ports;
    const prefix = ports.prefix ?? DEFAULT_PREFIX;
    this.#paths = new Set([prefix, `${prefix}/`, `${prefix}/ws`]);
    ports.producer.onClose(() => this.close());
  }

  handles(request: IncomingMessage): boolean {
    return this.#paths.has((request.url ?? "").split("?", 1)[0] ?? "");
  }

  /** Listens for upgrades. Those for others are left to them, if there are others. Returns how to stop. */
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
        refuseUpgrade(socket, problemOf(error));
      },
    );
  }

  /** Ends all sockets. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const { webSocket, socket } of this.#open) end(webSocket, socket, CLOSE_CODES.clean, "The producer is stopping.");
  }

  /** Who it is, or what to tell it. A page cannot see a status, so that who may not come is told after the upgrade. */
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
    const open: OpenSocket = { socket, webSocket, stuck: new StuckWatch(), missedPongs: 0 };
    const connection = new Connection(
      this.#ports.producer,
      {
        send: (events) => {
          for (const { text } of events) webSocket.send(text);
          return webSocket.bufferedAmount < HIGH_WATER_BYTES;
        },
        tell: (message) => webSocket.send(JSON.stringify(message)),
        close: () => end(webSocket, socket, CLOSE_CODES.clean, "The producer is stopping."),
      },
      { principal, mayBeImplicit: true },
    );
    this.#open.add(open);
    this.#timer ??= setInterval(() => this.#ping(), PING_MS).unref();
    const implicit = setTimeout(() => connection.beginImplicitly(), IMPLICIT_AFTER_MS).unref();
    let nonsense = 0;
    webSocket.on("message", (data, isBinary) => {
      clearTimeout(implicit);
      if (isBinary) {
        end(webSocket, socket, CLOSE_CODES.violation, "Messages are text.");
        return;
      }
      nonsense = this.#hear(connection, data, open) ? 0 : nonsense + 1;
      if (nonsense >= MOST_NONSENSE) end(webSocket, socket, CLOSE_CODES.violation, "Too much was not understood.");
    });
    webSocket.on("pong", () => {
      open.missedPongs = 0;
    });
    socket.on("drain", () => connection.drained());
    webSocket.on("close", (code) => {
      clearTimeout(implicit);
      this.#open.delete(open);
      connection.closed(code === CLOSE_CODES.bySubscriber || code === CLOSE_CODES.clean ? "closed" : "lost");
    });
  }

  /** Whether it was understood. */
  #hear(connection: Connection, data: RawData, { webSocket, socket }: OpenSocket): boolean {
    const read = readObjectText(data.toString());
    if (!read.ok) return false;
    this.#ports.onMessage?.(read.value);
    const received = connection.receive(read.value);
    if (received.kind === "refused") return false;
    if (received.kind === "answer") webSocket.send(JSON.stringify(received.message));
    if (received.isLast === true) {
      const code = received.kind === "answer" ? CLOSE_CODES.rejected : CLOSE_CODES.clean;
      end(webSocket, socket, code, received.kind === "answer" ? "The subscription was rejected." : "Closed.");
    }
    return true;
  }

  #ping(): void {
    const at = performance.now();
    for (const open of this.#open) {
      const { socket, webSocket, stuck } = open;
      if (open.missedPongs > 2 || stuck.stuckMs(unsentBytes(socket), at) > STUCK_MS) webSocket.terminate();
      else if (socket.writableLength === 0) {
        open.missedPongs++;
        webSocket.ping();
      }
    }
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

type Admission = { readonly principal: Principal } | { readonly problem: Problem };

/** A peer that does not answer the closing is not waited for. */
function end(webSocket: WebSocket, socket: Duplex, code: number, reason: string): void {
  webSocket.close(code, reason.slice(0, 60));
  setTimeout(() => socket.destroy(), GRACE_MS).unref();
}
