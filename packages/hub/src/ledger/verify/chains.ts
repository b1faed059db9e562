import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { type ChainLink, chainSeed, linkHash } from "../chain.ts";
import type { Seal } from "../seal-line.ts";
import { type BrokenSession, brokenSessionName, findBrokenSession, type LedgerBreak } from "./ledger-break.ts";
import type { RemovalVerifier } from "./removals.ts";

/** How far a session's chain was followed. */
interface Chain {
  readonly session: BrokenSession;
  readonly cutUpTo: number;
  position: number;
  hash: Buffer;
}

/** Columns that `check` needs. */
export const VERIFIED_COLUMNS =
  "position, session, received_at AS receivedAt, kind, verified, type, agent, sequence, identity, said, notes, text, hash";

/**
 * Follows the chains of all sessions in order of position. A chain begins with the session's name, or with the head in its last
 * tombstone. Rows left by an interrupted cut are hidden from every reader and not part of the ledger.
 */
export class ChainVerifier {
  readonly #db: DatabaseSync;
  readonly #removals: RemovalVerifier;
  readonly #chains = new Map<number, Chain>();
  #entries = 0;
  #sessions = new Set<number>();
  #last = 0;

  constructor(db: DatabaseSync, removals: RemovalVerifier) {
    this.#db = db;
    this.#removals = removals;
  }

  get entries(): number {
    return this.#entries;
  }

  /** Number of sessions with entries. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** The position of the last entry checked. */
  get last(): number {
    return this.#last;
  }

  /** `isGone` for a row left by an interrupted cut. */
  check(row: Record<string, SQLOutputValue>): { readonly isGone: boolean } | { readonly wrong: LedgerBreak } {
    const { session, hash, ...rest } = row;
    const link = rest as unknown as ChainLink;
    const { position } = link;
    const chain = this.#chainOf(Number(session));
    if (chain === undefined) {
      const message = `The entry at position ${position} belongs to session number ${session}, of which there is no row.`;
      return { wrong: { what: "session-unknown", position, message } };
    }
    if (position <= chain.cutUpTo) return { isGone: true };
    const linked = this.#hashOf(link, chain);
    if (linked === undefined || !linked.equals(hash as Uint8Array)) {
      const message = `The entry at position ${position} of ${brokenSessionName(chain.session)} does not follow from what is stored before it: it was changed, or one before it was changed, removed or added.`;
      return { wrong: { what: "entry-changed", position, session: chain.session, message } };
    }
    Object.assign(chain, { position, hash: linked });
    this.#last = position;
    this.#entries++;
    this.#sessions.add(Number(session));
    return { isGone: false };
  }

  /** Checks a session's head against the seal, after everything the seal covers was examined. */
  checkHead({ seal }: Seal, [key, position, head]: Seal["sessions"][number]): LedgerBreak | undefined {
    const chain = this.#chainOf(key);
    const isThere = chain?.position === position;
    if (isThere && chain.hash.toString("hex") === head) return undefined;
    if (chain !== undefined && chain.cutUpTo > position) return undefined;
    const whose = chain === undefined ? `session number ${key}, of which there is no row` : brokenSessionName(chain.session);
    const place = { position, ...(chain === undefined ? {} : { session: chain.session }) };
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

  #chainOf(key: number): Chain | undefined {
    const known = this.#chains.get(key);
    if (known !== undefined) return known;
    const session = findBrokenSession(this.#db, key);
    if (session === undefined) return undefined;
    const { upTo: cutUpTo = 0, head = chainSeed(session.protocol, session.source, session.id) } = this.#removals.lastCut(key) ?? {};
    const chain: Chain = { session, cutUpTo, position: cutUpTo, hash: head };
    this.#chains.set(key, chain);
    return chain;
  }

  /**
   * The expected hash of an entry. For an erased text it cannot be computed: the tombstone holds the hash, its predecessor, and a hash of
   * the remaining columns. Undefined if these differ from what is stored, or there is a text again.
   */
  #hashOf(link: ChainLink, { session, hash: before }: Chain): Buffer | undefined {
    const erasure = this.#removals.erasureAt(link.position);
    if (erasure === undefined) return linkHash(before, link);
    const isLeft = link.text === "" && erasure.session === session.key && erasure.before.equals(before);
    return isLeft && linkHash(erasure.head, link).equals(erasure.rest) ? erasure.head : undefined;
  }
}
