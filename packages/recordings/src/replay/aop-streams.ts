import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Playable } from "./recorded.ts";

/** The limit of the official collector. */
const MAX_LISTENERS = 50;
const PING_MS = 15_000;
/** A reader that accepts no data for this long is disconnected; otherwise it would block the others forever. */
const STUCK_MS = 30_000;

interface Listener {
  readonly response: ServerResponse;
  /** True while the missed events are being sent. */
  isCatchingUp: boolean;
  blockedAt: number | undefined;
}

/** The open streams of a collector's `/stream`. Unlike the official collector, it sends event ids, so that a reader can resume. */
export class AopStreams {
  readonly #listeners = new Set<Listener>();
  readonly #played: () => AsyncIterable<Playable>;
  #timer: NodeJS.Timeout | undefined;

  /** `played` reads the events sent so far again. */
  constructor(played: () => AsyncIterable<Playable>) {
    this.#played = played;
  }

  get size(): number {
    return this.#listeners.size;
  }

  /** Whether a listener still has to receive sent events. */
  get isBehind(): boolean {
    const now = performance.now();
    for (const listener of this.#listeners) {
      const { response, isCatchingUp, blockedAt } = listener;
      if (isCatchingUp) return true;
      if (!response.writableNeedDrain) listener.blockedAt = undefined;
      else if (blockedAt !== undefined && now - blockedAt > STUCK_MS) response.destroy();
      else {
        listener.blockedAt ??= now;
        return true;
      }
    }
    return false;
  }

  tell(text: string, position: number): void {
    const frame = eventFrame(text, position);
    for (const { response } of this.#listeners) response.write(frame);
  }

  async open(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#listeners.size >= MAX_LISTENERS) {
      response.writeHead(503, { "content-type": "application/json; charset=utf-8", "retry-after": "5" });
      response.end(JSON.stringify({ error: `${MAX_LISTENERS} listen already.` }));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache", connection: "keep-alive" });
    response.write(`data: ${JSON.stringify({ type: "connected", timestamp: new Date().toISOString() })}\n\n`);
    if (request.method === "HEAD") return void response.end();
    const after = /^\d{1,15}$/.exec(String(request.headers["last-event-id"] ?? ""))?.[0];
    // A resuming listener gets all missed events; playback waits until it has caught up.
    const listener: Listener = { response, isCatchingUp: after !== undefined, blockedAt: undefined };
    this.#listeners.add(listener);
    response.on("close", () => this.#listeners.delete(listener));
    this.#timer ??= setInterval(() => this.#ping(), PING_MS).unref();
    if (after === undefined) return;
    try {
      await this.#tellMissed(response, Number(after));
    } finally {
      listener.isCatchingUp = false;
    }
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { response } of this.#listeners) response.end();
  }

  async #tellMissed(response: ServerResponse, after: number): Promise<void> {
    let position = 0;
    for await (const { text } of this.#played()) {
      if (response.destroyed) return;
      if (++position <= after) continue;
      if (!response.write(eventFrame(text, position))) await Promise.race([once(response, "drain"), once(response, "close")]);
    }
  }

  #ping(): void {
    for (const { response } of this.#listeners) if (!response.writableNeedDrain) response.write(": ping\n\n");
  }
}

function eventFrame(text: string, position: number): string {
  return `id: ${position}\ndata: {"kind":"event","data":${text}}\n\n`;
}
