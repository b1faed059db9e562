import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import type { Ledger } from "../ledger/ledger.ts";
import { Block, NOTHING, toBlocks } from "./block.ts";
import type { Group } from "./group.ts";
import type { Next } from "./recent.ts";

/** Somebody who stands further back than `Recent` reaches. */
export interface Latecomer {
  readonly group: Group;
  readonly position: number;
  /** Whether it can take anything now. */
  readonly isReady: boolean;
  /** What follows its position. It asks again when that is not enough. */
  hear(next: Next): void;
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
 * Tells latecomers the past: one block to one of them at a time, in turns, so that a hundred of them who resume at once hold
 * up nobody who keeps up. No cursor stays open while a page is written. The last pages are kept for a while: latecomers of one
 * group who stand inside one go on from its end, so those who started at different places soon walk together and share reads.
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

  /** Nobody waits for the past: what is kept of it is kept in vain. */
  get isIdle(): boolean {
    return !this.#running;
  }

  /** Tells the latecomer what follows its position when its turn comes. */
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
      // When it wants more it is added again, and so at the end of the line.
      this.#waiting.delete(latecomer);
      if (!latecomer.isReady) continue;
      const { position } = latecomer;
      try {
        const next = this.#find(latecomer) ?? (await this.#read(latecomer));
        if (latecomer.position === position) latecomer.hear(next);
        await nextTurn();
      } catch (error) {
        this.#options.report(error);
        this.#waiting.add(latecomer);
        await wait(RETRY_AFTER_MS, undefined, { ref: false });
      }
    }
    this.#running = false;
  }

  #find({ position, group }: Latecomer): Next | undefined {
    const index = this.#blocks.findLastIndex((block) => block.holds(position) && block.isWrittenFor(group));
    const [block] = index === -1 ? [] : this.#blocks.splice(index, 1);
    if (block === undefined) return undefined;
    this.#blocks.push(block);
    return { bytes: block.bytesAfter(position, group) ?? NOTHING, upTo: block.upTo };
  }

  async #read({ position, group }: Latecomer): Promise<Next> {
    const { inLedger: filter } = group.filter;
    // All of it was visible before the read: what the read does not show is hidden by the filter, or was removed.
    const tail = this.#options.tail();
    const page = await this.#ledger.read({ after: position, limit: this.#options.pageRows, ...(filter === undefined ? {} : { filter }) });
    if (page.upTo <= position) return { bytes: NOTHING, upTo: Math.max(position, tail) };
    const blocks = toBlocks(position, page);
    for (const block of blocks) {
      block.writeFor(group);
      block.release();
    }
    const [first = new Block(position, page.upTo, [])] = blocks;
    // The one that is wanted first is added last, and so the last to go.
    for (const block of blocks.toReversed()) this.#add(block);
    return { bytes: first.bytesAfter(position, group) ?? NOTHING, upTo: first.upTo };
  }

  #add(block: Block): void {
    this.#blocks.push(block);
    this.#sizeBytes += block.sizeBytes;
    while (this.#sizeBytes > this.#options.limitBytes && this.#blocks.length > 1) {
      this.#sizeBytes -= this.#blocks.shift()?.sizeBytes ?? 0;
    }
  }
}
