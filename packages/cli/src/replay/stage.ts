import type { Serving } from "./options.ts";
import type { Receiver } from "./receiver.ts";

/** A receiver that is a server: those who listen come to it. */
export interface Stage extends Receiver {
  /** Where to listen. */
  readonly url: string;
  readonly listeners: number;
  /** How many answers came; none of them decided anything. */
  readonly repliesIgnored: number;
}

export interface StagePorts {
  readonly serving: Serving;
  readonly signal: AbortSignal;
  /** Told that nobody listens any more, and that the play waits until somebody does. */
  readonly onAlone: () => void;
}
