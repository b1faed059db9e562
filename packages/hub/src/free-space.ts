import { statfsSync } from "node:fs";
import { EarshotError } from "@earshot/protocol";
import type { Ledger } from "./ledger/ledger.ts";
import { HUB_SOURCE } from "./own-entries.ts";

export interface FreeSpaceOptions {
  /** Free bytes on the disk. */
  readonly freeBytes: () => number;
  /** With less than this, events are refused. */
  readonly minFreeBytes: number;
  readonly monotonic: () => number;
}

const MIN_FREE_BYTES = 4 * 1024 * 1024;
const LOOK_EVERY_MS = 100;
const FULL = "The disk is full, and what is left of it is kept for decisions: nothing of this was stored.";

/** The ledger, which refuses events while its disk has little room. What is left belongs to decisions, and to what people set. */
export function keepRoomForDecisions(ledger: Ledger, folder: string, options: Partial<FreeSpaceOptions> = {}): Ledger {
  const { freeBytes = () => readFreeBytes(folder), minFreeBytes = MIN_FREE_BYTES, monotonic = () => performance.now() } = options;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let hasRoom = true;
  const append: Ledger["append"] = (batch) => {
    if (batch.every(({ source }) => source.name === HUB_SOURCE)) return ledger.append(batch);
    if (!hasRoom || monotonic() - lookedAt >= LOOK_EVERY_MS) {
      lookedAt = monotonic();
      hasRoom = freeBytes() >= minFreeBytes;
    }
    return hasRoom ? ledger.append(batch) : Promise.reject(new EarshotError({ code: "STORAGE_FULL", message: FULL }));
  };
  return new Proxy(ledger, {
    get(target, name) {
      if (name === "append") return append;
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

function readFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
