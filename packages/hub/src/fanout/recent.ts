import type { Page } from "../ledger/ledger.ts";
import { type Block, toBlocks } from "./block.ts";
import type { Group } from "./group.ts";

/** What a listener hears next, and where it stands after that. */
export interface Next {
  readonly bytes: Buffer;
  readonly upTo: number;
}

/** Whoever may still need what is about to be let go. */
export interface Straggler {
  readonly position: number;
  readonly group: Group;
}

/**
 * The newest stretch of the ledger, read once for everybody. Blocks are added in order; the oldest goes when the bound is
 * reached, and whoever still needed it reads the ledger instead.
 */
export class Recent {
  readonly #blocks: Block[] = [];
  readonly #limitBytes: number;
  #open: readonly Block[] = [];
  #sizeBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Adds what was read. Until `settle`, it can be had for any group. */
  add(after: number, page: Page): void {
    this.#open = toBlocks(after, page);
    for (const block of this.#open) {
      this.#blocks.push(block);
      this.#sizeBytes += block.sizeBytes;
    }
  }

  /** Keeps of the page added last what those need who are on their way, and lets the rest go. */
  settle(stragglers: Iterable<Straggler>): void {
    const newest = this.#open.at(-1)?.upTo ?? 0;
    const groups = new Set<Group>();
    for (const { position, group } of stragglers) if (position < newest && this.#find(position) !== undefined) groups.add(group);
    for (const block of this.#open) {
      const before = block.sizeBytes;
      for (const group of groups) block.writeFor(group);
      block.release();
      this.#sizeBytes += block.sizeBytes - before;
    }
    this.#open = [];
    this.#trim();
  }

  next(position: number, group: Group): Next | undefined {
    const block = this.#find(position);
    if (block === undefined) return undefined;
    const before = block.sizeBytes;
    const bytes = block.bytesAfter(position, group);
    this.#sizeBytes += block.sizeBytes - before;
    return bytes === undefined ? undefined : { bytes, upTo: block.upTo };
  }

  clear(): void {
    this.#blocks.length = 0;
    this.#open = [];
    this.#sizeBytes = 0;
  }

  /** The blocks are in order and may have gaps between them: nothing is read while nobody listens. */
  #find(position: number): Block | undefined {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#blocks[middle]?.upTo ?? 0) > position) high = middle;
      else low = middle + 1;
    }
    const block = this.#blocks[low];
    return block?.holds(position) === true ? block : undefined;
  }

  /** The newest block stays, whatever its size: those who are on their way are about to ask for it. */
  #trim(): void {
    while (this.#sizeBytes > this.#limitBytes && this.#blocks.length > 1) {
      this.#sizeBytes -= this.#blocks.shift()?.sizeBytes ?? 0;
    }
  }
}
