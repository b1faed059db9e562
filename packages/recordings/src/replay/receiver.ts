import type { Playable } from "./recorded.ts";
import type { Serving } from "./run-replay.ts";

/** A hub of this user, and the credential for reading from it. */
export interface HubAccess {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What became of what was played. */
export interface ReceiverCounts {
  /** Taken: stored by a hub, or handed to whoever listened. */
  readonly stored: number;
  /** There already, unchanged. */
  readonly known: number;
  readonly refused: number;
  /** Stored with a flag. */
  readonly flagged: number;
}

/** Who is played to. */
export interface Receiver extends AsyncDisposable {
  /** In words, with its address: "the hub at http://…". */
  readonly name: string;
  readonly counts: ReceiverCounts;
  /** Where it is a hub of this user, whose sessions may be looked at. */
  readonly hub?: HubAccess | undefined;
  /** Whether it is for this one at all; what is not is left out, and counted. */
  takes(recorded: Playable): boolean;
  /** Holds it until the next `flush`, in order. */
  add(recorded: Playable): void;
  /** Whether so much waits that `flush` is due. */
  readonly isFull: boolean;
  /** Passes on what waits. Fulfils when there is room for more, which may be before it has arrived. */
  flush(): Promise<void>;
  /** Everything has been passed on: fulfils when it has arrived. */
  settle(): Promise<void>;
}

/** Told what was refused, and why. */
export type OnRefused = (line: number, problem: { readonly message: string; readonly code?: string }) => void;

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
