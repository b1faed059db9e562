import type { SubscriptionRenegotiate } from "@earshot/protocol";
import type { FeedPage } from "../feed.ts";
import type { Shaper } from "../shape/outgoing.ts";
import { PacedShaper } from "../shape/shaper.ts";
import type { Terms } from "../terms.ts";
import { renegotiate } from "./negotiate.ts";
import type { Negotiation, Principal } from "./producer-ports.ts";
import { sendSessionSummaries } from "./send-session-summaries.ts";
import type { ProducerServices, ScheduledSubscription, SubscriptionEnding, SubscriptionSink } from "./subscription-ports.ts";

interface SubscriptionFacts {
  readonly id: string;
  readonly principal: Principal;
  readonly version: string;
  readonly terms: Terms;
  /** Without a handshake: its replies take effect whatever id they name. */
  readonly isImplicit: boolean;
  /** The subscriber's own id; undefined without a handshake. */
  readonly subscriberId: string | undefined;
  readonly after: number;
}

export interface AttachOptions {
  readonly lastEventId?: string | undefined;
  /** Whether running sessions are summarized first; not for a continuous listener. */
  readonly joins?: boolean;
}

/** Events per write and per read. */
const BATCH = 64;
const PAGE = 256;
const RETRY_MS = 1000;

/**
 * One subscriber's view of the feed: its terms, its position, and its stream, if any. While the stream accepts data, the shaper gets all
 * events at once; otherwise only the position is kept, and reading continues later.
 */
export class Subscription implements ScheduledSubscription {
  readonly id: string;
  readonly principal: Principal;
  readonly version: string;
  readonly isImplicit: boolean;
  readonly subscriberId: string | undefined;
  readonly #station: ProducerServices;
  #terms: Terms;
  #shaper: Shaper;
  /** Everything up to this position was processed. */
  #cursor: number;
  #sink: SubscriptionSink | undefined;
  /** Counts attachments, so that work for an earlier one is abandoned. */
  #epoch = 0;
  #isReady = false;
  #isBlocked = false;
  #isReading = false;
  #isEnded = false;
  #joined = false;
  #retryAt: number | undefined;
  #detachedAt: number;

  constructor(station: ProducerServices, facts: SubscriptionFacts) {
    this.#station = station;
    this.id = facts.id;
    this.principal = facts.principal;
    this.version = facts.version;
    this.isImplicit = facts.isImplicit;
    this.subscriberId = facts.subscriberId;
    this.#terms = facts.terms;
    this.#shaper = new PacedShaper(facts.terms, station.monotonic());
    this.#cursor = facts.after;
    this.#detachedAt = station.monotonic();
  }

  get terms(): Terms {
    return this.#terms;
  }

  get isAttached(): boolean {
    return this.#sink !== undefined;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  get cursor(): number {
    return this.#cursor;
  }

  /** Whether its stream was sent everything it should get so far. */
  get hasAll(): boolean {
    return this.#isOpen && !this.#shaper.isWaiting && this.#cursor >= this.#station.head();
  }

  /** Since when there is no listener; undefined while there is one. */
  get detachedAt(): number | undefined {
    return this.#sink === undefined ? this.#detachedAt : undefined;
  }

  /** Whether it can answer questions, or could with a listener. */
  get couldAnswer(): boolean {
    const { answersConfirmations, answersClarifications } = this.#terms;
    return this.principal.mayReply && (this.isImplicit || answersConfirmations || answersClarifications);
  }

