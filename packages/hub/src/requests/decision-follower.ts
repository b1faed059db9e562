import { setImmediate } from "node:timers/promises";
import type { JsonObject } from "@earshot/protocol";
import type { Ledger } from "../ledger/ledger.ts";

interface DecisionListener {
  /** Whether anyone waits for a decision: otherwise none is read. */
  readonly isNeeded: () => boolean;
  /** Takes up what other processes have opened; left out where there are none. */
  readonly adopt?: (() => Promise<void>) | undefined;
  readonly handle: (decision: JsonObject, position: number, at: number) => void;
  readonly onFailure: (error: unknown) => void;
}

const PAGE = 500;
const RETRY_MS = 1000;
const DECISIONS = ["decision", "decision.extended"];

/** Reads all decisions after a position, including those of other processes. Returns the function that stops it. */
export function followDecisions(ledger: Ledger, after: number, listener: DecisionListener): () => Promise<void> {
  const { isNeeded, adopt, handle: hear, onFailure } = listener;
  let seen = after;
  /** Newest head that it was woken with and has not looked at. */
  let woken: number | undefined;
  let reading: Promise<void> | undefined;
  let isClosed = false;

  const read = async () => {
    for (let from = -1; from !== seen && !isClosed; ) {
      from = seen;
      const { entries, upTo } = await ledger.read({ after: from, limit: PAGE, filter: { type: DECISIONS } });
      seen = Math.max(upTo, seen);
      for (const { kind, text, position, receivedAt } of entries) {
        if (kind === "decision") hear(JSON.parse(text) as JsonObject, position, receivedAt);
      }
    }
  };
  const catchUp = async () => {
    await setImmediate(); // callers waiting for the written entry are answered first
    for (let head = woken; head !== undefined && !isClosed; head = woken) {
      woken = undefined;
      await adopt?.(); // before reading: what is decided afterwards stands after the head
      if (isNeeded()) await read();
      else seen = Math.max(seen, head);
    }
  };
  const follow = (position: number): void => {
    if (isClosed) return;
    if (!isNeeded() && adopt === undefined) {
      seen = Math.max(seen, position);
      return;
    }
    woken = position; // a wake-up during a read is handled by the same read
    reading ??= catchUp()
      .catch((error: unknown) => {
        onFailure(error);
        if (adopt !== undefined) setTimeout(() => follow(position), RETRY_MS).unref();
      })
      .finally(() => {
        reading = undefined;
      });
  };
  const unfollow = ledger.follow(follow);
  return async () => {
    isClosed = true;
    unfollow();
    await reading;
  };
}
