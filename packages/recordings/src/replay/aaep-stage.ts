import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { AaepProducer, createManifest, EARSHOT_CONTEXT, LogFeed, type Offer, type Principal } from "@earshot/aaep";
import { DEFAULT_PREFIX, HttpBinding, WebSocketBinding } from "@earshot/aaep/node";
import { EarshotError, type JsonObject } from "@earshot/protocol";
import { closeServer, listenAt, refuseStrangers } from "../listen-at.ts";
import type { Stage, StagePorts } from "./receiver.ts";
import type { Playable } from "./recorded.ts";

const AGENT = { agent_id: "earshot-replay", agent_name: "Earshot replay" } as const;
/** Any client may listen. No client may reply: the recorded requests were already settled, or not, at recording time. */
const LISTENER: Principal = { id: "listener", name: "Listener", mayRead: true, mayReply: false };
const MAX_SUBSCRIPTIONS = 64;
/** Maximum lag of the listeners before playback waits for them, well within what the log keeps. */
const MAX_BEHIND = 1000;
const MAX_CHARACTERS_BEHIND = 4 << 20;
const LOOK_EVERY_MS = 5;
/** Grace period for a listener to reconnect if its stream breaks at the end. */
const RETURN_MS = 5000;

/** Serves a recording as an AAEP producer: over HTTP with server-sent events, and over WebSocket. */
export class AaepStage implements Stage {
  readonly counts = { stored: 0, known: 0, refused: 0, flagged: 0 };
  readonly #feed = new LogFeed();
  readonly #producer: AaepProducer;
  readonly #server: Server;
  readonly #waitsForSomebody: boolean;
  readonly #ports: StagePorts;
  /** Lengths of the most recently played events, covering the current lag. */
  #lengths: number[] = [];
  #behindCharacters = 0;
  #origin = "";
  #replies = 0;

  private constructor(stagePorts: StagePorts) {
    const { host, origins, waitFor } = stagePorts.serving;
    this.#waitsForSomebody = waitFor > 0;
    this.#ports = stagePorts;
    const offer: Offer = {
      producer: AGENT,
      versions: ["1.0.0"],
      levels: [1, 2, 3],
      boundaries: ["none", "word", "sentence", "paragraph", "completion"],
      extensions: [EARSHOT_CONTEXT],
      takesConfirmations: false,
      takesClarifications: false,
    };
    this.#producer = new AaepProducer({
      feed: this.#feed,
      offer: () => offer,
      manifest: () =>
        createManifest(offer, {
          transports: ["sse", "websocket"],
          maxSubscriptions: MAX_SUBSCRIPTIONS,
          prefix: DEFAULT_PREFIX,
          multiAgent: "shared-session",
        }),
      reply: () => {}, // nobody here may
      allowsImplicit: true,
      maxSubscriptions: MAX_SUBSCRIPTIONS,
      monotonic: () => performance.now(),
      now: Date.now,
      newId: (prefix) => `${prefix}_${randomBytes(16).toString("hex")}`,
      after: (ms, call) => {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
      onFailure: () => {}, // the connection of somebody who listened: it ends, and they come back
    });
    const authorise = (request: IncomingMessage) => {
      refuseStrangers(request, { host, origins, who: "This replay" });
      return LISTENER;
    };
    const allowOrigin = (origin: string) => origins.includes(origin);
    const ports = { producer: this.#producer, authorise, allowOrigin };
    const http = new HttpBinding({
      ...ports,
      onMessage: (message) => {
        if (this.#noteReply(message)) throw new EarshotError({ code: "NOT_PERMITTED", message: REFUSAL });
      },
    });
    // A WebSocket channel has no response to a reply. The handshake already declares that replies are not accepted.
    const sockets = new WebSocketBinding({ ...ports, onMessage: (message) => void this.#noteReply(message) });
    this.#server = createServer((request, response) => void http.handle(request, response));
    sockets.attach(this.#server);
  }

  static async open(ports: StagePorts): Promise<AaepStage> {
    const stage = new AaepStage(ports);
    stage.#origin = await listenAt(stage.#server, ports.serving);
    return stage;
  }

  get name(): string {
    return `the listeners at ${this.url}`;
  }

  get url(): string {
    return this.#origin + DEFAULT_PREFIX;
  }

  get listeners(): number {
    return this.#producer.attached;
  }

  get repliesIgnored(): number {
    return this.#replies;
  }

  takes({ protocol, kind }: Playable): boolean {
    return protocol === "aaep" && kind === "event";
  }

  add({ value, text }: Playable): void {
    this.#feed.append(value, text);
    this.#lengths.push(text.length);
    this.#behindCharacters += text.length;
    this.counts.stored++;
  }

  /** Playback waits for slow listeners, and until there is a listener if one is required: a recording has no deadline. */
  get isFull(): boolean {
    const { hindmost, head } = this.#producer;
    if (hindmost === undefined && this.#waitsForSomebody) return true;
    const behind = head - (hindmost ?? head);
    if (this.#lengths.length > behind) {
      for (const length of this.#lengths.splice(0, this.#lengths.length - behind)) this.#behindCharacters -= length;
    }
    return behind > MAX_BEHIND || this.#behindCharacters > MAX_CHARACTERS_BEHIND;
  }

  async flush(): Promise<void> {
    if (this.isFull && this.#producer.attached === 0) this.#ports.onAlone();
    while (this.isFull && !this.#ports.signal.aborted) await pause(LOOK_EVERY_MS);
  }

  async settle(): Promise<void> {
    for (let alone = 0; alone < RETURN_MS && !this.#ports.signal.aborted; alone += LOOK_EVERY_MS) {
      if (this.#producer.attached > 0) {
        if (this.#producer.isSettled) return;
        alone = 0;
      }
      if (!this.#waitsForSomebody && this.#producer.attached === 0) return;
      await pause(LOOK_EVERY_MS);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#producer.close();
    await closeServer(this.#server);
  }

  #noteReply({ type }: JsonObject): boolean {
    const isReply = type === "confirmation.reply" || type === "clarification.reply";
    if (isReply) this.#replies++;
    return isReply;
  }
}

const REFUSAL = "This is a replay of a recording. Whatever it asks was settled long ago: answers decide nothing here.";
