import { setTimeout as pause } from "node:timers/promises";
import { EarshotError, type Problem } from "@earshot/protocol";

/** One imported event with its location, or the reason why there is none. */
export type ImportPiece = { readonly place: string; readonly ordinal: number } & ({ readonly text: string } | { readonly damaged: string });

/** JSON without line breaks. They only occur between tokens, so a space is equivalent. */
export function toSingleLine(text: string): string {
  return text.includes("\n") || text.includes("\r") ? text.replaceAll(/[\r\n]/g, " ") : text;
}

/** Results of the sent events. */
export interface SendCounts {
  stored: number;
  /** Stored before, by an earlier import or by the agent itself. */
  known: number;
  refused: number;
  flagged: number;
}

export interface SenderOptions {
  readonly url: string;
  /** The path to post to. Default: as history, which asks nothing and raises no alerts. */
  readonly path?: string;
  /** The receiver's display name. */
  readonly name?: string;
  /** Whether the receiver recognizes repeated events. If not, a batch that may have arrived is never sent again. */
  readonly recognises?: boolean;
  /** Called with each refused event. */
  readonly onRefused: (place: string, problem: Problem) => void;
  /** Called when the hub is full or unreachable, with the waiting time. */
  readonly onWait: (why: string) => void;
  /** How long to wait for a hub that accepts nothing. */
  readonly patienceMs?: number;
}

interface Answer {
  readonly stored?: number;
  readonly duplicates?: number;
  readonly refused?: number;
  readonly flagged?: number;
  readonly problems?: readonly (Problem & { readonly line: number })[];
}

interface Attempt {
  readonly ok: boolean;
  readonly answer: Answer;
  readonly why: string;
  readonly retryAfterMs: number;
}

type Event = Extract<ImportPiece, { readonly text: string }> & {
  /** Overrides the path for this event. */
  readonly path?: string;
};

const BATCH_EVENTS = 500;
const BATCH_BYTES = 256 * 1024;
const PATIENCE_MS = 5 * 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const LONGEST_RETRY_AFTER_MS = 60_000;
const AS_HISTORY = "/v1/events?recognise=content";
/** Temporarily unavailable. */
const BUSY = new Set([429, 503, 507]);

/**
 * Sends events in batches, one at a time; the reader waits for `send`. A batch without an answer is sent again as a whole, because the
 * hub recognizes stored events.
 */
export class ImportSender {
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

  /** Sends all queued events. */
  async send(): Promise<void> {
    const events = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    for (let from = 0; from < events.length; ) {
      let bytes = 0;
      let upTo = from;
      const path = events[from]?.path;
      while (upTo < events.length && upTo - from < BATCH_EVENTS && bytes < BATCH_BYTES && events[upTo]?.path === path)
        bytes += events[upTo++]?.text.length ?? 0;
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
      const attempt = await this.#post(body, events[0]?.path);
      if (attempt.ok) return this.#take(attempt.answer, events, storedBefore);
      storedBefore += attempt.answer.stored ?? 0; // comes back as stored before
      const waitMs = Math.max(pauseMs, attempt.retryAfterMs);
      if (performance.now() + waitMs > until) throw givenUp(attempt.why);
      onWait(attempt.why);
      await pause(waitMs);
    }
  }

  async #post(body: string, ownPath: string | undefined): Promise<Attempt> {
    const { url, name = "the hub" } = this.#options;
    const path = ownPath ?? this.#options.path ?? AS_HISTORY;
    let response: Response;
    try {
      // Without a credential: imported events are third-party records and must not open requests.
      response = await fetch(`${url}${path}`, { method: "POST", headers: { "content-type": "application/x-ndjson" }, body });
    } catch (error) {
      const why = `${name} does not answer`;
      if (this.#options.recognises === false && !wasNotHeard(error)) throw cutOff(why);
      return { ok: false, answer: {}, why, retryAfterMs: 0 };
    }
    const answer: unknown = await response.json().catch(() => ({}));
    const known = typeof answer === "object" && answer !== null ? (answer as Answer & Partial<Problem>) : {};
    if (response.ok) return { ok: true, answer: known, why: "", retryAfterMs: 0 };
    if (BUSY.has(response.status)) {
      const retryAfterMs = Math.min(Number(response.headers.get("retry-after") ?? 0) * 1000 || 0, LONGEST_RETRY_AFTER_MS);
      return { ok: false, answer: known, why: known.message ?? `${name} is busy`, retryAfterMs };
    }
    const message = known.message ?? `${name} answered with status ${response.status}.`;
    throw new EarshotError({ code: known.code ?? "INTERNAL", message: message.charAt(0).toUpperCase() + message.slice(1) });
  }

  #take(answer: Answer, events: readonly Event[], storedBefore: number): void {
    const single = events.length === 1 && answer.stored === undefined && "position" in answer;
    // A receiver other than a hub reports no counts: what it did not refuse, it accepted.
    const takesAll = answer.stored === undefined && !single;
    const counted = single ? toBatch(answer) : takesAll ? { stored: events.length } : answer;
    const { stored = 0, duplicates = 0, refused = 0, flagged = 0, problems = [] } = counted;
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

/** True if the request did not reach the receiver. */
function wasNotHeard(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && (cause.code === "ECONNREFUSED" || cause.code === "ENOTFOUND");
}

function cutOff(why: string): EarshotError {
  return new EarshotError({
    code: "LEDGER_UNAVAILABLE",
    message: `${why.charAt(0).toUpperCase()}${why.slice(1)}: what became of the last events is not known.`,
    hint: "A hub recognises what it has already and can be sent everything again; this receiver may not.",
  });
}

function givenUp(why: string): EarshotError {
  return new EarshotError({
    code: "LEDGER_UNAVAILABLE",
    message: `Nothing was taken for too long: ${why}.`,
    hint: "What was sent is stored. Do it again to go on: a hub stores nothing twice.",
  });
}
