import type { Ledger, SessionInfo } from "../ledger/ledger.ts";
import type { Views } from "../views/views.ts";
import type { ErasePorts } from "./erase.ts";
import type { PrunePorts } from "./prune.ts";

export interface KeepingParts {
  readonly ledger: Ledger;
  /** Every removal goes through them: they forget what they know of it, also when the hub stops half-way. */
  readonly views: Pick<Views, "cut" | "erase">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told when entries are gone, for whoever has copies at hand. */
  readonly onCut?: () => void;
}

/** What pruning and erasing need: the one place that knows what has to forget an entry when the ledger does. */
export function createKeeping({ ledger, views, now, onCut = () => {} }: KeepingParts): PrunePorts & ErasePorts {
  return {
    ledger,
    now,
    async cut(session: SessionInfo, upTo: number) {
      const removed = await views.cut(session, "pruned", upTo);
      onCut();
      return removed;
    },
    async erase(session: SessionInfo, position: number) {
      const erased = await views.erase(session, position);
      onCut();
      return erased;
    },
  };
}
