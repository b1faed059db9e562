import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, createServer as createSocketServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClarificationReply, type ConfirmationReply, EarshotError, type JsonObject } from "@earshot/protocol";
import { HttpBinding } from "../../node/http-binding.ts";
import { SocketBinding } from "../../node/socket-binding.ts";
import { WebSocketBinding } from "../../node/websocket-binding.ts";
import { LogFeed } from "../../producer/log-feed.ts";
import { createManifest } from "../../producer/manifest.ts";
import { AaepProducer } from "../../producer/producer.ts";
import type { ProducerOffer, ProducerPorts } from "../../producer/producer-ports.ts";

export interface LiveProducer extends AsyncDisposable {
  readonly url: string;
  readonly wsUrl: string;
  readonly socketUrl: string;
  readonly feed: LogFeed;
  readonly producer: AaepProducer;
  readonly replies: (ConfirmationReply | ClarificationReply)[];
  readonly others: JsonObject[];
  /** Received requests, as `POST /aaep/v1/replies`. */
  readonly requests: string[];
  say(...events: readonly JsonObject[]): void;
  /** Breaks all connections. */
  cut(): void;
  /** Rejects connections until reopened. */
  shut(isShut: boolean): void;
  /** Restarts the producer with the same events and address. */
  restart(): Promise<void>;
}

export interface LiveProducerOptions {
  readonly offer?: Partial<ProducerOffer>;
  readonly token?: string;
  readonly feed?: LogFeed;
  readonly allowsImplicit?: boolean;
  /** Pages of the same origin: returns whether it answered. */
  readonly pages?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** A real producer on real sockets, like an agent that serves itself. */
export async function openLiveProducer(options: LiveProducerOptions = {}): Promise<LiveProducer> {
  const feed = options.feed ?? new LogFeed();
  const folder = mkdtempSync(join(tmpdir(), "aaep-"));
  const socketPath = join(folder, "p.sock");
  const innerPath = join(folder, "inner.sock");
  const [replies, others, requests, sockets] = [[], [], [], new Set()] as [
    (ConfirmationReply | ClarificationReply)[],
    JsonObject[],
    string[],
    Set<Socket>,
  ];
  let isShut = false;
  const offer: ProducerOffer = {
    producer: { agent_id: "deploy-bot", agent_name: "Deploy bot" },
    versions: ["1.0.0"],
    levels: [1, 2, 3],
    boundaries: ["none", "word", "sentence", "paragraph", "completion"],
    extensions: [],
    takesConfirmations: true,
    takesClarifications: true,
    ...options.offer,
  };
  const principal = { id: "somebody", name: "somebody", mayRead: true, mayReply: true };
  const authorise = ({ headers }: IncomingMessage) => {
    if (isShut || (options.token !== undefined && headers.authorization !== `Bearer ${options.token}`))
      throw new EarshotError({ code: isShut ? "INTERNAL" : "NOT_AUTHORISED", message: "Not now." });
    return principal;
  };
  const start = async (port: number) => {
    const ports: ProducerPorts = {
      feed,
      offer: () => offer,
      manifest: () => createManifest(offer, { transports: ["sse"], maxSubscriptions: 100, multiAgent: "shared-session" }),
      reply: (reply) => replies.push(reply),
      other: (message) => {
        others.push(message);
        return {};
      },
      allowsImplicit: options.allowsImplicit ?? false,
      maxSubscriptions: 100,
      monotonic: () => performance.now(),
      now: () => Date.now(),
      newId: (prefix) => `${prefix}_${randomBytes(16).toString("hex")}`,
      after: (ms, call) => {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
      onFailure: () => {},
    };
    const producer = new AaepProducer(ports);
    const http = new HttpBinding({ producer, authorise });
    const server: Server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url?.split("?")[0]}`);
      if (options.pages?.(request, response) !== true) void http.handle(request, response);
    });
    new WebSocketBinding({ producer, authorise }).attach(server);
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    const local = new SocketBinding({ producer, path: innerPath, authorise: () => principal });
    await local.listen();
    return { producer, server, local };
  };
  /** A proxy for the local socket, so that it can be cut and shut as well. */
  const front = createSocketServer((socket) => {
    if (isShut) return void socket.destroy();
    const inner = connect(innerPath);
    for (const [one, other] of [
      [socket, inner],
      [inner, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on("error", () => {});
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => front.listen(socketPath, resolve));
  let running = await start(0);
  const { port } = running.server.address() as AddressInfo;
  const stop = async () => {
    running.producer.close();
    await running.local.close();
    running.server.closeAllConnections();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => running.server.close(resolve));
  };
  return {
    url: `http://127.0.0.1:${port}/aaep/v1`,
    wsUrl: `ws://127.0.0.1:${port}/aaep/v1/ws`,
    socketUrl: `unix:${socketPath}`,
    feed,
    get producer() {
      return running.producer;
    },
    replies,
    others,
    requests,
    say: (...events) => {
      for (const event of events) feed.append(event);
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    shut: (is) => {
      isShut = is;
    },
    async restart() {
      await stop();
      running = await start(port);
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await new Promise((resolve) => front.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
