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
