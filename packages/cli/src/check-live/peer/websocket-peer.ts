import type { JsonObject } from "@earshot/protocol";
import { unreachable } from "./http-peer.ts";
import { type Connection, type ConnectOptions, isAnswer, type Peer, Stream } from "./peer.ts";

type Headers = Readonly<Record<string, string>>;

const OPEN_MS = 10_000;

/** A producer behind a WebSocket; `http` reaches what is published at the same origin. */
export function createWebSocketPeer(url: string, headers: Headers, http: Peer): Peer {
  return {
    transport: "websocket",
    name: url,
    shared: true,
    authenticates: http.authenticates,
    connect: ({ authenticated = true }: ConnectOptions = {}) => WebSocketConnection.open(url, authenticated ? headers : {}),
    readManifest: () => http.readManifest(),
    get: (path) => http.get(path),
    async close() {},
  };
}

class WebSocketConnection implements Connection {
  readonly stream = new Stream();
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      if (typeof data === "string") this.stream.push(data);
    });
    socket.addEventListener("close", () => this.stream.end());
    socket.addEventListener("error", () => this.stream.end());
  }

  static async open(url: string, headers: Headers): Promise<WebSocketConnection> {
    // Node's WebSocket takes headers here; the DOM types, which the whole repository is checked with, do not know them.
    const options = { protocols: ["aaep.v1"], headers } as unknown as string[];
    const socket = new WebSocket(url, options);
    const connection = new WebSocketConnection(socket);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(unreachable(`${url} does not answer.`)), OPEN_MS);
      socket.addEventListener("open", () => {
        clearTimeout(timer);
        resolve();
      });
      socket.addEventListener("close", () => {
        clearTimeout(timer);
        reject(unreachable(`${url} does not take the connection.`));
      });
    });
    return connection;
  }

  /** What is said before a handshake, if anything, shows only when something happens. */
  async listen(): Promise<boolean> {
    return true;
  }

  async subscribe(request: JsonObject, waitMs: number): Promise<JsonObject | undefined> {
    return this.#ask(request, waitMs);
  }

  async renegotiate(message: JsonObject, waitMs: number): Promise<JsonObject | undefined> {
    return this.#ask(message, waitMs);
  }

  async say(message: JsonObject): Promise<undefined> {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  send(message: JsonObject): Promise<undefined> {
    return this.say(message);
  }

  async cut(): Promise<void> {
    this.#socket.close();
  }

  async #ask(message: JsonObject, waitMs: number): Promise<JsonObject | undefined> {
    const from = this.stream.items.length;
    await this.say(message);
    return (await this.stream.until((item) => isAnswer(item.value), waitMs, from))?.value;
  }
}
