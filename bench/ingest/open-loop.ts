import { Connection, toRequests } from "./connection.ts";
import { percentile } from "./figures.ts";

export interface OpenLoopOptions {
  readonly port: number;
  readonly perSecond: number;
  readonly connections: number;
  /** Aborting ends it. */
  readonly signal: AbortSignal;
  /** Returns the connection's next body, called just before it is due. */
  readonly body: (connection: number) => Buffer;
}

export interface Latencies {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly refused: number;
}

/** The normal lateness of timers; more is counted. */
const TIMER_MS = 1.5;

/**
 * Sends at a fixed rate whether or not answers arrive. An event whose connection still awaits an answer is delayed, and its time counts
 * from when it was due. A generator that waits instead would miss exactly the moments in which the server stalls.
 */
export class OpenLoop {
  readonly #options: OpenLoopOptions;
  readonly #began = performance.now();
  /** Due time and duration of each event. */
  readonly #due: number[] = [];
  readonly #took: number[] = [];
  readonly #refusedAt: number[] = [];
  readonly #ended: Promise<void>;

  constructor(options: OpenLoopOptions) {
    this.#options = options;
    this.#ended = this.#run();
  }

  /** Fulfills when everything sent has been answered. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /** Durations of the answered events that were due between two times. */
  between(from: number, to: number): Latencies {
    const took = this.#took.filter((_, index) => (this.#due[index] ?? 0) >= from && (this.#due[index] ?? 0) < to);
    const ordered = Float64Array.from(took).sort();
    return {
      count: ordered.length,
      p50Ms: percentile(ordered, 0.5),
      p99Ms: percentile(ordered, 0.99),
      maxMs: ordered.at(-1) ?? Number.NaN,
      refused: this.#refusedAt.filter((at) => at >= from && at < to).length,
    };
  }

  async #run(): Promise<void> {
    const { connections, port } = this.#options;
    const lines = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)));
    const queues: number[][] = lines.map(() => []);
    const busy = lines.map(() => false);
    try {
      await new Promise<void>((resolve, reject) => this.#keepTime(lines, { queues, busy, resolve, reject }));
    } finally {
      for (const line of lines) line.close();
    }
  }

  #keepTime(lines: readonly Connection[], { queues, busy, resolve, reject }: Timekeeping): void {
    const { perSecond, signal, port, body } = this.#options;
    const step = 1000 / perSecond;
    let sent = 0;
    const speak = (index: number) => {
      const due = queues[index]?.shift();
      const line = lines[index];
      if (due === undefined || line === undefined) {
        busy[index] = false;
        if (signal.aborted && !busy.includes(true)) resolve();
        return;
      }
      busy[index] = true;
      const [request] = toRequests([body(index)], { port, path: "/v1/events" });
      if (request === undefined) return;
      line.send(
        request,
        ({ status }) => {
          this.#due.push(due);
          this.#took.push(performance.now() - due);
          if (status !== 200) this.#refusedAt.push(due);
          speak(index);
        },
        reject,
      );
    };
    const tick = () => {
      const now = performance.now();
      for (let due = this.#began + sent * step; due <= now; due = this.#began + ++sent * step) {
        const index = sent % lines.length;
        queues[index]?.push(Math.min(now, due + TIMER_MS));
        if (busy[index] !== true) speak(index);
      }
      if (!signal.aborted) setTimeout(tick, Math.max(0, this.#began + sent * step - performance.now()));
      else if (!busy.includes(true)) resolve();
    };
    tick();
  }
}

interface Timekeeping {
  readonly queues: readonly number[][];
  readonly busy: boolean[];
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}