  get answersConfirmations(): boolean {
    return this.isAttached && this.principal.mayReply && (this.isImplicit || this.#terms.answersConfirmations);
  }

  get answersClarifications(): boolean {
    return this.isAttached && this.principal.mayReply && (this.isImplicit || this.#terms.answersClarifications);
  }

  /**
   * Delivers to this stream from now on instead of the previous one. Nothing is sent in this turn of the event loop, so that an answer
   * can go first.
   */
  attach(sink: SubscriptionSink, options: AttachOptions = {}): void {
    const former = this.#sink;
    this.#sink = sink;
    this.#isReady = false;
    this.#isBlocked = false;
    const epoch = ++this.#epoch;
    former?.end("superseded");
    this.#station.moved(this);
    this.#begin(epoch, options).catch((error: unknown) => this.#station.onFailure(error));
  }

  detach(sink: SubscriptionSink): void {
    if (this.#sink !== sink) return;
    this.#sink = undefined;
    this.#epoch++;
    this.#isReady = false;
    this.#detachedAt = this.#station.monotonic();
    this.#station.moved(this);
  }

  drained(sink: SubscriptionSink): void {
    if (this.#sink !== sink || !this.#isBlocked) return;
    this.#isBlocked = false;
    this.flush();
    this.#station.due(this);
  }

  /**
   * Sends the resume point if nothing waits: at the beginning, before there is an event with an id, and at times while the filter passes
   * nothing.
   */
  mark(): void {
    const id = this.#isReady && !this.#shaper.isWaiting ? this.#station.idAt(this.#cursor) : undefined;
    if (id !== undefined) this.#sink?.mark?.(id);
  }

  /** Called by the producer; if rejected, the subscription must be ended. */
  renegotiate(message: SubscriptionRenegotiate): Negotiation {
    const outcome = renegotiate(message, this.#terms, { version: this.version, offer: this.#station.offer() });
    if (outcome.ok) {
      this.#terms = outcome.terms;
      this.#shaper.renegotiate(outcome.terms, this.#station.monotonic());
      this.#station.moved(this);
    }
    return outcome;
  }

  /** Ends it for good and informs its stream. */
  end(why: SubscriptionEnding): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const sink = this.#sink;
    this.#sink = undefined;
    this.#epoch++;
    sink?.end(why);
  }

  /** Offers a page read for all that are up to date, starting at `from`. */
  offer(page: FeedPage, from: number): void {
    if (this.#sink === undefined || !this.#isReady) return;
    if (this.#isOpen && this.#cursor >= from && !page.missed) this.#handle(page);
    this.flush();
  }

  /** When `flush` has work to do; undefined if only other events can cause some. */
  dueAt(): number | undefined {
    if (!this.#isOpen) return undefined;
    const due = this.#shaper.dueAt();
    if (this.#retryAt === undefined) return due;
    return due === undefined ? this.#retryAt : Math.min(due, this.#retryAt);
  }

  /** Sends what is due, and reads on if there is room. */
  flush(): void {
    this.#send();
    if (!this.#isResting() && this.#wantsMore()) void this.#catchUp();
  }

  /** Whether there is a stream that accepts data. */
  get #isOpen(): boolean {
    return this.#sink !== undefined && this.#isReady && !this.#isBlocked;
  }

  async #begin(epoch: number, { lastEventId, joins = false }: AttachOptions): Promise<void> {
    const position = lastEventId === undefined ? undefined : await this.#station.find(lastEventId);
    if (this.#epoch !== epoch) return;
    if (position !== undefined) {
      this.#startAfter(position);
    } else if (lastEventId !== undefined) {
      this.#startAfter(this.#station.head());
      await this.#sumUp();
    } else if (joins && !this.#joined) {
      await this.#sumUp();
    } else {
      await null; // never in the turn of the event loop in which it was attached
    }
    if (this.#epoch !== epoch) return;
    this.#joined = true;
    this.#isReady = true;
    this.mark();
    this.flush();
    this.#station.due(this);
  }

  #startAfter(position: number): void {
    this.#shaper = new PacedShaper(this.#terms, this.#station.monotonic());
    this.#cursor = position;
  }

  async #sumUp(): Promise<void> {
    const shaper = this.#shaper;
    await sendSessionSummaries(shaper, this.#cursor, this.#station, () => this.#shaper === shaper);
  }

  #handle({ heard, upTo }: FeedPage): void {
    const at = this.#station.monotonic();
    for (const one of heard) if (one.position > this.#cursor) this.#shaper.handle(one, at);
    this.#cursor = Math.max(this.#cursor, upTo);
  }

  #send(): void {
    const sink = this.#sink;
    if (sink === undefined || !this.#isReady) return;
    const at = this.#station.monotonic();
    while (!this.#isBlocked) {
      const events = this.#shaper.take(at, BATCH);
      if (events.length === 0) return;
      if (!sink.send(events)) this.#isBlocked = true;
    }
  }

  #wantsMore(): boolean {
    return this.#isOpen && !this.#isReading && this.#cursor < this.#station.position;
  }

  /** Whether a read just failed and is not retried yet. */
  #isResting(): boolean {
    if (this.#retryAt !== undefined && this.#station.monotonic() >= this.#retryAt) this.#retryAt = undefined;
    return this.#retryAt !== undefined;
  }

  async #catchUp(): Promise<void> {
    const epoch = this.#epoch;
    this.#isReading = true;
    try {
      while (this.#epoch === epoch) {
        const before = this.#cursor;
        const page = await this.#station.read(before, PAGE);
        if (this.#epoch !== epoch) return;
        if (page.missed) {
          this.#cursor = Math.max(before, this.#station.head());
          await this.#sumUp();
        } else {
          this.#handle(page);
        }
        this.#isReading = false;
        this.#send();
        if (this.#isResting() || !this.#wantsMore() || this.#cursor === before) return;
        this.#isReading = true;
      }
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#isReading = false;
      this.#station.due(this);
    }
  }

  #failed(error: unknown): void {
    this.#retryAt = this.#station.monotonic() + RETRY_MS;
    this.#station.onFailure(error);
    this.#station.due(this);
  }
}
