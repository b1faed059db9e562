import { EarshotError } from "@earshot/protocol";

export interface AdmissionLimits {
  /** Bytes that may be waiting for the disk at once. */
  readonly queueBytes: number;
  /** The part of it that one source may take, so that one cannot keep the others out. */
  readonly sourceShare: number;
  /** The part that all senders without a credential may take together: the rest stays for hooks and other producers. */
  readonly strangerShare?: number;
}

export const ADMISSION: AdmissionLimits = { queueBytes: 64 * 1024 * 1024, sourceShare: 0.75, strangerShare: 0.5 };

/** The source of everything that comes without a credential. */
const STRANGERS = "local";
/** A body that holds more than this leaves a part of its source's share to small ones. */
const SMALL_BYTES = 256 * 1024;
const LARGE_SHARE = 0.75;

/** Somebody who waits until there is room. */
interface Waiting {
  readonly source: string;
  readonly bytes: number;
  readonly enter: () => void;
}

/**
 * How much may wait for the disk. There is no limit of rate: a sender that can be kept up with is never refused, and one
 * that cannot is told when to come back, or is not read for a while.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #bySource = new Map<string, number>();
  readonly #queue = new Set<Waiting>();
  #waiting = 0;

  constructor(limits: AdmissionLimits = ADMISSION) {
    this.#limits = limits;
  }

  get waitingBytes(): number {
    return this.#waiting;
  }

  /** Throws when there is no room. What was admitted must be released. `held` is what the same body was admitted with before. */
  admit(source: string, bytes: number, held = 0): void {
    const why = this.#whyNot(source, bytes, held);
    if (why !== undefined) throw new EarshotError({ code: "OVERLOADED", message: why });
    this.#add(source, bytes);
  }

  /**
   * Waits for room, in the order of asking: for a stream, whose sender notices by itself that it is not read. Throws when
   * there is none for so long.
   */
  admitSoon(source: string, bytes: number, waitMs: number): Promise<void> {
    if (this.#queue.size === 0 && this.#whyNot(source, bytes) === undefined) {
      this.#add(source, bytes);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        this.#queue.delete(waiting);
        this.#add(source, bytes);
        resolve();
      };
      const waiting: Waiting = { source, bytes, enter };
      const timer = setTimeout(() => {
        this.#queue.delete(waiting);
        const message = this.#whyNot(source, bytes) ?? "Others were waiting before.";
        reject(new EarshotError({ code: "OVERLOADED", message }));
      }, waitMs);
      this.#queue.add(waiting);
    });
  }

  release(source: string, bytes: number): void {
    this.#waiting -= bytes;
    const own = (this.#bySource.get(source) ?? 0) - bytes;
    if (own > 0) this.#bySource.set(source, own);
    else this.#bySource.delete(source);
    for (const waiting of this.#queue) {
      // One source without room of its own does not hold up the others behind it.
      if (this.#whyNot(waiting.source, waiting.bytes) === undefined) waiting.enter();
    }
  }

  #whyNot(source: string, bytes: number, held = 0): string | undefined {
    const own = this.#bySource.get(source) ?? 0;
    const { queueBytes, sourceShare, strangerShare = sourceShare } = this.#limits;
    const share = (source === STRANGERS ? strangerShare : sourceShare) * (held + bytes > SMALL_BYTES ? LARGE_SHARE : 1);
    // Something is always let in when nothing waits, however large.
    if (this.#waiting > held && this.#waiting + bytes > queueBytes) return "The hub has more to write than it can keep waiting.";
    if (own > held && own + bytes > queueBytes * share) return "This source has more waiting than its share.";
    return undefined;
  }

  #add(source: string, bytes: number): void {
    this.#waiting += bytes;
    this.#bySource.set(source, (this.#bySource.get(source) ?? 0) + bytes);
  }
}
