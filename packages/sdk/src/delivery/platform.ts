import type { Outcome } from "../speech/outcome.ts";

/** An HTTP request, small enough to be given up. */
export interface Asked {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly body?: string;
  readonly contentType?: string;
  readonly timeoutMs: number;
}

/** `unsent`: nothing can have arrived. `unanswered`: it may have arrived or not. */
export type Answer =
  | { readonly kind: "answered"; readonly status: number; readonly body: string }
  | { readonly kind: "unsent" }
  | { readonly kind: "unanswered" };

/** Where a receiver may be. */
export interface Candidate {
  readonly url: string;
  /** Named by somebody. Elsewhere a stranger may listen, and has to prove that it is a collector. */
  readonly named: boolean;
}

/** Lines that go out together. */
export interface Parcel {
  readonly lines: readonly string[];
  /** The first so many are done with; the others have to be sent again. */
  settle(done: number): Promise<void>;
}

/** Where lines wait for a receiver when memory is not enough, or not for long. Nothing here throws or rejects. */
export interface Spool {
  /** False while writing fails. */
  readonly isUsable: boolean;
  /** Lines of this process that wait. */
  readonly waiting: number;
  /** Whether there may be lines that other processes left. */
  readonly hasLeftovers: boolean;
  /** Whether either of them waits. */
  readonly hasBacklog: boolean;
  /** Keeps a place before everything that is written later. */
  reserve(): number;
  /** False when they could not be written. */
  write(lines: readonly string[], place?: number): Promise<boolean>;
  /** The same before it returns: for when there is no later. */
  writeNow(lines: readonly string[], place?: number): boolean;
  /** The oldest lines of this process. */
  next(limit: number): Promise<Parcel | undefined>;
  /** Lines that processes left which are no more. */
  nextLeftover(limit: number): Promise<Parcel | undefined>;
  /** Looks for such lines again. */
  lookForLeftovers(): void;
  /** Writes what is only half written, and lets others have what is left. */
  release(): void;
  /** Tells how many lines were given up to stay within bounds. */
  onDropped(count: (lines: number) => void): void;
}

/** How everything ends. */
export interface Ending {
  readonly outcome: Outcome;
  readonly summary?: string | undefined;
  readonly errorMessage?: string | undefined;
}

export interface EndListener {
  /** The end is certain: says the last words of all sessions. */
  lastWords(ending: Ending): void;
  /** No more turns of the event loop: what was not delivered must be put somewhere now. */
  leave(): void;
  /** The end is likely: what is only in memory is put aside. */
  prepare(): void;
  /** Nothing else is left to do: time to deliver, but not much of it. */
  linger(): Promise<unknown>;
}

/** What differs between Node and browsers. */
export interface Platform {
  /** In which the lines are; AOP where it is left out. */
  readonly protocol?: "aop" | "aep" | "aaep" | undefined;
  request(asked: Asked): Promise<Answer>;
  /** For calls that the receiver holds until there is something to say: they stand in nobody's way. */
  readonly wait?: ((asked: Asked) => Promise<Answer>) | undefined;
  /** In the order in which they are to be tried. */
  candidates(): readonly Candidate[];
  readonly spool?: Spool | undefined;
  /** Hands a body over to whoever sends it after the page is gone. */
  readonly beacon?: ((url: string, body: string, contentType: string) => boolean) | undefined;
  /** Listens for the end of the process or page, until it is told to stop. */
  watch(listener: EndListener): () => void;
}
