import type { Page } from "../ledger/ledger.ts";
import { Frame } from "./frames.ts";
import type { Group } from "./group.ts";
import type { Packed } from "./packed.ts";

/** About as much as is written to a socket at once: a stuck listener holds one of these, which it may share with others. */
export const BLOCK_BYTES = 128 * 1024;
/** What a frame says beside the event, and what a block weighs beside its bytes, roughly. */
const OVERHEAD_BYTES = 300;
export const NOTHING: Buffer = Buffer.alloc(0);

/** A group's bytes of one block, and the position of each frame in them. */
interface Written extends Packed {
  readonly positions: readonly number[];
}

/**
 * A stretch of the ledger, from after one position up to and including another, as it was written for each group.
 *
 * The entries themselves are let go soon: they die young, which costs the collector nothing, and what is kept lies in
 * buffers outside its heap. Kept as objects, a few seconds of a busy ledger grow the heap by hundreds of megabytes.
 */
export class Block {
  readonly after: number;
  readonly upTo: number;
  #frames: readonly Frame[] | undefined;
  readonly #written = new Map<string, Written>();
  #sizeBytes = OVERHEAD_BYTES;

  constructor(after: number, upTo: number, frames: readonly Frame[]) {
    this.after = after;
    this.upTo = upTo;
    this.#frames = frames;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  holds(position: number): boolean {
    return this.after <= position && position < this.upTo;
  }

  isWrittenFor(group: Group): boolean {
    return this.#written.has(group.key);
  }

  /** What a member of the group that stands at a position inside the block has not heard of it; undefined when that is gone. */
  bytesAfter(position: number, group: Group): Buffer | undefined {
    const written = this.#written.get(group.key);
    if (written !== undefined) return rest(written, position);
    if (this.#frames === undefined) return undefined;
    // Kept only where there is somebody to share it with: a thousand different filters would hold a thousand copies.
    return rest(group.members > 1 ? this.writeFor(group) : write(this.#frames, group), position);
  }

  writeFor(group: Group): Written {
    const known = this.#written.get(group.key);
    if (known !== undefined) return known;
    const written = write(this.#frames ?? [], group);
    this.#written.set(group.key, written);
    this.#sizeBytes += written.bytes.length + written.positions.length * 16;
    return written;
  }

  /** What was not written for a group until now is not at hand any more. */
  release(): void {
    this.#frames = undefined;
  }
}

function write(frames: readonly Frame[], { filter, encoding }: Group): Written {
  const matching = frames.filter(({ entry }) => filter.matches(entry));
  const positions = matching.map(({ entry }) => entry.position);
  return matching.length === 0 ? { bytes: NOTHING, starts: [], positions } : { ...encoding.encode(matching), positions };
}

function rest({ bytes, starts, positions }: Written, position: number): Buffer {
  const first = positions[0];
  if (first === undefined || first > position) return bytes;
  const index = positions.findIndex((one) => one > position);
  return index === -1 ? NOTHING : bytes.subarray(starts[index]);
}

/** A page as blocks of a size that one write can take. A single large event is a block of its own. */
export function toBlocks(after: number, page: Page): readonly Block[] {
  const blocks: Block[] = [];
  let frames: Frame[] = [];
  let sizeBytes = 0;
  let from = after;
  for (const entry of page.entries) {
    const size = entry.text.length + OVERHEAD_BYTES;
    const last = frames.at(-1)?.entry.position;
    if (last !== undefined && sizeBytes + size > BLOCK_BYTES) {
      blocks.push(new Block(from, last, frames));
      from = last;
      frames = [];
      sizeBytes = 0;
    }
    frames.push(new Frame(entry));
    sizeBytes += size;
  }
  blocks.push(new Block(from, page.upTo, frames));
  return blocks;
}
