import type { LaneSpan, SessionCourse } from "./api.ts";

/** A session's time in equal parts, filled from its calls. Overlapping calls fill a part at most once over. */
export class CourseBuckets {
  readonly #from: number;
  readonly #widthMs: number;
  readonly #to: number;
  readonly #buckets: { calls: number; failed: number; toolMs: number; waitingMs: number }[];

  constructor(from: number, to: number, count: number) {
    this.#from = from;
    this.#to = Math.max(to, from + 1);
    this.#widthMs = (this.#to - from) / count;
    this.#buckets = Array.from({ length: count }, () => ({ calls: 0, failed: 0, toolMs: 0, waitingMs: 0 }));
  }

  add({ state, from, to = this.#to }: LaneSpan): void {
    const first = this.#indexOf(from);
    const last = this.#indexOf(to);
    for (let index = first; index <= last; index++) {
      const bucket = this.#buckets[index];
      if (bucket === undefined) continue;
      const begin = this.#from + index * this.#widthMs;
      const ms = Math.max(0, Math.min(to, begin + this.#widthMs) - Math.max(from, begin));
      const name = state === "waiting" ? "waitingMs" : "toolMs";
      bucket[name] = Math.min(this.#widthMs, bucket[name] + ms);
      if (state !== "waiting" && index === first) bucket.calls++;
      if (state === "failed" && index === last) bucket.failed++;
    }
  }

  toCourse(): SessionCourse {
    return {
      from: this.#from,
      to: this.#to,
      buckets: this.#buckets.map(({ calls, failed, toolMs, waitingMs }) => ({
        calls,
        failed,
        toolMs: Math.round(toolMs),
        waitingMs: Math.round(waitingMs),
      })),
    };
  }

  #indexOf(at: number): number {
    return Math.min(this.#buckets.length - 1, Math.max(0, Math.floor((at - this.#from) / this.#widthMs)));
  }
}
