import type { Playable } from "./recorded.ts";
import type { ServeReplayOptions } from "./run-replay.ts";

/** A hub of this user and the credential for reading from it. */
export interface ReplayHubAccess {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The results of the entries played. */
export interface ReceiverCounts {
  /** Accepted: stored by a hub, or sent to the listeners. */
  readonly stored: number;
  /** Already present, unchanged. */
  readonly known: number;
  readonly refused: number;
  /** Stored with a flag. */
  readonly flagged: number;
}

/** The destination of a replay. */
export interface ReplayReceiver extends AsyncDisposable {
  /** A description with its address: "the hub at http://…". */
  readonly name: string;
  readonly counts: ReceiverCounts;
  /** Set for a hub of this user, whose sessions can be queried. */
  readonly hub?: ReplayHubAccess | undefined;
  /** Whether this receiver accepts the entry; other entries are left out and counted. */
  takes(recorded: Playable): boolean;
  /** Buffers the entry, in order, until the next `flush`. */
  add(recorded: Playable): void;
  /** Whether the buffer is so full that `flush` is due. */
  readonly isFull: boolean;
  /** Sends the buffered entries. Resolves when there is room for more, which may be before they arrive. */
  flush(): Promise<void>;
  /** Called after the last `flush`; resolves when everything has arrived. */
  settle(): Promise<void>;
}

/** Called for each refused entry, with the reason. */
export type OnRefused = (line: number, problem: { readonly message: string; readonly code?: string }) => void;

/** A receiver that is a server: listeners connect to it. */
export interface ServingReceiver extends ReplayReceiver {
  /** The URL to connect to. */
  readonly url: string;
  countListeners(): Promise<number>;
}

export interface StagePorts {
  readonly serving: ServeReplayOptions;
  readonly signal: AbortSignal;
  /** Called when the last listener disconnects; the replay waits until another one connects. */
  readonly onAlone: () => void;
  readonly onRefused: OnRefused;
  /** Called when the hub is full or does not respond. */
  readonly onWait: (why: string) => void;
}
