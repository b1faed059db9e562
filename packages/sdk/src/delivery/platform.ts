import type { Outcome } from "../speech/outcome.ts";

/** A small HTTP request that may be abandoned. */
export interface PlatformRequest {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly body?: string;
  readonly contentType?: string;
  readonly timeoutMs: number;
}

/** `unsent`: it did not arrive. `unanswered`: it may have arrived. */
export type PlatformResponse =
  | { readonly kind: "answered"; readonly status: number; readonly body: string }
  | { readonly kind: "unsent" }
  | { readonly kind: "unanswered" };

/** The address of a possible receiver. */
export interface ReceiverCandidate {
  readonly url: string;
  /** Configured by the user. Otherwise an unknown program may listen there and must identify itself as a collector. */
  readonly named: boolean;
}

/** Lines delivered together. */
export interface Parcel {
  readonly lines: readonly string[];
  /** Settles the first `done` lines; the others must be sent again. */
  settle(done: number): Promise<void>;
}

/** Storage for lines without a receiver. Nothing here throws or rejects. */
export interface Spool {
  /** False while writing fails. */
  readonly isUsable: boolean;
  /** Waiting lines of this process. */
  readonly waiting: number;
  /** Whether other processes may have left lines. */
  readonly hasLeftovers: boolean;
  /** Whether any lines wait. */
  readonly hasBacklog: boolean;
  /** Reserves a place before everything written later. */
  reserve(): number;
  /** False when they could not be written. */
  write(lines: readonly string[], place?: number): Promise<boolean>;
  /** As `write`, synchronously, for process exit. */
  writeNow(lines: readonly string[], place?: number): boolean;
  /** The oldest lines of this process. */
  next(limit: number): Promise<Parcel | undefined>;
  /** Lines left by ended processes. */
  nextLeftover(limit: number): Promise<Parcel | undefined>;
  /** Searches for such lines again. */
  lookForLeftovers(): void;
  /** Completes pending writes and releases the remaining lines to other processes. */
  release(): void;
  /** Reports how many lines were dropped to stay within the limits. */
  onDropped(count: (lines: number) => void): void;
}

/** The final outcome of all sessions. */
export interface FinalOutcome {
  readonly outcome: Outcome;
  readonly summary?: string | undefined;
  readonly errorMessage?: string | undefined;
}

export interface EndListener {
  /** The end is certain: ends all sessions. */
  lastWords(ending: FinalOutcome): void;
  /** The event loop has stopped: stores undelivered lines synchronously. */
  leave(): void;
  /** The end is likely: moves lines from memory to the spool. */
  prepare(): void;
  /** Nothing else is left to do: delivers for a short time. */
  linger(): Promise<unknown>;
}

/** The differences between Node and browsers. */
export interface Platform {
  /** The protocol of the lines. Default: AOP. */
  readonly protocol?: "aop" | "aep" | "aaep" | undefined;
  request(asked: PlatformRequest): Promise<PlatformResponse>;
  /** For long polls, which must not block other requests. */
  readonly wait?: ((asked: PlatformRequest) => Promise<PlatformResponse>) | undefined;
  /** In the order to try. */
  candidates(): readonly ReceiverCandidate[];
  readonly spool?: Spool | undefined;
  /** Sends a body after the page is gone. */
  readonly beacon?: ((url: string, body: string, contentType: string) => boolean) | undefined;
  /** Watches for the end of the process or page. Returns the function that stops it. */
  watch(listener: EndListener): () => void;
}
