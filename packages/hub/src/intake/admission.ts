import { EarshotError } from "@earshot/protocol";

export interface AdmissionLimits {
  /** Bytes that may be waiting for the disk at once. */
  readonly queueBytes: number;
  /** The part of it that one source may take, so that one cannot keep the others out. */
  readonly sourceShare: number;
}

export const ADMISSION: AdmissionLimits = { queueBytes: 64 * 1024 * 1024, sourceShare: 0.75 };

/**
 * How much may wait for the disk. There is no limit of rate: a sender that can be kept up with is never refused, and one
 * that cannot is told when to come back.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #bySource = new Map<string, number>();
  #waiting = 0;

  constructor(limits: AdmissionLimits = ADMISSION) {
    this.#limits = limits;
  }

  get waitingBytes(): number {
    return this.#waiting;
  }

  /** Throws when there is no room. What was admitted must be released. */
  admit(source: string, bytes: number): void {
    const own = this.#bySource.get(source) ?? 0;
    const { queueBytes, sourceShare } = this.#limits;
    // Something is always let in when nothing waits, however large.
    if (this.#waiting > 0 && this.#waiting + bytes > queueBytes) throw overloaded("The hub has more to write than it can keep waiting.");
    if (own > 0 && own + bytes > queueBytes * sourceShare) throw overloaded("This source has more waiting than its share.");
    this.#waiting += bytes;
    this.#bySource.set(source, own + bytes);
  }

  release(source: string, bytes: number): void {
    this.#waiting -= bytes;
    const own = (this.#bySource.get(source) ?? 0) - bytes;
    if (own > 0) this.#bySource.set(source, own);
    else this.#bySource.delete(source);
  }
}

function overloaded(message: string): EarshotError {
  return new EarshotError({ code: "OVERLOADED", message });
}
