import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { EarshotError, type JsonObject } from "@earshot/protocol";
import { SseParser } from "@earshot/protocol/sse";
import type { Principal } from "../../producer/producer-ports.ts";
import {
  ANA,
  BEN,
  createTestProducer,
  EventMaker,
  type TestProducer,
  type TestProducerOptions,
  VIEWER,
} from "../../producer/testing/test-producer.ts";
import { HttpBinding, type HttpBindingOptions } from "../http-binding.ts";
import { WebSocketBinding } from "../websocket-binding.ts";

export interface TestServer extends TestProducer, AsyncDisposable {
  readonly make: EventMaker;
  /** With the prefix. */
  readonly url: string;
  readonly origin: string;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** An event stream that is read in the background. */
  stream(path?: string, headers?: Record<string, string>): Promise<TestStream>;
}

/** A test producer behind a real server with both HTTP bindings. */
export async function serveTestProducer(
  options: TestProducerOptions = {},
  binding: Partial<Pick<HttpBindingOptions, "allowOrigin" | "authorise">> = {},
): Promise<TestServer> {
  const make = new EventMaker();
  const kit = createTestProducer({
    other: (message) => {
      if (message["kind"] !== "user_input") return undefined;
      kit.feed.append(make.started());
      return { control: { kind: "user_input.ack" } };
    },
    ...options,
  });
  const ports = { producer: kit.producer, authorise, onFailure: (error: unknown) => kit.failures.push(error), ...binding };
  const http = new HttpBinding(ports);
  const webSockets = new WebSocketBinding(ports);
  const server = createServer((request, response) => void http.handle(request, response));
  webSockets.attach(server);
  const origin = await listen(server);
  const url = `${origin}/aaep/v1`;
  const streams: TestStream[] = [];
  return {
    ...kit,
    make,
    url,
    origin,
    post: (path, body, headers = {}) =>
      fetch(`${url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    stream: async (path = "/events", headers = {}) => {
      const stream = await TestStream.open(`${url}${path}`, headers);
      streams.push(stream);
      return stream;
    },
    async [Symbol.asyncDispose]() {
      for (const stream of streams) stream.cut();
      kit.producer.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Ana, unless the request says otherwise. */
function authorise(request: IncomingMessage): Principal {
  switch (request.headers.authorization) {
    case "Bearer nobody":
      throw new EarshotError({ code: "NOT_AUTHORISED", message: "Who are you?" });
    case "Bearer stranger":
      throw new EarshotError({ code: "NOT_PERMITTED", message: "Not for you." });
    case "Bearer ben":
      return BEN;
    case "Bearer viewer":
      return VIEWER;
    default:
      return ANA;
  }
}

class TestStream {
  readonly status: number;
  readonly headers: Headers;
  /** Everything as it came. */
  text = "";
  readonly items: JsonObject[] = [];
  readonly ids: (string | undefined)[] = [];
  readonly names: (string | undefined)[] = [];
  isOver = false;
  readonly #parser = new SseParser();
  #lastId: string | undefined;
  readonly #abort: AbortController;

  static async open(url: string, headers: Record<string, string>): Promise<TestStream> {
    const abort = new AbortController();
    const response = await fetch(url, { headers: { accept: "text/event-stream", ...headers }, signal: abort.signal });
    return new TestStream(response, abort);
  }

  private constructor(response: Response, abort: AbortController) {
    this.status = response.status;
    this.headers = response.headers;
    this.#abort = abort;
    void this.#read(response).catch(() => {
      this.isOver = true;
    });
  }

  get lastId(): string | undefined {
    return this.#lastId;
  }

  get types(): readonly string[] {
    return this.items.map((item) => String(item["type"] ?? item["kind"]).replace("aaep:agent.", ""));
  }

  cut(): void {
    this.#abort.abort();
  }

  async #read(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      const piece = decoder.decode(bytes, { stream: true });
      this.text += piece;
      for (const { data, id, hasId, event } of this.#parser.feed(piece)) {
        if (hasId) this.#lastId = id;
        if (data === "") continue;
        this.items.push(JSON.parse(data) as JsonObject);
        this.ids.push(hasId ? id : undefined);
        this.names.push(event === "message" ? undefined : event);
      }
    }
    this.isOver = true;
  }
}
