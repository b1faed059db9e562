import type { SigningKey } from "@earshot/aaep";
import type { JsonObject } from "@earshot/protocol";

/** Where an agent serves its own events. At least one of `port`, `socket` and `stdio`. Default: a free port. */
export interface ServeOptions {
  readonly port?: number | undefined;
  /** Default: `127.0.0.1`. Other machines require a token. */
  readonly host?: string | undefined;
  /** The path of everything but the manifest. Default: `/aaep/v1`. */
  readonly path?: string | undefined;
  /** A local socket, or a pipe on Windows, at AAEP's path for this agent or at the given one. */
  readonly socket?: boolean | string | undefined;
  /** Serves the parent process over standard input and output. Nothing else may be written to standard output. */
  readonly stdio?: boolean | undefined;
  /**
   * Required to subscribe, answer and stop. Without one, every local program can: do not serve an agent that could answer its own
   * questions.
   */
  readonly token?: string | undefined;
  /** Origins of web pages that may subscribe and answer: `https://console.example`. */
  readonly allowOrigins?: readonly string[] | undefined;
  /** Whether events are sent to clients without a handshake. */
  readonly allowImplicit?: boolean | undefined;
  readonly maxSubscriptions?: number | undefined;
  /** Signs the manifest. */
  readonly signingKey?: SigningKey | undefined;
  /** Handles messages outside AAEP. The returned message is sent before anything that follows; undefined: not understood. */
  readonly onMessage?: ((message: JsonObject) => { readonly control?: JsonObject } | undefined) | undefined;
}

/** The endpoint of a serving agent. */
export interface AaepEndpoint extends AsyncDisposable {
  /** Base address; undefined without HTTP. */
  readonly url: string | undefined;
  readonly port: number | undefined;
  /** Path of the local socket; undefined without one. */
  readonly socketPath: string | undefined;
  /** Number of subscriptions. */
  readonly subscriptions: number;
  /** Announces the end to all subscribers and stops. */
  close(): Promise<void>;
}
