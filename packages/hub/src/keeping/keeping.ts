import type { Ledger, SessionInfo } from "../ledger/ledger.ts";
import type { Views } from "../views/views.ts";
import type { ErasePorts } from "./erase.ts";
import type { PrunePorts } from "./prune.ts";

export interface KeepingParts {
  readonly ledger: Ledger;
  /** Removals go through them, and are done when the views show nothing of what is gone. */
  readonly views: Pick<Views, "cut" | "erase">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What pruning and erasing need. */
export function createKeeping({ ledger, views, now }: KeepingParts): PrunePorts & ErasePorts {
  return {
    ledger,
    now,
    cut: (session: SessionInfo, upTo: number) => views.cut(session, "pruned", upTo),
    erase: (position: number) => views.erase(position),
  };
}
