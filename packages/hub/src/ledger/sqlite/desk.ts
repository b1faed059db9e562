import type { DatabaseSync } from "node:sqlite";
import type { Sealer } from "../seal.ts";
import type { Draft, Written } from "./draft.ts";
import { toLedgerFailure } from "./failures.ts";
import { fileAll } from "./registers.ts";
import { Removal } from "./removal.ts";
import { Scribe } from "./scribe.ts";
import type { RemovalTask, ScribeOptions, ScribePort } from "./scribe-port.ts";

/** Everything that writes to the file, on one connection: drafts, removals in steps between them, and seals now and then. */
export class Desk implements ScribePort {
  readonly resumed: Promise<void>;
  readonly #db: DatabaseSync;
  readonly #sealer: Sealer;
  readonly #options: ScribeOptions;
  readonly #scribe: Scribe;
  readonly #removal: Removal;
  readonly #sealing: NodeJS.Timeout;

  constructor(db: DatabaseSync, sealer: Sealer, options: ScribeOptions) {
    this.#db = db;
    this.#sealer = sealer;
    this.#options = options;
    this.#scribe = new Scribe(db, (session, position, hash) => sealer.noteEntry(session, position, hash));
    this.#removal = new Removal(db, { signer: sealer, now: options.now });
    this.#file(); // what an earlier process has left
    this.#sealing = setInterval(() => this.#seal(), options.sealEveryMs).unref();
    this.resumed = this.#removal.resume().catch((error: unknown) => options.onFailure(error));
  }

  async write(draft: Draft): Promise<Written> {
    return this.#scribe.write(draft);
  }

  /** Somebody else has written entries to the file. */
  heedOthers(): void {
    this.#scribe.forget();
    this.#sealer.catchUp();
  }

  remove(task: RemovalTask, begun: () => void): Promise<number> {
    const forget = (session: number) => () => {
      this.#scribe.forget(session);
      begun();
    };
    switch (task.what) {
      case "cut":
        return this.#removal.cut(task.session, task.reason, task.upTo, forget(task.session));
      case "erase":
        return this.#removal.erase(task.position, forget(task.session));
      case "forget refused":
        return this.#removal.forgetRefused(task.position, begun);
      case "give back":
        return this.#removal.giveBack(begun);
      case "write back":
        return this.#removal.writeBack(begun);
    }
  }

  async close(): Promise<void> {
    this.#removal.close();
    clearInterval(this.#sealing);
    this.#seal();
    this.#file();
    this.#db.close();
  }

  /** Nothing depends on it: what is not filed is looked through, and filed with the first draft that files. */
  #file(): void {
    try {
      fileAll(this.#db);
    } catch (error) {
      if (toLedgerFailure(error).problem.code !== "STORAGE_FULL") this.#options.onFailure(error);
    }
  }

  /** Not being able to seal is no reason to stop: what is not sealed yet is sealed the next time. */
  #seal(): void {
    try {
      this.#sealer.seal(this.#options.now());
      this.#removal.emptyKeptLog();
    } catch (error) {
      if (toLedgerFailure(error).problem.code !== "STORAGE_FULL") this.#options.onFailure(error);
    }
  }
}
