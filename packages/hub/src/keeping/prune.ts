import { setImmediate as nextTurn } from "node:timers/promises";
import type { Ledger, LedgerEntry } from "../ledger/ledger.ts";
import type { Views } from "../views/views.ts";

/** The limits; each one removes entries. */
export interface PruneLimits {
  /** Entries received before this, in Unix milliseconds. */
  readonly receivedBefore?: number;
  /** The oldest entries, until no more than this is kept. */
  readonly keepBytes?: number;
  /** Only sessions with this id; all of it without other limits. */
  readonly session?: string;
}

/** A ledger and its views: a removal is complete when both have removed everything. */
export interface KeptStore {
  readonly ledger: Ledger;
  readonly views: Pick<Views, "cut" | "erase">;
  /** Unix milliseconds. */
  readonly now: () => number;
}

type Pruning = KeptStore & { readonly signal?: AbortSignal };

/** The entries that are or were removed. Bytes are those of the texts. */
export interface PruneResult {
  readonly entries: number;
  readonly sessions: number;
  readonly bytes: number;
  /** When the newest of them was received; null for none. */
  readonly newest: number | null;
  /** Entries kept because of an open question in or before them. */
  readonly held: number;
}

export type PruneStep = { readonly progress: PruneResult } | { readonly result: PruneResult & { readonly givenBackBytes: number } };

const PAGE = 500;
/** An entry's size beside its text: row, hash, indexes. */
const OVERHEAD_BYTES = 150;
/** Collected before cutting, so that a session is cut once and leaves one tombstone. */
const ROUND_ENTRIES = 100_000;
const ROUND_SESSIONS = 5000;
const OPEN_REQUESTS = 10_000;
/** A verified session active within this time continues: its last entry stays, with what the next one is judged against. */
const STILL_HEARD_MS = 3_600_000;

/** Lists what would be removed, without changes. */
export async function* planPruning(limits: PruneLimits, store: Pruning): AsyncGenerator<PruneStep> {
  const tally = new Tally();
  const excess = await excessOf(limits, store.ledger);
  let unverifiedUpTo = 0;
  for (const pass of passesFor(limits)) {
    for (let after = 0; store.signal?.aborted !== true; ) {
      const left = excess - tally.weight;
      const round = await gather(limits, store, { pass, after, excess: left, unverifiedUpTo });
      for (const going of round.sessions) tally.add(going);
      if (pass === "all") tally.held += round.held;
      yield { progress: tally.pruned };
      if (round.isLast && (pass === "unverified" || left <= 0 || round.sessions.length === 0)) break;
      after = round.upTo;
      if (pass === "unverified") unverifiedUpTo = after;
    }
  }
  yield { result: { ...tally.pruned, givenBackBytes: 0 } };
}

/**
 * Removes entries beyond the limits, oldest first, in small steps between other writes; then releases the space. Each session loses its
 * beginning: the rest is still chained, and a tombstone records the removal. An open question stays with everything after it. To free
 * space, unverified entries go before verified ones, so that a flood cannot displace decisions.
 */
export async function* pruneEntries(limits: PruneLimits, store: Pruning): AsyncGenerator<PruneStep> {
  const { ledger, views, signal } = store;
  const isStopped = () => signal?.aborted === true;
  const tally = new Tally();
  let excess = await excessOf(limits, ledger);
  for (const pass of passesFor(limits)) {
    for (let after = 0; !isStopped(); ) {
      const round = await gather(limits, store, { pass, after, excess, unverifiedUpTo: 0 });
      if (pass === "all") tally.held += round.held;
      for (const going of round.sessions) {
        if (isStopped()) break;
        const session = (await ledger.findSessions(going.id, going.protocol)).find(({ source }) => source === going.source);
        const [asked] = await ledger.requests({ state: "open", session: going.id, limit: 1 });
        // Deleted meanwhile, or it has a new question.
        if (session === undefined || (asked !== undefined && asked.position <= going.upTo)) continue;
        await views.cut(session, "pruned", going.upTo);
        tally.add(going);
        yield { progress: tally.pruned };
      }
      after = round.upTo;
      // Entry sizes are estimates; the remaining excess is measured afterwards.
      excess = await excessOf(limits, ledger);
      if (round.isLast && (excess === 0 || round.sessions.length === 0)) break;
    }
  }
  const givenBackBytes = tally.pruned.entries === 0 || isStopped() ? 0 : await ledger.giveBack();
  yield { result: { ...tally.pruned, givenBackBytes } };
}

/** The beginning of a session, up to and including a position. */
interface Going {
  readonly protocol: LedgerEntry["protocol"];
  readonly source: string;
  readonly id: string;
  upTo: number;
  entries: number;
  bytes: number;
  newest: number;
  /** The state before the last entry. */
  before: Pick<Going, "upTo" | "entries" | "bytes" | "newest"> | undefined;
}

