/** State that hubs on one database share beside the ledger. A hub with its own ledger is the only member. */
export interface Cluster extends AsyncDisposable {
  /** Whether no other hub can use the ledger. */
  readonly isAlone: boolean;
  /** Milliseconds since 1970 by the clock of the database. */
  readonly now: () => number;
  /** Fencing number of the lease, while this hub has it: its holder does what must be done once. A hub that is alone always has it. */
  readonly fence: () => number | undefined;
  /** State that a single hub keeps in a file; undefined for a hub that is alone. */
  readonly documents: SharedDocuments | undefined;
  /** Whether this hub has reached the database within the last seconds. */
  readonly isReachable: () => boolean;
  /** The hubs that have reached the database within the last day; none for a hub that is alone. */
  members(): Promise<readonly HubMember[]>;
  /** Registers what this hub tells the others and hears from them, about every second. */
  exchange(exchanged: ExchangedState): void;
}

export interface HubMember {
  readonly url: string;
  readonly version: string;
  readonly startedAt: number;
  /** How long ago it reached the database. */
  readonly seenAgoMs: number;
  readonly isAlive: boolean;
  /** How many positions its views are behind the ledger. */
  readonly lag: number;
  /** Fencing number of the lease, if it has it. */
  readonly fence: number | null;
}

export interface ExchangedState {
  /** Requests whose askers poll this hub. */
  readonly polled: () => readonly string[];
  /** Called with requests whose askers recently polled any hub. */
  readonly onPolled: (requests: readonly string[]) => void;
  /** When an approver last did something here, by `now`; 0 for never. */
  readonly actedAt: () => number;
  /** Called with the same for all hubs. */
  readonly onActed: (at: number) => void;
  /** Position up to which this hub's views show everything. */
  readonly position: () => number;
}

/** Texts that all hubs read and write. An empty text is one that was never written. */
export interface SharedDocuments {
  /** Gives `change` the newest text and stores what it returns. No other hub can change the same document meanwhile. */
  change(name: string, change: (text: string) => string): Promise<void>;
  /** Calls back with each new text: about a second after another hub has written it, and once for the present one. */
  follow(name: string, changed: (text: string) => void): void;
}

export const SINGLE_HUB: Cluster = {
  isAlone: true,
  now: () => Date.now(),
  fence: () => 0,
  documents: undefined,
  isReachable: () => true,
  members: async () => [],
  exchange: () => {},
  [Symbol.asyncDispose]: async () => {},
};
