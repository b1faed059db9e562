import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import { chainSeed, HASH_BYTES, type Link, linkHash } from "../chain.ts";
import type { Cuts } from "./cuts.ts";
import { type LedgerBreak, nameOf } from "./ledger-break.ts";
import type { FoundSession, Sessions } from "./sessions.ts";

/** How far a session's chain was followed. */
interface Chain {
  readonly session: FoundSession;
  position: number;
  hash: Buffer;
  /** How many of its cuts lie before `position`: what a cut has taken away ends one stretch of the chain. */
  stretch: number;
}

interface StoredEntry {
  readonly link: Link;
  readonly session: number;
  readonly hash: Uint8Array;
}

/** Columns that `check` needs. */
export const VERIFIED_COLUMNS = "position, session, received_at, kind, verified, type, agent, sequence, identity, said, notes, text, hash";

/**
 * Follows the chains of all sessions at once, entry by entry in order of position. A chain begins with the session's name,
 * and once more after each cut, with the head that the tombstone names. Entries before a cut may still be there, when the
 * cutting was interrupted: then they are followed like any others, up to where they end. The newest go first, so nothing may
 * be left of a stretch after an entry that is missing.
 */
export class Chains {
  readonly #chains = new Map<number, Chain>();
  /** The newest entry of a session that was found to be cut. */
  readonly #missing = new Map<number, number>();
  readonly #sessions: Sessions;
  readonly #cuts: Cuts;
  readonly #bySession: StatementSync;
  readonly #bySequence: StatementSync;
  readonly #byIdentity: StatementSync;
  #last = 0;

  constructor(db: DatabaseSync, cuts: Cuts, sessions: Sessions) {
    this.#sessions = sessions;
    this.#cuts = cuts;
    this.#bySession = db.prepare("SELECT 1 FROM entry INDEXED BY entry_session WHERE session = ? AND position = ?");
    this.#bySequence = db.prepare("SELECT 1 FROM entry INDEXED BY entry_sequence WHERE session = ? AND sequence = ? AND position = ?");
    this.#byIdentity = db.prepare("SELECT 1 FROM entry INDEXED BY entry_identity WHERE identity = ? AND position = ?");
  }

  /** The position of the last entry checked. */
  get last(): number {
    return this.#last;
  }

  get size(): number {
    return this.#chains.size;
  }

  /** How far the session's chain was followed; undefined when none of its entries was seen. */
  at(session: number): { readonly position: number; readonly hash: Buffer } | undefined {
    return this.#chains.get(session);
  }

  /** The entry that a seal names was cut. */
  noteMissing(session: number, position: number): void {
    this.#missing.set(session, position);
  }

  check(row: Record<string, SQLOutputValue>): { readonly position: number; readonly session: number } | { readonly wrong: LedgerBreak } {
    const entry = readEntry(row);
    if (entry === undefined) {
      const position = typeof row["position"] === "number" ? row["position"] : this.#last + 1;
      return { wrong: { what: "wrong-type", position, message: `The entry at position ${position} has a value of the wrong type.` } };
    }
    const { position } = entry.link;
    if (position <= this.#last) {
      const message = `The entry at position ${position} stands after the one at position ${this.#last}.`;
      return { wrong: { what: "order", position, message } };
    }
    const chain = this.#chains.get(entry.session) ?? this.#begin(entry.session);
    if (chain === undefined) {
      const message = `The entry at position ${position} belongs to session number ${entry.session}, of which there is no row.`;
      return { wrong: { what: "session-unknown", position, message } };
    }
    const wrong = this.#follow(chain, entry) ?? this.#checkFound(chain, entry);
    if (wrong !== undefined) return { wrong };
    this.#last = position;
    return { position, session: entry.session };
  }

