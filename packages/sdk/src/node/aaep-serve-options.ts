import type { SigningKey } from "@earshot/aaep";
import type { JsonObject } from "@earshot/protocol";

/** Where an agent serves its own events. At least one of `port`, `socket` and `stdio`; a free port where none is named. */
export interface ServeOptions {
  readonly port?: number | undefined;
  /** `127.0.0.1` where it is left out. Beyond this machine only with a token. */
  readonly host?: string | undefined;
  /** What everything but the manifest lies under: `/aaep/v1` where it is left out. */
  readonly path?: string | undefined;
  /** A local socket, or a pipe on Windows: at the place that AAEP names for this agent, or at this one. */
  readonly socket?: boolean | string | undefined;
  /** The standard streams of this process, for whoever has started it. Nothing else may be written to the standard output. */
  readonly stdio?: boolean | undefined;
  /**
   * Who has it may listen, answer and stop. Without one, everybody who can reach this may, which on one machine is every program
   * on it: then do not serve an agent that could answer itself.
   */
  readonly token?: string | undefined;
  /** Origins of web pages that may listen and answer: `https://console.example`. */
  readonly allowOrigins?: readonly string[] | undefined;
  /** Whether events are sent to who makes no handshake. */
  readonly allowImplicit?: boolean | undefined;
  readonly maxSubscriptions?: number | undefined;
  /** Signs the manifest. */
  readonly signingKey?: SigningKey | undefined;
  /** Messages that are not AAEP's. What it gives back is sent before anything that follows; undefined: it was not understood. */
  readonly onMessage?: ((message: JsonObject) => { readonly control?: JsonObject } | undefined) | undefined;
}

/** Where an agent serves. */
export interface AaepEndpoint extends AsyncDisposable {
  /** Base address; undefined without HTTP. */
  readonly url: string | undefined;
  readonly port: number | undefined;
  /** Of the local socket; undefined without one. */
  readonly socketPath: string | undefined;
  /** How many are subscribed. */
  readonly subscriptions: number;
  /** Tells everybody goodbye, and stops. */
  close(): Promise<void>;
}
