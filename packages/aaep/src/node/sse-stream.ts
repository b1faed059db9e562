import type { ServerResponse } from "node:http";
import type { JsonObject } from "@earshot/protocol";
import type { Outgoing } from "../shape/outgoing.ts";
import { SSE_COMMENT, SSE_EVENT, sseFrame, sseMark } from "../wire/sse.ts";
import { type PeerWatch, unsentBytes } from "./binding.ts";
import { GRACE_MS } from "./serve-channel.ts";

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-store, no-transform",
  connection: "keep-alive",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};

export interface SseStreamOptions {
  /** Whether events go as frames named `aaep.event`; unnamed ones are what a page's `onmessage` hears. */
  readonly isNamed: boolean;
  readonly onDrain: () => void;
  readonly onClose: () => void;
  /** Now and then, when all was taken: a good moment to say where the stream stands. */
  readonly onQuiet: () => void;
}

/** An answer to an HTTP request that goes on for as long as somebody listens. */
export class SseStream {
  readonly #response: ServerResponse;
  readonly #event: string | undefined;
  #isEnded = false;

  constructor(response: ServerResponse, watch: PeerWatch, { isNamed, onDrain, onClose, onQuiet }: SseStreamOptions) {
    this.#response = response;
    this.#event = isNamed ? SSE_EVENT : undefined;
    const unwatch = watch.add({
      unsentBytes: () => (response.socket === null ? 0 : unsentBytes(response.socket)),
      destroy: () => response.destroy(),
      onQuiet: () => {
        if (this.#isEnded) return;
        response.write(SSE_COMMENT);
        onQuiet();
      },
    });
    response.on("drain", onDrain);
    response.on("close", () => {
      this.#isEnded = true;
      unwatch();
      onClose();
    });
    response.on("error", () => {}); // a connection that breaks is closed next, and that is listened to
    response.writeHead(200, HEADERS);
    response.write(SSE_COMMENT);
  }

  /** An event's id is written only where somebody can resume from it. */
  send(events: readonly Outgoing[]): boolean {
    if (this.#isEnded) return false;
    let frames = "";
    for (const { eventId, text, resumable } of events) {
      frames += sseFrame({ event: this.#event, id: resumable ? eventId : undefined, data: text });
    }
    return this.#response.write(frames);
  }

  tell(message: JsonObject): void {
    if (!this.#isEnded) this.#response.write(sseFrame({ data: JSON.stringify(message) }));
  }

  mark(id: string): void {
    if (!this.#isEnded) this.#response.write(sseMark(id));
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#response.end();
    setTimeout(() => this.#response.destroy(), GRACE_MS).unref();
  }
}
