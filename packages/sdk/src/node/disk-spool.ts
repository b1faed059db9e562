import type { Parcel, Spool } from "../delivery/platform.ts";
import { Leftovers } from "./leftovers.ts";
import { OwnSpool } from "./own-spool.ts";

export interface DiskSpoolOptions {
  readonly folder: string;
  /** For this process, and again for all ended processes together. 0: nothing is written. */
  readonly maxBytes: number;
}

/** Lines on disk, in files that only their user can read. */
export class DiskSpool implements Spool {
  readonly #own: OwnSpool;
  readonly #leftovers: Leftovers;
  #dropped: (lines: number) => void = () => {};

  constructor({ folder, maxBytes }: DiskSpoolOptions) {
    this.#own = new OwnSpool({ folder, maxBytes, dropped: (lines) => this.#dropped(lines) });
    this.#leftovers = new Leftovers(folder);
  }

  get isUsable(): boolean {
    return this.#own.isUsable;
  }

  get waiting(): number {
    return this.#own.waiting;
  }

  get hasLeftovers(): boolean {
    return !this.#leftovers.isEmpty;
  }

  get hasBacklog(): boolean {
    return this.#own.waiting > 0 || this.hasLeftovers;
  }

  reserve(): number {
    return this.#own.reserve();
  }

  write(lines: readonly string[], place?: number): Promise<boolean> {
    return this.#own.write(lines, place);
  }

  writeNow(lines: readonly string[], place?: number): boolean {
    return this.#own.writeNow(lines, place);
  }

  next(limit: number): Promise<Parcel | undefined> {
    return this.#own.next(limit);
  }

  nextLeftover(limit: number): Promise<Parcel | undefined> {
    return this.#leftovers.next(limit);
  }

  lookForLeftovers(): void {
    this.#leftovers.look();
  }

  release(): void {
    this.#own.release();
    this.#leftovers.release();
  }

  onDropped(count: (lines: number) => void): void {
    this.#dropped = count;
  }
}
