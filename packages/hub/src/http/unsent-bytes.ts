import type { Duplex } from "node:stream";

/**
 * How much of what was written the operating system has not taken yet. Node counts a write as a whole, and a slow reader may
 * take minutes over one; libuv's own count falls with every byte that leaves. It is shown on the socket's handle only, where
 * Node's socket timeout reads it for the same purpose. Should it ever be gone, whole writes are counted instead.
 */
export function unsentBytes(socket: Duplex): number {
  const handle: unknown = Reflect.get(socket, "_handle");
  if (typeof handle === "object" && handle !== null && "writeQueueSize" in handle && typeof handle.writeQueueSize === "number") {
    return handle.writeQueueSize;
  }
  return socket.writableLength;
}
