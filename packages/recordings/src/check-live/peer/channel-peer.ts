import { openChannel, type StdioCommand, type SubscriberChannel } from "@earshot/aaep/node";
import type { JsonObject } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";
import { peerUnreachable } from "./http-peer.ts";
import { type ConnectOptions, type DrivenConnection, type DrivenPeer, isAnswer, ReceivedStream } from "./peer.ts";

type Headers = Readonly<Record<string, string>>;

const OPEN_MS = 10_000;

/** A producer that is a child process and speaks JSON-RPC over its standard streams. Each connection is its own process. */
export function createStdioPeer(command: readonly string[]): DrivenPeer {
  const running = new Set<ChannelConnection>();
  return {
    transport: "stdio",
    name: command.join(" "),
    shared: false,
    authenticates: false,
    async connect() {
      const connection = await connect({ command }, {});
      running.add(connection);
      return connection;
    },
    readManifest: async () => undefined,
    get: async () => undefined,
    async close() {
      await Promise.all([...running].map((connection) => connection.end()));
    },
  };
}

/** A producer behind a WebSocket; `http` reads what the same origin publishes. */
export function createWebSocketPeer(url: string, headers: Headers, http: DrivenPeer): DrivenPeer {
  return {
    transport: "websocket",
    name: url,
    shared: true,
    authenticates: http.authenticates,
    connect: ({ authenticated = true }: ConnectOptions = {}) => connect({ kind: "websocket", url }, authenticated ? headers : {}),
    readManifest: () => http.readManifest(),
    get: (path) => http.get(path),
    async close() {},
  };
}

async function connect(address: StdioCommand | { readonly kind: "websocket"; readonly url: string }, headers: Headers) {
  try {
    return new ChannelConnection(await openChannel(address, headers, AbortSignal.timeout(OPEN_MS)));
  } catch (error) {
    throw EarshotError.is(error) ? peerUnreachable(error.problem.message, error) : error;
  }
}

/** One duplex channel: answers come on the stream. */
class ChannelConnection implements DrivenConnection {
  readonly stream = new ReceivedStream();
  readonly #channel: SubscriberChannel;
  readonly #reading: Promise<void>;

  constructor(channel: SubscriberChannel) {
    this.#channel = channel;
    this.#reading = this.#read();
  }

  /** Whether events come before a handshake only shows when something happens. */
  async listen(): Promise<boolean> {
    return true;
  }

  async subscribe(message: JsonObject, waitMs: number): Promise<JsonObject | undefined> {
    const from = this.stream.items.length;
    await this.sendMessage(message);
    return (await this.stream.until((item) => isAnswer(item.value), waitMs, from))?.value;
  }

  renegotiate(message: JsonObject, waitMs: number): Promise<JsonObject | undefined> {
    return this.subscribe(message, waitMs);
  }

  async sendMessage(message: JsonObject): Promise<undefined> {
    try {
      this.#channel.send(JSON.stringify(message));
    } catch {
      // A closed channel shows in its stream.
    }
  }

  send(message: JsonObject): Promise<undefined> {
    return this.sendMessage(message);
  }

  async cut(): Promise<void> {
    this.#channel.close();
  }

  /** Closes it and waits until the other side is gone. */
  async end(): Promise<void> {
    this.#channel.close();
    await this.#reading;
  }

  async #read(): Promise<void> {
    try {
      for await (const text of this.#channel.texts) {
        await this.stream.reading;
        this.stream.push(text);
      }
    } catch {
      // Broken or refused: nothing more comes.
    }
    this.stream.end();
  }
}