  #begin(key: number): Chain | undefined {
    const session = this.#sessions.find(key);
    if (session === undefined) return undefined;
    const chain = { session, position: 0, hash: chainSeed(session.protocol, session.source, session.id), stretch: 0 };
    this.#chains.set(key, chain);
    return chain;
  }

  #follow(chain: Chain, entry: StoredEntry): LedgerBreak | undefined {
    const { position } = entry.link;
    const place = { position, session: chain.session };
    const stretch = this.#stretchOf(chain, position);
    if (stretch === "broken") {
      const message = `The entry at position ${chain.position} of ${nameOf(chain.session)} is not the one that its tombstone names.`;
      return { what: "entry-changed", position: chain.position, session: chain.session, message };
    }
    const missing = this.#missing.get(chain.session.key) ?? 0;
    if (missing > chain.position && missing > stretch.from) {
      const message = `The entry at position ${position} of ${nameOf(chain.session)} is there, and the one at position ${missing} before it is not.`;
      return { what: "entry-missing", position: missing, session: chain.session, message };
    }
    const linked = this.#hashOf(entry, stretch.before);
    if (linked === undefined || !linked.equals(entry.hash)) {
      // It may have been cut since the tombstones were read.
      if (this.#cuts.refresh()) return this.#follow(chain, entry);
      const message = `The entry at position ${position} of ${nameOf(chain.session)} does not follow from what is stored before it: it was changed, or one before it was changed, removed or added.`;
      return { what: "entry-changed", ...place, message };
    }
    chain.position = position;
    chain.hash = linked;
    chain.stretch = stretch.stretch;
    return undefined;
  }

  /**
   * What the entry's hash must be. Of an entry whose text was erased it cannot be computed: the tombstone says what it was,
   * what it was linked to, and what is left of it. Undefined when that is not what is stored, or there is a text again.
   */
  #hashOf({ link, session }: StoredEntry, before: Buffer): Buffer | undefined {
    const erasure = this.#cuts.erasureAt(link.position);
    if (erasure === undefined) return linkHash(before, link);
    const isLeft = link.text === "" && erasure.session === session && erasure.before.equals(before);
    return isLeft && linkHash(erasure.head, link).equals(erasure.rest) ? erasure.head : undefined;
  }

  /** What the entry at a position must be linked to. */
  #stretchOf(chain: Chain, position: number): { readonly stretch: number; readonly from: number; readonly before: Buffer } | "broken" {
    const cuts = this.#cuts.of(chain.session.key);
    let { stretch, hash: before } = chain;
    for (let cut = cuts[stretch]; cut !== undefined && cut.upTo < position; cut = cuts[stretch]) {
      if (cut.upTo === chain.position && !cut.head.equals(chain.hash)) return "broken";
      before = cut.head;
      stretch++;
    }
    return { stretch, from: cuts[stretch - 1]?.upTo ?? 0, before };
  }

  /** What is stored must also be found. */
  #checkFound({ session }: Chain, { link }: StoredEntry): LedgerBreak | undefined {
    if (session.isIndexed && this.#isFound(session.key, link)) return undefined;
    const { position } = link;
    const message = `An index does not find the entry at position ${position} of ${nameOf(session)}, or the session.`;
    return { what: "index", position, session, message };
  }

  /** By its session, by its number, and when it comes again. */
  #isFound(session: number, { position, sequence, identity }: Link): boolean {
    return (
      this.#bySession.get(session, position) !== undefined &&
      (sequence === null || this.#bySequence.get(session, sequence, position) !== undefined) &&
      (identity === null || this.#byIdentity.get(identity, position) !== undefined)
    );
  }
}

/** Undefined when a value is not of its column's type, as only damage or tampering can make it. */
function readEntry(row: Record<string, SQLOutputValue>): StoredEntry | undefined {
  const { position, session, received_at: receivedAt, kind, verified, type, agent, sequence, identity, said, notes, text, hash } = row;
  if (typeof position !== "number" || typeof session !== "number" || typeof receivedAt !== "number") return undefined;
  if (typeof kind !== "number" || typeof verified !== "number" || typeof type !== "string" || typeof agent !== "string") return undefined;
  if ((sequence !== null && typeof sequence !== "number") || (identity !== null && typeof identity !== "string")) return undefined;
  if ((notes !== null && typeof notes !== "string") || typeof text !== "string" || !(hash instanceof Uint8Array)) return undefined;
  if (sequence === undefined || identity === undefined || notes === undefined || said === undefined) return undefined;
  if (said !== null && !(said instanceof Uint8Array && said.length === HASH_BYTES)) return undefined;
  if (position < 1 || hash.length !== HASH_BYTES) return undefined;
  return { link: { position, receivedAt, kind, verified, type, agent, sequence, identity, said, notes, text }, session, hash };
}
