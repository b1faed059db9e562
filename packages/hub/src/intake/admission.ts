import { EarshotError } from "@earshot/protocol";

export interface AdmissionLimits {
  /** Maximum bytes waiting for the disk. */
  readonly queueBytes: number;
  /** The share of one source, so that it cannot block the others. */
  readonly sourceShare: number;
  /** The share of all senders without a credential: the rest is reserved for hooks and other producers. */
  readonly strangerShare?: number;
}

export const ADMISSION_LIMITS: AdmissionLimits = { queueBytes: 64 * 1024 * 1024, sourceShare: 0.75, strangerShare: 0.5 };

/** The source of everything that comes without a credential. */
const STRANGERS = "local";
/** A body above this size leaves part of its source's share to small ones. */
const SMALL_BYTES = 256 * 1024;
const LARGE_SHARE = 0.75;

/** A caller waiting for room. */
interface Waiting {
  readonly source: string;
  readonly bytes: number;
  readonly enter: () => void;
}

/**
 * Limits the bytes waiting for the disk. There is no rate limit: a sender is only refused, or not read for a while, if the disk cannot
 * keep up.
 */
export class IntakeAdmission {
  readonly #limits: AdmissionLimits;
  readonly #bySource = new Map<string, number>();
  readonly #queue = new Set<Waiting>();
  #waiting = 0;

  constructor(limits: AdmissionLimits = ADMISSION_LIMITS) {
    this.#limits = limits;
  }

  get waitingBytes(): number {
    return this.#waiting;
  }

  /** Throws if there is no room. Release what was admitted. `held` is the size already admitted for the same body. */
  admit(source: string, bytes: number, held = 0): void {
    const why = this.#whyNot(source, bytes, held);
    if (why !== undefined) throw new EarshotError({ code: "OVERLOADED", message: why });
    this.#add(source, bytes);
  }

  /** Waits for room in order of request, for a stream whose sender then pauses. Throws on timeout. */
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

  /** The memory of one body, counted toward its source until it is disposed of. `resize` throws if there is no room. */
  hold(source: string): { resize(bytes: number): void } & Disposable {
    let held = 0;
    return {
      resize: (bytes) => {
        if (bytes > held) this.admit(source, bytes - held, held);
        else this.release(source, held - bytes);
        held = bytes;
      },
      [Symbol.dispose]: () => this.release(source, held),
    };
  }

  release(source: string, bytes: number): void {
    this.#waiting -= bytes;
    const own = (this.#bySource.get(source) ?? 0) - bytes;
    if (own > 0) this.#bySource.set(source, own);
    else this.#bySource.delete(source);
    for (const waiting of this.#queue) {
      // A source without room does not block the others behind it.
      if (this.#whyNot(waiting.source, waiting.bytes) === undefined) waiting.enter();
    }
  }

  #whyNot(source: string, bytes: number, held = 0): string | undefined {
    const own = this.#bySource.get(source) ?? 0;
    const { queueBytes, sourceShare, strangerShare = sourceShare } = this.#limits;
    const share = (source === STRANGERS ? strangerShare : sourceShare) * (held + bytes > SMALL_BYTES ? LARGE_SHARE : 1);
    // If nothing waits, any size is admitted.
    if (this.#waiting > held && this.#waiting + bytes > queueBytes) return "The hub has more to write than it can keep waiting.";
    if (own > held && own + bytes > queueBytes * share) return "This source has more waiting than its share.";
    return undefined;
  }

  #add(source: string, bytes: number): void {
    this.#waiting += bytes;
    this.#bySource.set(source, (this.#bySource.get(source) ?? 0) + bytes);
  }
}
