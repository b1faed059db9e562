import type { DatabaseSync } from "node:sqlite";
import { EarshotError } from "@earshot/protocol";
import type { CutReason } from "../ledger.ts";
import { type Cut, cutSession, resumeCuts, type TombstoneSigner } from "./cut.ts";
import { type ErasureSigner, eraseEntry, forgetRefused } from "./erase.ts";
import { toLedgerFailure } from "./failures.ts";
import type { LiveSessions } from "./live-sessions.ts";
import { giveBack } from "./space.ts";
import { tryToEmptyLog } from "./write-back.ts";

export interface RemovalOptions {
  readonly signer: TombstoneSigner & ErasureSigner;
  /** The sessions at hand. */
  readonly sessions: LiveSessions;
  /** Runs something inside the next transaction of the ledger; fulfils when that is on disk. */
  readonly inNextTransaction: (work: () => void) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Everything that takes something out of the ledger. Each does its work in steps of some milliseconds, each a transaction of
 * its own or several; whoever wants to write does so in between.
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

  async cut(session: number, reason: CutReason, upTo: number | undefined): Promise<number> {
    const { signer, now } = this.#options;
    await this.#storeState(session);
    const cut: Cut = { session, reason, now: now(), onLogKept: this.#keepLog, ...(upTo === undefined ? {} : { upTo }) };
    return this.#inSteps(cutSession(this.#db, signer, cut), () => this.#forgetState(session));
  }

  async erase(position: number): Promise<boolean> {
    const { signer, inNextTransaction, now } = this.#options;
    await inNextTransaction(() => {}); // what was refused is in its table then
    await this.#inSteps(forgetRefused(this.#db, position));
    const session = Number(this.#db.prepare("SELECT session FROM entry WHERE position = ?").get(position)?.["session"]);
    await this.#storeState(session);
    const erasing = { position, now: now(), onLogKept: this.#keepLog };
    return (await this.#inSteps(eraseEntry(this.#db, signer, erasing), () => this.#forgetState(session))) > 0;
  }

  giveBack(): Promise<number> {
    return this.#inSteps(giveBack(this.#db));
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

  /** What is left of a session must not need what goes in order to be judged. */
  #storeState(session: number): Promise<void> {
    const { sessions, inNextTransaction } = this.#options;
    return inNextTransaction(() => {
      const live = sessions.ofKey(session);
      if (live !== undefined) sessions.store(live, true);
    });
  }

  /** Nothing in memory may bring back what is gone. */
  #forgetState(session: number): void {
    const { sessions } = this.#options;
    const live = sessions.ofKey(session);
    if (live !== undefined) sessions.forget(live);
  }

  async #inSteps(steps: Iterator<number, number>, afterFirst: () => void = () => {}): Promise<number> {
    try {
      for (let count = 0; !this.#closed; count++) {
        const step = steps.next();
        if (count === 0) afterFirst();
        if (step.done === true) return step.value;
        await new Promise((resolve) => setImmediate(resolve));
      }
    } catch (error) {
      throw EarshotError.is(error) ? error : toLedgerFailure(error);
    }
    throw toLedgerFailure(new Error("The ledger was closed."));
  }
}
