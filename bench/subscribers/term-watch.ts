import type { SubscriberClass } from "./classes.ts";
import { moment } from "./talk.ts";

/** What one subscriber noticed. */
export interface Noticed {
  readonly events: number;
  /** Since the measurement began, up to the last one. */
  readonly perSecond: number;
  readonly critical: number;
  /** Sent without a token, because something critical of the same session came right behind. */
  readonly pushed: number;
  readonly chunks: number;
  /** Chunks that end at no boundary: something else followed, or it took too long. */
  readonly unfinished: number;
  readonly resumable: number;
  readonly violations: Readonly<Record<Term, number>>;
  /** How long each critical event took, from before it was posted, in milliseconds. */
  readonly criticalMs: readonly number[];
  /** How old the text was, by the clock, when it came. */
  readonly textMs: readonly number[];
}
export type Term = "rate" | "filter" | "boundary" | "words" | "language" | "order" | "text";

interface Seen {
  readonly at: number;
  readonly session: string;
}

const WINDOW_MS = 5000;
const TOLERANCE = 1.2;
/** So soon before a critical event of its session, an event came with it. */
const TOGETHER_MS = 60;
const CRITICAL = new Set(["session.errored", "awaiting.confirmation", "awaiting.clarification", "handoff.requested"]);

/** Holds a stream against the terms it was promised, as somebody outside would. */
export class TermWatch {
  readonly #terms: SubscriberClass["capabilities"];
  readonly #violations: Record<Term, number> = { rate: 0, filter: 0, boundary: 0, words: 0, language: 0, order: 0, text: 0 };
  readonly #criticalMs: number[] = [];
  readonly #textMs: number[] = [];
  readonly #positions = new Map<string, number>();
  readonly #stamps = new Map<string, string>();
  readonly #states = new Map<string, string>();
  readonly #ids = new Set<string>();
  /** Sessions that were under way already. */
  readonly #joined = new Set<string>();
  #recent: Seen[] = [];
  #events = 0;
  #lastAt = 0;
  #eventsBefore = 0;
  #critical = 0;
  #pushed = 0;
  #chunks = 0;
  #unfinished = 0;
  #resumable = 0;
  #measureFrom = Number.POSITIVE_INFINITY;

  constructor({ capabilities }: Pick<SubscriberClass, "capabilities">) {
    this.#terms = capabilities;
  }

  /** What is said from now on is measured; terms are watched all the time. */
  measure(from: number): void {
    this.#measureFrom = from;
    this.#eventsBefore = this.#events;
  }

