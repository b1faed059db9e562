import { setTimeout as pause } from "node:timers/promises";
import { EarshotError, type Problem } from "@earshot/protocol";
import type { ImportPiece } from "./piece.ts";

/** What became of what was sent. */
export interface SendCounts {
  stored: number;
  /** Stored before, by an earlier import or by the agent itself. */
  known: number;
  refused: number;
  flagged: number;
}

export interface SenderOptions {
  readonly url: string;
  /** Told each event that the hub refused. */
  readonly onRefused: (place: string, problem: Problem) => void;
  /** Told that the hub has no room, or does not answer, and for how long it is waited for. */
  readonly onWait: (why: string) => void;
  /** How long a hub that takes nothing is waited for. */
  readonly patienceMs?: number;
}

interface Answer {
  readonly stored?: number;
  readonly duplicates?: number;
  readonly refused?: number;
  readonly flagged?: number;
  readonly problems?: readonly (Problem & { readonly line: number })[];
}

type Event = Extract<ImportPiece, { readonly text: string }>;

const BATCH_EVENTS = 500;
const BATCH_BYTES = 256 * 1024;
const PATIENCE_MS = 5 * 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Sends events in batches, one at a time: whoever reads ahead waits for `send`. A batch that got no answer is sent again, as
 * a whole: the hub recognises what it has stored of it already.
 */
export class Sender {
  readonly counts: SendCounts = { stored: 0, known: 0, refused: 0, flagged: 0 };
  readonly #options: SenderOptions;
  #waiting: Event[] = [];
  #bytes = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    return this.#waiting.length >= BATCH_EVENTS || this.#bytes >= BATCH_BYTES;
  }

  add(event: Event): void {
    this.#waiting.push(event);
    this.#bytes += event.text.length;
  }

  /** Sends everything that waits. */
  async send(): Promise<void> {
    const events = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    for (let from = 0; from < events.length; ) {
      let bytes = 0;
      let upTo = from;
      while (upTo < events.length && upTo - from < BATCH_EVENTS && bytes < BATCH_BYTES) bytes += events[upTo++]?.text.length ?? 0;
      await this.#sendBatch(events.slice(from, upTo));
      from = upTo;
    }
  }

  async #sendBatch(events: readonly Event[]): Promise<void> {
    const body = `${events.map(({ text }) => text).join("\n")}\n`;
    const { patienceMs = PATIENCE_MS, onWait } = this.#options;
    const until = performance.now() + patienceMs;
    let storedBefore = 0;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const attempt = await this.#post(body);
      if (attempt.ok) return this.#take(attempt.answer, events, storedBefore);
      storedBefore += attempt.answer.stored ?? 0; // comes back as stored before
      if (performance.now() + pauseMs > until) throw givenUp(attempt.why);
      onWait(attempt.why);
      await pause(pauseMs);
    }
  }

  async #post(body: string): Promise<{ readonly ok: boolean; readonly answer: Answer; readonly why: string }> {
    let response: Response;
    try {
      // Without a credential: what is imported is somebody else's record, and opens no request.
      const headers = { "content-type": "application/x-ndjson" };
      response = await fetch(`${this.#options.url}/v1/events?recognise=content`, { method: "POST", headers, body });
    } catch {
      return { ok: false, answer: {}, why: "the hub does not answer" };
    }
    const answer: unknown = await response.json().catch(() => ({}));
    const known = typeof answer === "object" && answer !== null ? (answer as Answer & Partial<Problem>) : {};
    if (response.ok) return { ok: true, answer: known, why: "" };
    if (response.status === 503 || response.status === 507) return { ok: false, answer: known, why: known.message ?? "the hub is busy" };
    const message = known.message ?? `The hub answered with status ${response.status}.`;
    throw new EarshotError({ code: known.code ?? "INTERNAL", message });
  }

  #take(answer: Answer, events: readonly Event[], storedBefore: number): void {
    const single = events.length === 1 && answer.stored === undefined && "position" in answer;
    const { stored = 0, duplicates = 0, refused = 0, flagged = 0, problems = [] } = single ? toBatch(answer) : answer;
    this.counts.stored += stored + storedBefore;
    this.counts.known += Math.max(0, duplicates - storedBefore);
    this.counts.refused += refused;
    this.counts.flagged += flagged;
    for (const { line, ...problem } of problems) this.#options.onRefused(events[line - 1]?.place ?? "?", problem);
  }
}

function toBatch(answer: Answer & { readonly duplicate?: boolean; readonly flags?: readonly unknown[] }): Answer {
  const duplicate = answer.duplicate === true;
  return { stored: duplicate ? 0 : 1, duplicates: duplicate ? 1 : 0, flagged: (answer.flags?.length ?? 0) > 0 ? 1 : 0 };
}

function givenUp(why: string): EarshotError {
  return new EarshotError({
    code: "LEDGER_UNAVAILABLE",
    message: `The hub took nothing for too long: ${why}.`,
    hint: "What was sent is stored. Import again to go on: nothing is stored twice.",
  });
}
