import { EarshotError } from "@earshot/protocol";
import type { Ledger } from "./ledger/ledger.ts";
import { HUB_SOURCE } from "./own-source.ts";
import type { Reserve } from "./reserve.ts";

/**
 * The ledger, with room kept back for what is decided. When the disk is full, a decision that finds no room gets that of the
 * reserve. As long as the reserve is not there again, events are refused: what is left belongs to decisions.
 */
export function withReserve(ledger: Ledger, reserve: Reserve): Ledger {
  const decide = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (!isStorageFull(error) || !reserve.giveUp()) throw error;
      return work();
    }
  };
  return {
    settle: (decision) => decide(() => ledger.settle(decision)),
    append(batch) {
      // What people set, and rules that they accept, are decisions, too.
      if (batch.every(({ source }) => source.name === HUB_SOURCE)) return decide(() => ledger.append(batch));
      if (!reserve.isHeld && !reserve.hold()) return Promise.reject(new EarshotError({ code: "STORAGE_FULL", message: FULL }));
      return ledger.append(batch);
    },
    refuse: (refusals) => ledger.refuse(refusals),
    count: (what, source, howMany) => ledger.count(what, source, howMany),
    head: () => ledger.head(),
    read: (query) => ledger.read(query),
    readSession: (query) => ledger.readSession(query),
    findSessions: (id, protocol) => ledger.findSessions(id, protocol),
    requests: (query) => ledger.requests(query),
    refused: (query) => ledger.refused(query),
    counts: () => ledger.counts(),
    cut: (session, reason, upTo) => ledger.cut(session, reason, upTo),
    erase: (position) => ledger.erase(position),
    space: () => ledger.space(),
    giveBack: () => ledger.giveBack(),
    follow: (wake) => ledger.follow(wake),
    close: () => ledger.close(),
    [Symbol.asyncDispose]: () => ledger.close(),
  };
}

const FULL = "The disk is full, and what is left of it is kept for decisions: nothing of this was stored.";

function isStorageFull(error: unknown): boolean {
  return EarshotError.is(error) && error.problem.code === "STORAGE_FULL";
}