  hear(event: Readonly<Record<string, unknown>>, hasId: boolean): void {
    const at = moment();
    const type = String(event["type"]).slice("aaep:agent.".length);
    const session = String(event["session_id"]);
    this.#events++;
    this.#lastAt = at;
    if (hasId) this.#resumable++;
    const id = String(event["event_id"]);
    if (this.#ids.has(id)) this.#violations.order++;
    this.#ids.add(id);
    this.#checkOrder(event, type, session);
    this.#checkWords(event);
    if (type === "output.streaming") this.#checkText(event, session);
    if (CRITICAL.has(type)) {
      this.#critical++;
      const sent = Number(String(event["correlation_id"]).slice("sent ".length));
      if (sent >= this.#measureFrom) this.#criticalMs.push(at - sent);
      this.#forgive(session, at);
      return;
    }
    this.#checkFilter(`aaep:agent.${type}`);
    this.#checkRate(at, session);
  }

  result(): Noticed {
    this.#settle(Number.POSITIVE_INFINITY);
    return {
      events: this.#events,
      perSecond: ((this.#events - this.#eventsBefore) / (this.#lastAt - this.#measureFrom)) * 1000,
      critical: this.#critical,
      pushed: this.#pushed,
      chunks: this.#chunks,
      unfinished: this.#unfinished,
      resumable: this.#resumable,
      violations: this.#violations,
      criticalMs: this.#criticalMs,
      textMs: this.#textMs,
    };
  }

  /** Each event begins a window; whether it was too much is known when nothing critical can excuse it any more. */
  #checkRate(at: number, session: string): void {
    if (this.#terms.max_events_per_second === undefined) return;
    this.#recent.push({ at, session });
    this.#settle(at - TOGETHER_MS);
  }

  #forgive(session: string, at: number): void {
    const kept = this.#recent.filter((one) => one.session !== session || one.at < at - TOGETHER_MS);
    this.#pushed += this.#recent.length - kept.length;
    this.#recent = kept;
  }

  #settle(upTo: number): void {
    const rate = this.#terms.max_events_per_second;
    if (rate === undefined) return;
    for (let first = this.#recent[0]; first !== undefined && first.at + WINDOW_MS <= upTo; first = this.#recent[0]) {
      const end = first.at + WINDOW_MS;
      const within = this.#recent.findIndex(({ at }) => at >= end);
      const count = within < 0 ? this.#recent.length : within;
      if (count > (rate * WINDOW_MS * TOLERANCE) / 1000 + 1e-9) this.#violations.rate++;
      this.#recent.shift();
    }
  }

  #checkFilter(type: string): void {
    const { include = ["aaep:agent.*"], exclude = [] } = this.#terms.event_filters ?? {};
    const matches = (pattern: string) => (pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern);
    if (!include.some(matches) || exclude.some(matches)) this.#violations.filter++;
  }

  #checkWords(event: Readonly<Record<string, unknown>>): void {
    if (event["summary_normal"] === undefined) return;
    const { preferred_verbosity: wanted = "normal", languages = ["en-US"] } = this.#terms;
    const unwanted =
      wanted === "terse" ? ["summary_detailed"] : wanted === "detailed" ? ["summary_terse"] : ["summary_terse", "summary_detailed"];
    // The hub's own words have one length, and one language.
    const hasChoice = event["extensions"] !== undefined;
    if (unwanted.some((name) => event[name] !== undefined) || (hasChoice && wanted === "terse" && event["summary_terse"] === undefined))
      this.#violations.words++;
    const isGerman = String(event["summary_normal"]).startsWith("Deutsch: ");
    if (hasChoice && isGerman !== (languages[0] === "de")) this.#violations.language++;
  }

  #checkText(event: Readonly<Record<string, unknown>>, session: string): void {
    const { coalesce_boundaries: boundaries = ["sentence", "completion"] } = this.#terms;
    const hint = event["coalesce_hint"];
    this.#chunks++;
    if (hint === undefined) this.#unfinished++;
    else if (!boundaries.includes(String(hint))) this.#violations.boundary++;
    const key = `${session} ${String(event["output_id"])}`;
    const position = Number(event["position"]);
    const expected = this.#positions.get(key) ?? (this.#joined.has(session) ? position : 0);
    if (expected !== position) this.#violations.text++;
    this.#positions.set(key, position + String(event["chunk"]).length);
    if (event["language"] !== (event["output_id"] === "out_0" ? "en" : "de")) this.#violations.language++;
    this.#textMs.push(Date.now() - Date.parse(String(event["timestamp"])));
  }

  /** Times never go back within a session, and a state begins where the one before ended. */
  #checkOrder(event: Readonly<Record<string, unknown>>, type: string, session: string): void {
    const stamp = String(event["timestamp"]);
    if (stamp < (this.#stamps.get(session) ?? "")) this.#violations.order++;
    this.#stamps.set(session, stamp);
    if (type !== "state.changed") return;
    const { from_state: from, to_state: to } = event;
    const known = this.#states.get(session);
    // Who joins midway is told first where a session stands: a change from a state to itself.
    if (from !== (known ?? (from === to ? to : "idle"))) this.#violations.order++;
    if (from === to) this.#joined.add(session);
    this.#states.set(session, String(to));
  }
}
