import type { KeyObject } from "node:crypto";
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import { type Erasure, readTombstone, type Tombstone } from "../seal-line.ts";
import { lineDigest } from "../signed-line.ts";
import { firstOf, type LedgerBreak, nameOf } from "./ledger-break.ts";
import type { Sessions } from "./sessions.ts";
import type { Slice, Steps } from "./slice.ts";

/** A cut that the hub vouches for. */
export interface ValidCut {
  readonly upTo: number;
  readonly head: Buffer;
}

/** An erasure that the hub vouches for. */
export interface ValidErasure {
  readonly session: number;
  readonly before: Buffer;
  readonly head: Buffer;
  readonly rest: Buffer;
}

const NONE: readonly ValidCut[] = Object.freeze([]);

/**
 * The tombstones. Only those that the hub has signed explain anything; the first that it has not is remembered as a break,
 * and the entries it was to explain will be missed.
 */
export class Cuts {
  readonly #publicKey: KeyObject;
  readonly #sessions: Sessions;
  readonly #after: StatementSync;
  readonly #indexed: StatementSync;
  readonly #bySession = new Map<number, ValidCut[]>();
  readonly #erasures = new Map<number, ValidErasure>();
  readonly #digests = new Map<number, string>();
  #last = Number.MIN_SAFE_INTEGER;
  #count = 0;
  #firstBreak: LedgerBreak | undefined;

  constructor(db: DatabaseSync, publicKey: KeyObject, sessions: Sessions) {
    this.#publicKey = publicKey;
    this.#sessions = sessions;
    this.#after = db.prepare("SELECT number, session, up_to, head, line FROM tombstone WHERE number > ? ORDER BY number");
    this.#indexed = db.prepare("SELECT 1 FROM tombstone INDEXED BY tombstone_session WHERE session = ? AND up_to = ? AND number = ?");
  }

  get count(): number {
    return this.#count;
  }

  get firstBreak(): LedgerBreak | undefined {
    return this.#firstBreak;
  }

  /** In order of position. */
  of(session: number): readonly ValidCut[] {
    return this.#bySession.get(session) ?? NONE;
  }

  /** Whether the text of the entry at a position was erased. */
  erasureAt(position: number): ValidErasure | undefined {
    return this.#erasures.get(position);
  }

  /** Of the tombstone's line, whether it is valid or not. */
  digestOf(number: number): string | undefined {
    return this.#digests.get(number);
  }

  *load(slice: Slice): Steps<void> {
    while (!this.#loadUntil(() => slice.isOver)) yield;
  }

  /** Entries may be cut while they are being verified. Gives whether there is something new. */
  refresh(): boolean {
    const before = this.#count;
    this.#loadUntil(() => false);
    return this.#count !== before;
  }

  #loadUntil(isOver: () => boolean): boolean {
    for (const row of this.#after.iterate(this.#last)) {
      const wrong = this.#take(row);
      this.#firstBreak = firstOf(this.#firstBreak, wrong);
      this.#count++;
      if (isOver()) return false;
    }
    return true;
  }

  #take(row: Record<string, SQLOutputValue>): LedgerBreak | undefined {
    const { number, session, up_to: upTo, head, line } = row;
    if (typeof number !== "number") return { what: "wrong-type", message: "A tombstone has no number." };
    const expected = this.#count + 1;
    this.#last = number;
    if (typeof line !== "string" || typeof upTo !== "number" || typeof session !== "number" || !(head instanceof Uint8Array)) {
      return { what: "wrong-type", message: `Tombstone ${number} has a value of the wrong type.` };
    }
    this.#digests.set(number, lineDigest(line));
    const signed = readTombstone(line, this.#publicKey);
    if (signed === undefined) {
      return { what: "tombstone-changed", position: upTo, message: `Tombstone ${number} was not signed with the ledger's key.` };
    }
    const wrong = this.#compare(signed, { number, session, upTo, head });
    if (wrong !== undefined) return wrong;
    if ("erased" in signed) this.#addErasure(signed);
    else this.#add(session, { upTo, head: Buffer.from(head) });
    if (number === expected) return undefined;
    return { what: "tombstone-missing", message: `Tombstone ${expected} is missing: the next one is ${number}.` };
  }

  #compare(
    signed: Tombstone | Erasure,
    { number, session, upTo, head }: { number: number; session: number; upTo: number; head: Uint8Array },
  ): LedgerBreak | undefined {
    const place = { position: "erased" in signed ? signed.erased : signed.upTo, session: signed.session };
    const differs = (what: string): LedgerBreak => ({
      what: "tombstone-changed",
      ...place,
      message: `Tombstone ${number} of ${nameOf(signed.session)} says in its row another ${what} than was signed.`,
    });
    if (signed.tombstone !== number) return differs("number");
    if (signed.session.key !== session) return differs("session");
    if (upTo !== ("erased" in signed ? 0 : signed.upTo)) return differs("position");
    if (signed.head !== Buffer.from(head).toString("hex")) return differs("hash");
    const found = this.#sessions.find(session);
    const { protocol, source, id } = signed.session;
    if (found === undefined) {
      const message = `The row of ${nameOf(signed.session)}, of which tombstone ${number} speaks, is missing.`;
      return { what: "session-unknown", ...place, message };
    }
    if (found.protocol !== protocol || found.source !== source || found.id !== id) {
      const message = `Tombstone ${number} speaks of ${nameOf(signed.session)}, whose row now says ${nameOf(found)}.`;
      return { what: "tombstone-changed", ...place, message };
    }
    if (found.isIndexed && this.#indexed.get(session, upTo, number) !== undefined) return undefined;
    return { what: "index", ...place, message: `An index does not find tombstone ${number} or its session.` };
  }

  #addErasure({ session, erased, before, head, rest }: Erasure): void {
    const bytes = (hex: string) => Buffer.from(hex, "hex");
    this.#erasures.set(erased, { session: session.key, before: bytes(before), head: bytes(head), rest: bytes(rest) });
  }

  #add(session: number, cut: ValidCut): void {
    const cuts = this.#bySession.get(session);
    if (cuts === undefined) this.#bySession.set(session, [cut]);
    else cuts.push(cut); // a session's tombstones are signed in order of position
  }
}
