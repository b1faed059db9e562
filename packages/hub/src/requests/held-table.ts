import type { Ledger } from "../ledger/ledger.ts";
import type { StoredRequest } from "../request.ts";
import { type HeldRequest, loadHeldRequest, readEnding, type WakingClock } from "./held-request.ts";
import { isMachineOpen } from "./machine.ts";
import { createRequestProblem } from "./news.ts";

const PAGE = 500;
/** Recently ended requests loaded at the start: their aftermath may still follow. */
const LAST_ENDED = 200;

/** The requests carried by this process: all open ones and the recently ended ones. Others are read from the ledger. */
export class HeldTable {
  readonly #ledger: Pick<Ledger, "requests" | "read">;
  readonly #clock: () => WakingClock;
  readonly #open = new Map<string, HeldRequest>();
  readonly #ended = new Map<string, HeldRequest>();
  #openBytes = 0;
  #endedBytes = 0;
  /** Position of the last open request that was loaded. */
  #loadedUpTo = 0;

  constructor(ledger: Pick<Ledger, "requests" | "read">, clock: () => WakingClock) {
    this.#ledger = ledger;
    this.#clock = clock;
  }

  /** Loads what an earlier process left. */
  async load(): Promise<void> {
    for await (const _ of this.loadOpen());
    const newest = await this.#ledger.requests({ before: Number.MAX_SAFE_INTEGER, limit: LAST_ENDED });
    for (const row of newest.toReversed()) await this.ofRow(row);
  }

  /** Loads the open requests that were stored since the last time, and yields those that were unknown. */
  async *loadOpen(): AsyncGenerator<HeldRequest> {
    let page: readonly StoredRequest[];
    do {
      page = await this.#ledger.requests({ state: "open", after: this.#loadedUpTo, limit: PAGE });
      for (const row of page) {
        this.#loadedUpTo = row.position;
        if (this.find(row.id) === undefined) yield this.#adopt(row);
      }
    } while (page.length === PAGE);
  }

  /** Open and stored requests; those about to be stored are not counted. */
  get openCount(): number {
    let count = 0;
    for (const { machine } of this.#open.values()) if (isMachineOpen(machine)) count++;
    return count;
  }

  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Whether there is room for one more of this size. */
  hasRoom(sizeBytes: number): boolean {
    return this.#open.size < MAX_OPEN_REQUESTS && this.#openBytes + sizeBytes <= MAX_OPEN_REQUEST_BYTES;
  }

  open(): Iterable<HeldRequest> {
    return this.#open.values();
  }

  find(id: string): HeldRequest | undefined {
    return this.#open.get(id) ?? this.#ended.get(id);
  }

  findOpen(id: string): HeldRequest | undefined {
    return this.#open.get(id);
  }

  /** A request by its id, also from the ledger. */
  async lookUp(id: string): Promise<HeldRequest | undefined> {
    const known = this.find(id);
    if (known !== undefined) return known;
    const [row] = await this.#ledger.requests({ ids: [id], limit: 1 });
    return row === undefined ? undefined : this.ofRow(row);
  }

  async get(id: string): Promise<HeldRequest> {
    const held = await this.lookUp(id);
    if (held === undefined) throw createRequestProblem("NOT_FOUND", "There is no such request.");
    return held;
  }

  /** The request of a stored row. */
  async ofRow(row: StoredRequest): Promise<HeldRequest> {
    const known = this.find(row.id);
    if (known?.row !== undefined) return known;
    if (known !== undefined && row.state === known.machine.phase) {
      known.row = row;
      return known;
    }
    if (row.state === "open") {
      if (known === undefined) return this.#adopt(row);
      known.row = row; // on disk; the confirmation follows
      return known;
    }
    const { ending, at } = await readEnding(this.#ledger, row.settledBy ?? 0);
    const held = loadHeldRequest(row, this.#clock());
    held.machine = { ...held.machine, phase: row.state, settlement: { ...ending, state: row.state } };
    held.decidedAt = at;
    held.decidedPosition = row.settledBy ?? 0;
    this.end(held);
    return held;
  }

  /** The stored row; undefined before it is stored. */
  async rowOf(held: HeldRequest): Promise<StoredRequest | undefined> {
    if (held.row === undefined) {
      const [row] = await this.#ledger.requests({ ids: [held.id], limit: 1 });
      held.row ??= row;
    }
    return held.row;
  }

  /** Open requests of a session. */
  inSession(scope: string): readonly HeldRequest[] {
    return [...this.#open.values()].filter((held) => held.scope === scope);
  }

  aboutAction(scope: string, action: string): readonly HeldRequest[] {
    const found: HeldRequest[] = [];
    for (const held of this.#open.values()) if (held.card.terms.action === action && held.scope === scope) found.push(held);
    for (const held of this.#ended.values()) if (held.card.terms.action === action && held.scope === scope) found.push(held);
    return found;
  }

  add(held: HeldRequest): void {
    this.#open.set(held.id, held);
    this.#openBytes += held.sizeBytes;
  }

  /** It has ended but may still be queried. */
  end(held: HeldRequest): void {
    this.forget(held);
    if (this.#ended.has(held.id)) return;
    this.#ended.set(held.id, held);
    this.#endedBytes += held.sizeBytes;
    for (const [id, oldest] of this.#ended) {
      if (this.#ended.size <= MAX_ENDED_REQUESTS && this.#endedBytes <= MAX_ENDED_REQUEST_BYTES) return;
      this.#ended.delete(id);
      this.#endedBytes -= oldest.sizeBytes;
    }
  }

  /** It is not open any more, or was never stored. */
  forget(held: HeldRequest): void {
    if (this.#open.delete(held.id)) this.#openBytes -= held.sizeBytes;
  }

  /** An open request of another process. */
  #adopt(row: StoredRequest): HeldRequest {
    const held = loadHeldRequest(row, this.#clock());
    this.add(held);
    return held;
  }
}

/** Maximum open questions per session; more are refused with a reason. */
export const MAX_OPEN_PER_SESSION = 50;

export function hasRoomInSession(openInSession: number): boolean {
  return openInSession < MAX_OPEN_PER_SESSION;
}

/** Maximum open requests in total, and their memory. */
export const MAX_OPEN_REQUESTS = 10_000;
export const MAX_OPEN_REQUEST_BYTES = 256 * 1024 * 1024;
/** Ended requests kept for late polls and for their aftermath. */
export const MAX_ENDED_REQUESTS = 2000;
export const MAX_ENDED_REQUEST_BYTES = 64 * 1024 * 1024;
