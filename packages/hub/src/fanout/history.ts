import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import type { Ledger } from "../ledger/ledger.ts";
import { type Block, toBlocks } from "./block.ts";
import type { Group } from "./group.ts";
import { EVERYTHING } from "./live-filter.ts";
import type { Next } from "./recent.ts";

/** Somebody who stands further back than `Recent` reaches. */
export interface Latecomer {
  readonly group: Group;
  readonly position: number;
  readonly left: boolean;
  /** There may be something to hear now. */
  pump(): void;
  /** Nothing of what follows its position, up to this one, is for it. */
  skipTo(position: number): void;
}

export interface HistoryOptions {
  readonly limitBytes: number;
  readonly pageRows: number;
  /** How far the hub has read. */
  readonly tail: () => number;
  readonly report: (error: unknown) => void;
}

const RETRY_AFTER_MS = 1000;

/**
 * Reads the past for latecomers: one page at a time, in turns, so that a hundred of them who resume at once hold up nobody
 * who keeps up. No cursor stays open while a page is written. The last pages are kept for a while: latecomers who stand
 * inside one go on from its end, so those who started at different places soon walk together and share each read.
 */
export class History {
  readonly #ledger: Ledger;
  readonly #options: HistoryOptions;
  /** The one used last at the end. */
  readonly #blocks: Block[] = [];
  readonly #waiting = new Set<Latecomer>();
  #sizeBytes = 0;
  #running = false;

  constructor(ledger: Ledger, options: HistoryOptions) {
    this.#ledger = ledger;
    this.#options = options;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  next(position: number, group: Group): Next | undefined {
    const block = this.#find(position, group);
    if (block === undefined) return undefined;
    this.#blocks.push(...this.#blocks.splice(this.#blocks.indexOf(block), 1));
    const before = block.sizeBytes;
    const bytes = block.bytesAfter(position, group);
    this.#sizeBytes += block.sizeBytes - before;
    return { bytes, upTo: block.upTo };
  }

  /** Reads what follows the latecomer's position when its turn comes, then lets it go on. */
  want(latecomer: Latecomer): void {
    this.#waiting.add(latecomer);
    if (!this.#running) void this.#run();
  }

  clear(): void {
    this.#blocks.length = 0;
    this.#sizeBytes = 0;
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (const latecomer of this.#waiting) {
      // Added again by `pump`, and so at the end of the line, when it wants more.
      this.#waiting.delete(latecomer);
      if (latecomer.left) continue;
      try {
        await this.#read(latecomer);
        latecomer.pump();
        await nextTurn();
      } catch (error) {
        this.#options.report(error);
        this.#waiting.add(latecomer);
        await wait(RETRY_AFTER_MS, undefined, { ref: false });
      }
    }
    this.#running = false;
  }

  async #read(latecomer: Latecomer): Promise<void> {
    const { position: after, group } = latecomer;
    if (this.#find(after, group) !== undefined) return;
    const { inLedger: filter, inLedgerKey } = group.filter;
    // All of it was visible before the read: what the read does not show is hidden by the filter, or was removed.
    const tail = this.#options.tail();
    const page = await this.#ledger.read({ after, limit: this.#options.pageRows, ...(filter === undefined ? {} : { filter }) });
    if (page.upTo <= after) latecomer.skipTo(tail);
    else for (const block of toBlocks(after, page, inLedgerKey).toReversed()) this.#add(block);
  }

  #find(position: number, { filter }: Group): Block | undefined {
    return this.#blocks.findLast((block) => block.holds(position) && (block.readBy === EVERYTHING || block.readBy === filter.inLedgerKey));
  }

  #add(block: Block): void {
    this.#blocks.push(block);
    this.#sizeBytes += block.sizeBytes;
    while (this.#sizeBytes > this.#options.limitBytes && this.#blocks.length > 1) {
      this.#sizeBytes -= this.#blocks.shift()?.sizeBytes ?? 0;
    }
  }
}
