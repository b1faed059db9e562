import type { KeyObject } from "node:crypto";
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { type Erasure, lineDigest, readTombstone, type Tombstone } from "../seal-line.ts";
import { type BrokenSession, brokenSessionName, earlierBreak, findBrokenSession, type LedgerBreak } from "./ledger-break.ts";

/** The last validly signed cut of a session: earlier entries are gone, and the next one is linked to it. */
export interface ValidCut {
  readonly upTo: number;
  readonly head: Buffer;
}

/** A validly signed erasure. */
export interface ValidErasure {
  readonly session: number;
  readonly before: Buffer;
  readonly head: Buffer;
  readonly rest: Buffer;
}

/**
 * The removal log. Only signed lines explain missing entries; the first unsigned one is remembered as a break, and the entries it should
 * explain will be missing.
 */
export class RemovalVerifier {
  readonly #db: DatabaseSync;
  readonly #publicKey: KeyObject;
  readonly #cuts = new Map<number, ValidCut>();
  readonly #erasures = new Map<number, ValidErasure>();
  readonly #digests = new Map<number, string>();
  #count = 0;
  #firstBreak: LedgerBreak | undefined;

  constructor(db: DatabaseSync, publicKey: KeyObject) {
    this.#db = db;
    this.#publicKey = publicKey;
    for (const row of db.prepare("SELECT number, session, up_to, head, line FROM tombstone ORDER BY number").iterate()) {
      this.#firstBreak = earlierBreak(this.#firstBreak, this.#take(row));
      this.#count++;
    }
  }

  get count(): number {
    return this.#count;
  }

  get firstBreak(): LedgerBreak | undefined {
    return this.#firstBreak;
  }

  lastCut(session: number): ValidCut | undefined {
    return this.#cuts.get(session);
  }

  erasureAt(position: number): ValidErasure | undefined {
    return this.#erasures.get(position);
  }

  /** Of the tombstone's line, valid or not. */
  digestOf(number: number): string | undefined {
    return this.#digests.get(number);
  }

  #take({ number: n, session: key, up_to: at, head: hash, line: text }: Record<string, SQLOutputValue>): LedgerBreak | undefined {
    const [number, session, upTo, head, line] = [Number(n), Number(key), Number(at), Buffer.from(hash as Uint8Array), String(text)];
    const expected = this.#count + 1;
    this.#digests.set(number, lineDigest(line));
    const signed = readTombstone(line, this.#publicKey);
    if (signed === undefined) {
      return { what: "tombstone-changed", position: upTo, message: `Tombstone ${number} was not signed with the ledger's key.` };
    }
    const wrong = this.#compare(signed, { number, session, upTo, head });
    if (wrong !== undefined) return wrong;
    if ("erased" in signed) this.#addErasure(signed);
    else this.#cuts.set(session, { upTo, head }); // a session's tombstones are signed in order of position
    if (number === expected) return undefined;
    return { what: "tombstone-missing", message: `Tombstone ${expected} is missing: the next one is ${number}.` };
  }

  #compare(
    signed: Tombstone | Erasure,
    { number, session, upTo, head }: { number: number; session: number; upTo: number; head: Buffer },
  ): LedgerBreak | undefined {
    const place = { position: "erased" in signed ? signed.erased : signed.upTo, session: signed.session };
    const differs = (what: string): LedgerBreak => ({
      what: "tombstone-changed",
      ...place,
      message: `Tombstone ${number} of ${brokenSessionName(signed.session)} says in its row another ${what} than was signed.`,
    });
    if (signed.tombstone !== number) return differs("number");
    if (signed.session.key !== session) return differs("session");
    if (upTo !== ("erased" in signed ? 0 : signed.upTo)) return differs("position");
    if (signed.head !== head.toString("hex")) return differs("hash");
    const found = findBrokenSession(this.#db, session);
    if (found !== undefined && isSame(found, signed.session)) return undefined;
    const message = `Tombstone ${number} speaks of ${brokenSessionName(signed.session)}, whose row now says ${found === undefined ? "nothing" : brokenSessionName(found)}.`;
    return { what: "tombstone-changed", ...place, message };
  }

  #addErasure({ session, erased, before, head, rest }: Erasure): void {
    const bytes = (hex: string) => Buffer.from(hex, "hex");
    this.#erasures.set(erased, { session: session.key, before: bytes(before), head: bytes(head), rest: bytes(rest) });
  }
}

function isSame(found: BrokenSession, { protocol, source, id }: Tombstone["session"]): boolean {
  return found.protocol === protocol && found.source === source && found.id === id;
}
