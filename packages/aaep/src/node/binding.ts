import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { JsonObject } from "@earshot/protocol";
import type { AaepProducer } from "../producer/producer.ts";
import type { Principal } from "../producer/producer-ports.ts";

/** The parameters of every HTTP binding. */
export interface HttpBindingPorts {
  readonly producer: AaepProducer;
  /** The sender of the request; or throws an `EarshotError`: NOT_AUTHORISED, NOT_PERMITTED, HOST_REFUSED. */
  readonly authorise: (request: IncomingMessage) => Principal | Promise<Principal>;
  /** Called with every received object before it is interpreted, for judging subscribers. */
  readonly onMessage?: (message: JsonObject) => void;
  /** The path of everything but the manifest; default `/aaep/v1`. */
  readonly prefix?: string;
  readonly onFailure?: (error: unknown) => void;
}

/** The parameters of bindings without headers: a peer identifies itself in its first message. */
export interface LocalBindingPorts {
  readonly producer: AaepProducer;
  readonly authorise: (first: JsonObject, peer: Duplex) => Principal | Promise<Principal>;
  readonly onFailure?: (error: unknown) => void;
}

export const DEFAULT_PREFIX = "/aaep/v1";

/**
 * The number of written bytes not yet accepted by the operating system. Node counts a write as a whole, and a slow reader may take
 * minutes for one; libuv's count on the socket's handle falls with every byte. Without it, whole writes count.
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
  /** Called at times while everything is sent. */
  readonly onQuiet?: () => void;
}

/** Below the fifteen seconds after which some peers consider a silent stream dead. */
const WATCH_MS = 10_000;
/** How long a peer may accept nothing at all. */
const STUCK_MS = 30_000;

/** One timer for all open peers of a binding. A peer that accepts nothing is closed; a slow one is not. */
export class PeerWatch {
  readonly #peers = new Map<WatchedPeer, { readonly unsent: number; readonly since: number }>();
  #timer: NodeJS.Timeout | undefined;

  /** Returns the function that stops watching. */
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