interface Round {
  readonly sessions: readonly Going[];
  readonly upTo: number;
  /** Everything within the limits has been seen. */
  readonly isLast: boolean;
  readonly held: number;
}

/** `unverified` frees space from unverified entries alone; `all` applies every limit to the rest. */
type Pass = "unverified" | "all";

function passesFor({ keepBytes }: PruneLimits): readonly Pass[] {
  return keepBytes === undefined ? ["all"] : ["unverified", "all"];
}

interface GatherFrom {
  readonly pass: Pass;
  readonly after: number;
  readonly excess: number;
  /** Position up to which a plan has counted unverified entries. */
  readonly unverifiedUpTo: number;
}

/** Limits apply in order of position: the first entry to keep ends the pass, however the clock was set later. */
async function gather(limits: PruneLimits, { ledger, now }: KeptStore, from: GatherFrom): Promise<Round> {
  const { receivedBefore, keepBytes, session } = limits;
  const { pass, unverifiedUpTo } = from;
  const takesAll = session !== undefined && receivedBefore === undefined && keepBytes === undefined;
  const sessions = new Map<string, Going>();
  const waits = await openRequests(ledger);
  let { after, excess } = from;
  let held = 0;
  const round = (upTo: number, isLast: boolean): Round => {
    const takesLast = takesAll || pass === "unverified";
    const going = [...sessions.values()].map((one) => (takesLast || one.newest <= now() - STILL_HEARD_MS ? one : withoutLast(one)));
    return { sessions: going.filter((one) => one !== undefined), upTo, isLast, held };
  };
  for (let entries = 0; entries < ROUND_ENTRIES && sessions.size < ROUND_SESSIONS; ) {
    const page = await ledger.read({ after, limit: PAGE, ...(session === undefined ? {} : { filter: { session } }) });
    for (const entry of page.entries) {
      if (pass === "unverified" && excess <= 0) return round(entry.position - 1, true);
      if (pass === "unverified" ? entry.verified : !entry.verified && entry.position <= unverifiedUpTo) continue;
      const goes = takesAll || excess > 0 || (receivedBefore !== undefined && entry.receivedAt < receivedBefore);
      if (!goes) return round(entry.position - 1, true);
      entries++;
      if (waits(entry)) held++;
      else {
        excess -= entry.text.length + OVERHEAD_BYTES;
        note(sessions, entry);
      }
    }
    if (page.upTo === after) return round(after, true);
    after = page.upTo;
    await nextTurn();
  }
  return round(after, false);
}

function note(sessions: Map<string, Going>, { protocol, source, session: id, position, text, receivedAt }: LedgerEntry): void {
  const key = `${protocol} ${source}\n${id}`;
  const known = sessions.get(key);
  if (known === undefined) {
    sessions.set(key, { protocol, source, id, upTo: position, entries: 1, bytes: text.length, newest: receivedAt, before: undefined });
    return;
  }
  const { upTo, entries, bytes, newest } = known;
  known.before = { upTo, entries, bytes, newest };
  known.upTo = position;
  known.entries++;
  known.bytes += text.length;
  known.newest = Math.max(newest, receivedAt);
}

function withoutLast(going: Going): Going | undefined {
  return going.before === undefined ? undefined : { ...going, ...going.before };
}

/** Whether an open question is at or before an entry in its session. */
async function openRequests(ledger: Ledger): Promise<(entry: LedgerEntry) => boolean> {
  const open = await ledger.requests({ state: "open", limit: OPEN_REQUESTS });
  const first = new Map<string, number>();
  for (const { session, position } of open) first.set(session, Math.min(position, first.get(session) ?? position));
  // Ordered by position: unlisted ones come after the last one.
  const listedUpTo = open.length < OPEN_REQUESTS ? Number.POSITIVE_INFINITY : (open.at(-1)?.position ?? 0);
  return ({ session, position }) => position >= Math.min(first.get(session) ?? Number.POSITIVE_INFINITY, listedUpTo);
}

async function excessOf({ keepBytes }: PruneLimits, ledger: Ledger): Promise<number> {
  if (keepBytes === undefined) return 0;
  const { fileBytes, freeBytes } = await ledger.space();
  return Math.max(0, fileBytes - freeBytes - keepBytes);
}

class Tally {
  held = 0;
  #entries = 0;
  #bytes = 0;
  #newest: number | null = null;
  readonly #sessions = new Set<string>();

  get pruned(): PruneResult {
    return { entries: this.#entries, sessions: this.#sessions.size, bytes: this.#bytes, newest: this.#newest, held: this.held };
  }

  /** The estimated space of removed entries. */
  get weight(): number {
    return this.#bytes + this.#entries * OVERHEAD_BYTES;
  }

  add({ protocol, source, id, entries, bytes, newest }: Going): void {
    this.#entries += entries;
    this.#bytes += bytes;
    this.#newest = Math.max(this.#newest ?? newest, newest);
    this.#sessions.add(`${protocol} ${source}\n${id}`);
  }
}
