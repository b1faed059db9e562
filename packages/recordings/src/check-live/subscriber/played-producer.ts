import { createServer, type IncomingMessage, type Server } from "node:http";
import { AaepProducer, createManifest, LogFeed, type Principal, type ProducerOffer } from "@earshot/aaep";
import { DEFAULT_PREFIX, HttpBinding, WebSocketBinding } from "@earshot/aaep/node";
import type { JsonObject } from "@earshot/protocol";
import { listenAt, refuseStrangers } from "../../listen-at.ts";
import { newAgentId, PLAYED_AGENT } from "./played-agent.ts";

export interface PlayedProducerOptions {
  readonly host: string;
  readonly port: number;
  /** Origins of pages that may subscribe. */
  readonly origins: readonly string[];
}

/** A message of either side, in order. */
export interface ExchangedMessage {
  readonly by: "producer" | "subscriber";
  readonly value: JsonObject;
  readonly at: number;
}

const MAX_UTTERANCES = 100_000;
const LEVELS = [1, 2, 3] as const;
const ANYBODY: Principal = { id: "subscriber", name: "Subscriber", mayRead: true, mayReply: true };

/** A producer for one subscriber, over HTTP with server-sent events and WebSocket, recording all messages. */
export class PlayedProducer {
  readonly #feed = new LogFeed();
  readonly #producer: AaepProducer;
  readonly #server: Server;
  readonly #exchanged: ExchangedMessage[] = [];
  readonly #subscriptions = new Set<string>();
  readonly #waiting = new Set<() => void>();
  #visits = 0;
  #origin = "";

  private constructor(options: PlayedProducerOptions) {
    const offer: ProducerOffer = {
      producer: PLAYED_AGENT,
      versions: ["1.0.0"],
      levels: LEVELS,
      languages: ["en-US", "en"],
      boundaries: ["none", "word", "sentence", "paragraph", "completion"],
      extensions: [],
      takesConfirmations: true,
      takesClarifications: true,
    };
    const maxSubscriptions = 32;
    this.#producer = new AaepProducer({
      feed: this.#feed,
      offer: () => offer,
      manifest: () =>
        createManifest(offer, { transports: ["sse", "websocket"], maxSubscriptions, prefix: DEFAULT_PREFIX, multiAgent: "shared-session" }),
      reply: () => {}, // noted when it came
      allowsImplicit: true,
      maxSubscriptions,
      monotonic: () => performance.now(),
      now: Date.now,
      newId: (prefix) => {
        const id = newAgentId(prefix);
        if (prefix === "sub") this.#subscriptions.add(id);
        return id;
      },
      after: (ms, call) => {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
      onFailure: () => {}, // the connection of somebody who is being judged: its end is told
    });
    const ports = {
      producer: this.#producer,
      authorise: (request: IncomingMessage) => {
        const isStream = request.headers.upgrade !== undefined || request.url?.startsWith(`${DEFAULT_PREFIX}/events`) === true;
        if (isStream) this.#visits++;
        refuseStrangers(request, { ...options, who: "This check" });
        return ANYBODY;
      },
      onMessage: (message: JsonObject) => this.#note("subscriber", message),
      allowOrigin: (origin: string) => options.origins.includes(origin),
    };
    const http = new HttpBinding(ports);
    const sockets = new WebSocketBinding(ports);
    this.#server = createServer((request, response) => void http.handle(request, response));
    sockets.attach(this.#server);
  }

  static async open(options: PlayedProducerOptions): Promise<PlayedProducer> {
    const reception = new PlayedProducer(options);
    reception.#origin = await listenAt(reception.#server, options);
    return reception;
  }

  get url(): string {
    return this.#origin + DEFAULT_PREFIX;
  }

  get exchanged(): readonly ExchangedMessage[] {
    return this.#exchanged;
  }

  /** Whether this id was given to a subscription. */
  isSubscription(id: unknown): boolean {
    return typeof id === "string" && this.#subscriptions.has(id);
  }

  /** Whether a subscriber listens. */
  get isAttended(): boolean {
    return this.#producer.attached > 0;
  }

  /** Number of streams opened so far. */
  get visits(): number {
    return this.#visits;
  }

  publish(event: JsonObject): void {
    this.#note("producer", event);
    this.#feed.append(event);
  }

  /** The subscriber's first matching message from an index; undefined on timeout. */
  async until(fits: (message: JsonObject) => boolean, ms: number, from: number): Promise<ExchangedMessage | undefined> {
    const deadline = performance.now() + ms;
    let next = from;
    for (;;) {
      for (; next < this.#exchanged.length; next++) {
        const one = this.#exchanged[next];
        if (one?.by === "subscriber" && fits(one.value)) return one;
      }
      const left = deadline - performance.now();
      if (left <= 0) return undefined;
      await this.#more(left);
    }
  }

  async close(): Promise<void> {
    this.#producer.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #note(by: ExchangedMessage["by"], value: JsonObject): void {
    if (this.#exchanged.length < MAX_UTTERANCES) this.#exchanged.push({ by, value, at: performance.now() });
    for (const done of [...this.#waiting]) done();
  }

  #more(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting;
      const timer = setTimeout(done, ms);
      waiting.add(done);
      function done(): void {
        clearTimeout(timer);
        waiting.delete(done);
        resolve();
      }
    });
  }
}
