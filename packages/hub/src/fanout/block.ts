import type { Page } from "../ledger/ledger.ts";
import { Frame } from "./frames.ts";
import { encodeFor, type Group } from "./group.ts";

/** About as much as is written to a socket at once: a stuck listener holds one of these, which it may share with others. */
export const BLOCK_BYTES = 128 * 1024;
/** What a frame says beside the event, roughly. */
const FRAME_OVERHEAD_BYTES = 300;

/** A stretch of the ledger, from after one position up to and including another, with what was written for its groups. */
export class Block {
  readonly after: number;
  readonly upTo: number;
  /** The filter it was read by; see `ReadyFilter.inLedgerKey`. */
  readonly readBy: string;
  readonly #frames: readonly Frame[];
  readonly #encoded = new Map<string, Buffer>();
  /** An estimate: each text is held as it was read and as it is written. */
  sizeBytes: number;

  constructor(stretch: { readonly after: number; readonly upTo: number; readonly readBy: string }, frames: readonly Frame[]) {
    this.after = stretch.after;
    this.upTo = stretch.upTo;
    this.readBy = stretch.readBy;
    this.#frames = frames;
    this.sizeBytes = frames.reduce((sum, { entry }) => sum + 2 * sizeOf(entry.text), FRAME_OVERHEAD_BYTES);
  }

  holds(position: number): boolean {
    return this.after <= position && position < this.upTo;
  }

  /** What a member of the group that stands at a position inside the block has not heard of it. */
  bytesAfter(position: number, group: Group): Buffer {
    if (position > this.after)
      return encodeFor(
        group,
        this.#frames.filter(({ entry }) => entry.position > position),
      );
    const known = this.#encoded.get(group.key);
    if (known !== undefined) return known;
    const bytes = encodeFor(group, this.#frames);
    // Kept only where there is somebody to share it with: a thousand different filters would hold a thousand copies.
    if (group.members > 1) {
      this.#encoded.set(group.key, bytes);
      this.sizeBytes += bytes.length;
    }
    return bytes;
  }
}

/** A page as blocks of a size that one write can take. A single large event is a block of its own. */
export function toBlocks(after: number, page: Page, readBy: string): readonly Block[] {
  const blocks: Block[] = [];
  let frames: Frame[] = [];
  let sizeBytes = 0;
  let from = after;
  for (const entry of page.entries) {
    const size = sizeOf(entry.text);
    const last = frames.at(-1)?.entry.position;
    if (last !== undefined && sizeBytes + size > BLOCK_BYTES) {
      blocks.push(new Block({ after: from, upTo: last, readBy }, frames));
      from = last;
      frames = [];
      sizeBytes = 0;
    }
    frames.push(new Frame(entry));
    sizeBytes += size;
  }
  blocks.push(new Block({ after: from, upTo: page.upTo, readBy }, frames));
  return blocks;
}

function sizeOf(text: string): number {
  return text.length + FRAME_OVERHEAD_BYTES;
}
