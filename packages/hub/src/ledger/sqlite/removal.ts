import type { DatabaseSync } from "node:sqlite";
import { EarshotError } from "@earshot/protocol/problem";
import type { CutReason } from "../ledger.ts";
import { type Cut, cutSession, resumeCuts, type TombstoneSigner } from "./cut.ts";
import { type ErasureSigner, eraseEntry, forgetRefused } from "./erase.ts";
import { toLedgerFailure } from "./failures.ts";
import { fileAll } from "./registers.ts";
import { giveBack } from "./space.ts";
import { tryToEmptyLog, writeBackSome } from "./write-back.ts";

export interface RemovalOptions {
  readonly signer: TombstoneSigner & ErasureSigner;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Everything that takes something out of the ledger. Each does its work in steps of some milliseconds, each a transaction of
 * its own or several; whoever wants to write does so in between. `begun` is called after the first step.
 */
export class Removal {
  readonly #db: DatabaseSync;
  readonly #options: RemovalOptions;
  /** Something that was removed still stands in the log, because somebody was reading from it. */
  #logIsKept = false;
  #closed = false;

  constructor(db: DatabaseSync, options: RemovalOptions) {
    this.#db = db;
    this.#options = options;
  }

  /** Finishes what was interrupted when the last process ended. */
  async resume(): Promise<void> {
    await this.#inSteps(resumeCuts(this.#db));
  }

  cut(session: number, reason: CutReason, upTo: number | undefined, begun: () => void): Promise<number> {
    const { signer, now } = this.#options;
    const cut: Cut = { session, reason, now: now(), onLogKept: this.#keepLog, ...(upTo === undefined ? {} : { upTo }) };
    return this.#inSteps(cutSession(this.#db, signer, cut), begun);
  }

  erase(position: number, begun: () => void): Promise<number> {
    const { signer, now } = this.#options;
    return this.#inSteps(eraseEntry(this.#db, signer, { position, now: now(), onLogKept: this.#keepLog }), begun);
  }

  forgetRefused(position: number, begun: () => void): Promise<number> {
    return this.#inSteps(forgetRefused(this.#db, position), begun);
  }

  giveBack(begun: () => void): Promise<number> {
    return this.#inSteps(giveBack(this.#db), begun);
  }

  writeBack(begun: () => void): Promise<number> {
    const step = () => {
      try {
        fileAll(this.#db); // with the crowd gone there is time for it
      } finally {
        writeBackSome(this.#db);
      }
      return { done: true, value: 0 } as const;
    };
    return this.#inSteps({ next: step }, begun);
  }

  /** To be called now and then: whoever was reading from the log may have ended. */
  emptyKeptLog(): void {
    if (this.#logIsKept) this.#logIsKept = !tryToEmptyLog(this.#db);
  }

  /** What is under way stops before its next step. */
  close(): void {
    this.#closed = true;
  }

  readonly #keepLog = () => {
    this.#logIsKept = true;
  };

  async #inSteps(steps: Iterator<number, number>, begun: () => void = () => {}): Promise<number> {
    try {
      for (let count = 0; !this.#closed; count++) {
        const step = steps.next();
        if (count === 0) begun();
        if (step.done === true) return step.value;
        await new Promise((resolve) => setImmediate(resolve));
      }
    } catch (error) {
      throw EarshotError.is(error) ? error : toLedgerFailure(error);
    }
    throw toLedgerFailure(new Error("The ledger was closed."));
  }
}
