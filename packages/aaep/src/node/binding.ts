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

interface WatchedPeer {
  readonly unsentBytes: () => number;
  readonly destroy: () => void;
  /** Called now and then while everything was taken. */
  readonly onQuiet?: () => void;
}

/** Less than the fifteen seconds after which some peers take a silent stream for dead. */
const WATCH_MS = 10_000;
/** How long a peer may take nothing at all. */
const STUCK_MS = 30_000;

/** One timer for the open peers of a binding. A peer that takes nothing is closed; a slow one is not. */
export class PeerWatch {
  readonly #peers = new Map<WatchedPeer, { readonly unsent: number; readonly since: number }>();
  #timer: NodeJS.Timeout | undefined;

  /** Returns how to stop watching. */
  add(peer: WatchedPeer): () => void {
    this.#peers.set(peer, { unsent: 0, since: 0 });
    this.#timer ??= setInterval(() => this.#look(), WATCH_MS).unref();
    return () => {
      this.#peers.delete(peer);
      if (this.#peers.size === 0) this.close();
    };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    const at = performance.now();
    for (const [peer, before] of this.#peers) {
      const unsent = peer.unsentBytes();
      if (unsent === 0) peer.onQuiet?.();
      else if (unsent === before.unsent && at - before.since > STUCK_MS) peer.destroy();
      if (unsent !== before.unsent) this.#peers.set(peer, { unsent, since: at });
    }
  }
}
