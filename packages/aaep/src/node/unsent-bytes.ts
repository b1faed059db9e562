import type { Duplex } from "node:stream";

/**
 * How much of what was written the operating system has not taken yet. Node counts a write as a whole, and a slow reader may
 * take minutes over one; libuv's own count, on the socket's handle, falls with every byte. Should it be gone, whole writes count.
 */
export function unsentBytes(socket: Duplex): number {
  const handle: unknown = Reflect.get(socket, "_handle");
  if (typeof handle === "object" && handle !== null && "writeQueueSize" in handle && typeof handle.writeQueueSize === "number") {
    return handle.writeQueueSize + (socket.writableCorked > 0 ? socket.writableLength : 0);
  }
  return socket.writableLength;
}

/** Tells a peer that takes nothing at all from one that is slow: asked now and then, never by a timer of its own. */
export class StuckWatch {
  #unsent = 0;
  #since = 0;

  /** For how many milliseconds nothing of what waits was taken. */
  stuckMs(unsent: number, at: number): number {
    if (unsent === 0 || unsent !== this.#unsent) {
      this.#unsent = unsent;
      this.#since = at;
    }
    return unsent === 0 ? 0 : at - this.#since;
  }
}
