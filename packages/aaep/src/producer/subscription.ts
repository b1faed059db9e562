import type { SubscriptionRenegotiate } from "@earshot/protocol";
import type { FeedPage } from "../feed.ts";
import type { Shaper } from "../shape/outgoing.ts";
import { PacedShaper } from "../shape/shaper.ts";
import type { Terms } from "../terms.ts";
import { renegotiate } from "./negotiate.ts";
import type { Negotiation, Principal } from "./producer-ports.ts";
import type { Ending, Listening, Sink, Station } from "./subscription-ports.ts";
import { sumUp } from "./sum-up.ts";

interface SubscriptionFacts {
  readonly id: string;
  readonly principal: Principal;
  readonly version: string;
  readonly terms: Terms;
  /** Without a handshake: its replies count whatever id they name. */
  readonly isImplicit: boolean;
  /** Whose it is in its own words; undefined without a handshake. */
  readonly subscriberId: string | undefined;
  readonly after: number;
}

export interface AttachOptions {
  readonly lastEventId?: string | undefined;
  /** Whether what is running is summed up first: not for somebody who has been listening all the time. */
  readonly joins?: boolean;
}

/** How many events go into one write, and how many are read at once. */
const BATCH = 64;
const PAGE = 256;
const RETRY_MS = 1000;

/**
 * One subscriber's view of the feed: its terms, how far it has come, and the stream that it listens on, if it does. As long as
 * that takes something, its shaper hears everything at once; otherwise only its position is kept, and it reads on later.
 */
export class Subscription implements Listening {
  readonly id: string;
  readonly principal: Principal;
  readonly version: string;
  readonly isImplicit: boolean;
  readonly subscriberId: string | undefined;
  readonly #station: Station;
  #terms: Terms;
  #shaper: Shaper;
  /** Everything up to here was heard. */
  #cursor: number;
  #sink: Sink | undefined;
  /** Counts attachments: what was begun for an earlier one is given up. */
  #epoch = 0;
  #isReady = false;
  #isBlocked = false;
  #isReading = false;
  #isEnded = false;
  #joined = false;
  #retryAt: number | undefined;
  #detachedAt: number;

  constructor(station: Station, facts: SubscriptionFacts) {
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

  /** Whether its stream was sent everything up to the newest event, as far as it is for it. */
  get hasAll(): boolean {
    return this.#isOpen && !this.#shaper.isWaiting && this.#cursor >= this.#station.head();
  }

  /** Since when nobody listens; undefined while somebody does. */
  get detachedAt(): number | undefined {
    return this.#sink === undefined ? this.#detachedAt : undefined;
  }

  /** Whether it can answer something, or could if somebody listened. */
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
   * Delivers to this stream from now on, and no longer to the one before. Nothing is sent before this turn of the event loop is
   * over, so that an answer can go first.
   */
  attach(sink: Sink, options: AttachOptions = {}): void {
    const former = this.#sink;
    this.#sink = sink;
    this.#isReady = false;
    this.#isBlocked = false;
    const epoch = ++this.#epoch;
    former?.end("superseded");
    this.#station.moved(this);
    this.#begin(epoch, options).catch((error: unknown) => this.#station.onFailure(error));
  }

  detach(sink: Sink): void {
    if (this.#sink !== sink) return;
    this.#sink = undefined;
    this.#epoch++;
    this.#isReady = false;
    this.#detachedAt = this.#station.monotonic();
    this.#station.moved(this);
  }

  drained(sink: Sink): void {
    if (this.#sink !== sink || !this.#isBlocked) return;
    this.#isBlocked = false;
    this.flush();
    this.#station.due(this);
  }

  /**
   * Tells the stream where it could resume, if nothing waits: at its beginning, before there is an event with an id, and now and
   * then while the filter lets nothing through.
   */
  mark(): void {
    const id = this.#isReady && !this.#shaper.isWaiting ? this.#station.idAt(this.#cursor) : undefined;
    if (id !== undefined) this.#sink?.mark?.(id);
  }

  /** For the producer to call: rejected, the subscription is to be ended. */
  renegotiate(message: SubscriptionRenegotiate): Negotiation {
    const outcome = renegotiate(message, this.#terms, { version: this.version, offer: this.#station.offer() });
    if (outcome.ok) {
      this.#terms = outcome.terms;
      this.#shaper.renegotiate(outcome.terms, this.#station.monotonic());
      this.#station.moved(this);
    }
    return outcome;
  }

  /** For good. Its stream hears why. */
  end(why: Ending): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const sink = this.#sink;
    this.#sink = undefined;
    this.#epoch++;
    sink?.end(why);
  }

  /** What was read for all who are up to date; `from` is where it was read from. */
  offer(page: FeedPage, from: number): void {
    if (this.#sink === undefined || !this.#isReady) return;
    if (this.#isOpen && this.#cursor >= from && !page.missed) this.#hear(page);
    this.flush();
  }

  /** When `flush` has something to do; undefined when only others can give it something to do. */
  dueAt(): number | undefined {
    if (!this.#isOpen) return undefined;
    const due = this.#shaper.dueAt();
    if (this.#retryAt === undefined) return due;
    return due === undefined ? this.#retryAt : Math.min(due, this.#retryAt);
  }

  /** Sends what may go out now, and reads on where there is room. */
  flush(): void {
    this.#send();
    if (!this.#isResting() && this.#wantsMore()) void this.#catchUp();
  }

  /** Whether there is a stream that takes something. */
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
    await sumUp(shaper, this.#cursor, this.#station, () => this.#shaper === shaper);
  }

  #hear({ heard, upTo }: FeedPage): void {
    const at = this.#station.monotonic();
    for (const one of heard) if (one.position > this.#cursor) this.#shaper.hear(one, at);
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

  /** Whether reading failed a moment ago, and is not tried again yet. */
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
          this.#hear(page);
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
