import { randomBytes } from "node:crypto";
import { rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const SIZE_BYTES = 4 * 1024 * 1024;
const AGAIN_MS = 100;
const LOOK_MS = 10_000;

export interface ReserveOptions {
  readonly path: string;
  readonly sizeBytes?: number;
  readonly monotonic?: () => number;
}

/**
 * A file of no use beside the ledger, whose room is given up when the disk is full and something has to be decided. It is made
 * again as soon as there is room for it. Its bytes are random, since zeros take no room where a file system compresses.
 */
export class Reserve implements Disposable {
  readonly #path: string;
  readonly #sizeBytes: number;
  readonly #monotonic: () => number;
  readonly #timer: NodeJS.Timeout;
  #isHeld = false;
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor({ path, sizeBytes = SIZE_BYTES, monotonic = () => performance.now() }: ReserveOptions) {
    this.#path = path;
    this.#sizeBytes = sizeBytes;
    this.#monotonic = monotonic;
    this.hold();
    this.#timer = setInterval(() => this.hold(), LOOK_MS).unref();
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Makes it where it is not, and there is room. Says whether it is there. */
  hold(): boolean {
    if (this.#isHeld || this.#monotonic() - this.#triedAt < AGAIN_MS) return this.#isHeld;
    this.#triedAt = this.#monotonic();
    try {
      if (statSync(this.#path, { throwIfNoEntry: false })?.size !== this.#sizeBytes) this.#make();
      this.#isHeld = true;
    } catch {
      rmSync(this.#path, { force: true }); // half of it is of no use to anybody
    }
    return this.#isHeld;
  }

  /** Gives its room up. Says whether there was anything to give. */
  giveUp(): boolean {
    if (!this.#isHeld) return false;
    this.#isHeld = false;
    this.#triedAt = this.#monotonic();
    const wasThere = statSync(this.#path, { throwIfNoEntry: false }) !== undefined;
    rmSync(this.#path, { force: true });
    return wasThere;
  }

  #make(): void {
    // Looked at first: on a full disk most tries would be in vain, and take away what little room there is meanwhile.
    const { bavail, bsize } = statfsSync(dirname(this.#path));
    if (bavail * bsize < this.#sizeBytes) throw new Error("There is no room.");
    writeFileSync(this.#path, randomBytes(this.#sizeBytes), { mode: 0o600 });
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
