import type { ServerResponse } from "node:http";
import type { JsonObject } from "@earshot/protocol";
import type { OutgoingEvent } from "../shape/outgoing.ts";
import { SSE_COMMENT, SSE_EVENT, sseFrame } from "../wire/sse.ts";
import { type PeerWatch, unsentBytes } from "./binding.ts";
import { LAST_DATA_GRACE_MS } from "./serve-channel.ts";

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-store, no-transform",
  connection: "keep-alive",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};

/** The id is only written where the stream can be resumed; a page's `onmessage` only receives unnamed events. */
export function eventFrame({ eventId, text, resumable }: OutgoingEvent, isNamed: boolean): string {
  return sseFrame({ event: isNamed ? SSE_EVENT : undefined, id: resumable ? eventId : undefined, data: text });
}

export function messageFrame(message: JsonObject): string {
  return sseFrame({ data: JSON.stringify(message) });
}

interface SseStreamOptions {
  readonly onDrain: () => void;
  readonly onClose: () => void;
  /** Called at times when everything is sent, to send the resume point. */
  readonly onQuiet: () => void;
}

/** A streaming HTTP response. */
export class SseStream {
  readonly #response: ServerResponse;
  #isEnded = false;

  constructor(response: ServerResponse, watch: PeerWatch, { onDrain, onClose, onQuiet }: SseStreamOptions) {
    this.#response = response;
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

  /** False when the buffer is full or the peer is gone. */
  write(frames: string): boolean {
    return !this.#isEnded && this.#response.write(frames);
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#response.end();
    setTimeout(() => this.#response.destroy(), LAST_DATA_GRACE_MS).unref();
  }
}
