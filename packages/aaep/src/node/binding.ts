import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { JsonObject } from "@earshot/protocol";
import type { AaepProducer } from "../producer/producer.ts";
import type { Principal } from "../producer/producer-ports.ts";

/** What every binding to HTTP needs: whom it serves, and who may come. */
export interface HttpBindingPorts {
  readonly producer: AaepProducer;
  /** Who sends this request; or throws an `EarshotError`: NOT_AUTHORISED, NOT_PERMITTED, HOST_REFUSED. */
  readonly authorise: (request: IncomingMessage) => Principal | Promise<Principal>;
  /** Told every object that was said, understood or not, before anything is made of it. For whoever judges subscribers. */
  readonly onMessage?: (message: JsonObject) => void;
  /** Where everything but the manifest lies: `/aaep/v1` when nothing is said. */
  readonly prefix?: string;
  readonly onFailure?: (error: unknown) => void;
}

/** What a binding without headers needs: a peer shows itself with its first message. */
export interface LocalBindingPorts {
  readonly producer: AaepProducer;
  readonly authorise: (first: JsonObject, peer: Duplex) => Principal | Promise<Principal>;
  readonly onFailure?: (error: unknown) => void;
}

export const DEFAULT_PREFIX = "/aaep/v1";

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
