import type { KeyObject } from "node:crypto";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Seal } from "../seal-line.ts";
import { Chains, VERIFIED_COLUMNS } from "./chains.ts";
import { Cuts } from "./cuts.ts";
import { type LedgerBreak, nameOf } from "./ledger-break.ts";
import { Requests } from "./requests.ts";
import { Sessions } from "./sessions.ts";
import type { Slice, Steps } from "./slice.ts";

export interface WalkOptions {
  readonly db: DatabaseSync;
  readonly publicKey: KeyObject;
  readonly slice: Slice;
  /** The only session to look at. */
  readonly session?: number;
}

/** Walks through the entries once, in order of position, and holds them against tombstones and seals on the way. */
export class Walk {
  readonly cuts: Cuts;
  readonly chains: Chains;
  readonly requests = new Requests();
  readonly #sessions: Sessions;
  readonly #slice: Slice;
  readonly #page: StatementSync;
  /** The position up to which everything was seen. */
  #after = Number.MIN_SAFE_INTEGER;
  #entries = 0;

  constructor({ db, publicKey, slice, session }: WalkOptions) {
    this.#sessions = new Sessions(db);
    this.cuts = new Cuts(db, publicKey, this.#sessions);
    this.chains = new Chains(db, this.cuts, this.#sessions);
    this.#slice = slice;
    const own = session === undefined ? "" : `session = ${Number(session)} AND `;
    this.#page = db.prepare(`SELECT ${VERIFIED_COLUMNS} FROM entry WHERE ${own}position > ?1 AND position <= ?2 ORDER BY position`);
  }

  get entries(): number {
    return this.#entries;
  }

  /** Goes on up to a position. `heard` is told the last entry of each session on the way. */
  *to(upTo: number, heard?: Map<number, number>): Steps<LedgerBreak | undefined> {
    for (;;) {
      let isOver = false;
      for (const row of this.#page.iterate(this.#after, upTo)) {
        const checked = this.chains.check(row);
        if ("wrong" in checked) return checked.wrong;
        this.#entries++;
        this.requests.note(row);
        this.#after = checked.position;
        heard?.set(checked.session, checked.position);
        isOver = this.#slice.isOver;
        if (isOver) break; // which also ends the read transaction
      }
      if (!isOver) return undefined;
      yield;
    }
  }

  /** That a session's head was what the seal says, to be asked when everything that the seal covers was seen. */
  checkHead({ seal }: Seal, [key, position, head]: Seal["sessions"][number]): LedgerBreak | undefined {
    const at = this.chains.at(key);
    const isThere = at?.position === position;
    if (isThere && at.hash.toString("hex") === head) return undefined;
    const isCut = () =>
      this.cuts.of(key).some((cut) => cut.upTo > position || (cut.upTo === position && cut.head.toString("hex") === head));
    // It may have been cut since the tombstones were read.
    if (!isThere && (isCut() || (this.cuts.refresh() && isCut()))) {
      this.chains.noteMissing(key, position);
      return undefined;
    }
    const session = this.#sessions.find(key);
    const whose = session === undefined ? `session number ${key}, of which there is no row` : nameOf(session);
    const place = { position, ...(session === undefined ? {} : { session }) };
    return isThere
      ? {
          what: "entry-changed",
          ...place,
          message: `The entry at position ${position} of ${whose} is not the one that seal ${seal} names.`,
        }
      : {
          what: "entry-missing",
          ...place,
          message: `The entry at position ${position} of ${whose}, which seal ${seal} names, is missing.`,
        };
  }
}
