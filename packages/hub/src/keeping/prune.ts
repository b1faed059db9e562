import { setImmediate as nextTurn } from "node:timers/promises";
import type { Entry, Ledger } from "../ledger/ledger.ts";
import type { Views } from "../views/views.ts";

/** What goes: whatever either of the limits says. */
export interface PruneLimits {
  /** What was received before this, in milliseconds since 1970. */
  readonly receivedBefore?: number;
  /** The oldest, as far as more than this is kept. */
  readonly keepBytes?: number;
  /** Only of sessions with this id; all of it, when there is no other limit. */
  readonly session?: string;
}

/** A ledger, and the views that a removal goes through: it is done when they show nothing of what is gone. */
export interface KeptStore {
  readonly ledger: Ledger;
  readonly views: Pick<Views, "cut" | "erase">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

type Pruning = KeptStore & { readonly signal?: AbortSignal };

/** What goes, or has gone. Bytes are those of the texts. */
export interface Pruned {
  readonly entries: number;
  readonly sessions: number;
  readonly bytes: number;
  /** When the newest of them was received; null for none. */
  readonly newest: number | null;
  /** Entries that were left because a question before them or in them still waits for its answer. */
  readonly held: number;
}

export type PruneStep = { readonly progress: Pruned } | { readonly result: Pruned & { readonly givenBackBytes: number } };

const PAGE = 500;
/** What an entry takes beside its text: its row, its hash, its indexes. */
const OVERHEAD_BYTES = 150;
/** So much is gathered before anything is cut: a session is then cut once, and leaves one tombstone, not one for each page. */
const ROUND_ENTRIES = 100_000;
const ROUND_SESSIONS = 5000;
const OPEN_REQUESTS = 10_000;
/** A verified session heard from within this time goes on: its last entry stays, and with it what the next one is judged against. */
const STILL_HEARD_MS = 3_600_000;

/** Says what would go, and changes nothing. */
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
 * Removes what the limits say, the oldest first, in small steps between which others write; then gives the room back. Each
 * session loses its beginning: what is left is still linked, and a tombstone says what is gone. A question that waits for
 * its answer stays, with everything after it. For room, everything that anybody could have said goes before anything verified:
 * a flood must not push out what was decided.
 */
export async function* prune(limits: PruneLimits, store: Pruning): AsyncGenerator<PruneStep> {
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
        // Deleted meanwhile, or it has asked something.
        if (session === undefined || (asked !== undefined && asked.position <= going.upTo)) continue;
        await views.cut(session, "pruned", going.upTo);
        tally.add(going);
        yield { progress: tally.pruned };
      }
      after = round.upTo;
      // What entries take is an estimate. How much is still too much is seen when they are gone.
      excess = await excessOf(limits, ledger);
      if (round.isLast && (excess === 0 || round.sessions.length === 0)) break;
    }
  }
  const givenBackBytes = tally.pruned.entries === 0 || isStopped() ? 0 : await ledger.giveBack();
  yield { result: { ...tally.pruned, givenBackBytes } };
}

/** The beginning of a session, up to and including a position. */
interface Going {
  readonly protocol: Entry["protocol"];
  readonly source: string;
  readonly id: string;
  upTo: number;
  entries: number;
  bytes: number;
  newest: number;
  /** What there was before the last one. */
  before: Pick<Going, "upTo" | "entries" | "bytes" | "newest"> | undefined;
}

interface Round {
  readonly sessions: readonly Going[];
  readonly upTo: number;
  /** Everything that the limits speak of has been seen. */
  readonly isLast: boolean;
  readonly held: number;
}

/** `unverified` makes room from unverified entries alone; `all` applies every limit to what is left. */
type Pass = "unverified" | "all";

function passesFor({ keepBytes }: PruneLimits): readonly Pass[] {
  return keepBytes === undefined ? ["all"] : ["unverified", "all"];
}

interface GatherFrom {
  readonly pass: Pass;
  readonly after: number;
  readonly excess: number;
  /** A plan has counted unverified entries up to here. */
  readonly unverifiedUpTo: number;
}

/** The limits are met in order of position: the first entry that is to stay ends it, however the clock was set later. */
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

function note(sessions: Map<string, Going>, { protocol, source, session: id, position, text, receivedAt }: Entry): void {
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

/** Whether a question waits at an entry, or before it in its session. */
async function openRequests(ledger: Ledger): Promise<(entry: Entry) => boolean> {
  const open = await ledger.requests({ state: "open", limit: OPEN_REQUESTS });
  const first = new Map<string, number>();
  for (const { session, position } of open) first.set(session, Math.min(position, first.get(session) ?? position));
  // They come in order of position: those that were not listed are behind the last one.
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

  get pruned(): Pruned {
    return { entries: this.#entries, sessions: this.#sessions.size, bytes: this.#bytes, newest: this.#newest, held: this.held };
  }

  /** What has gone, as far as the room it took can be told. */
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
