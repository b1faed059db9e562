import type { SubscriptionRenegotiate } from "@earshot/protocol";
import type { FeedPage } from "../feed.ts";
import { writeMergedId } from "../shape/merged-id.ts";
import { placeOf, type ResumePoint } from "../shape/resume-point.ts";
import type { Terms } from "../terms.ts";
import { Follower } from "./follower.ts";
import { Forerunner } from "./forerunner.ts";
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

/** How many events go into one write, how many are read at once, and how many when there is hardly room. */
const BATCH = 64;
const PAGE = 256;
const SMALL_PAGE = 16;
const RETRY_MS = 1000;

/**
 * One subscriber's view of the stream: its terms, how far it has come, and the stream that it listens on, if it does. Nothing
 * is kept for it but its place: who is away, slow or behind its rate is read to from the feed later. What is critical does not
 * wait for that.
 */
export class Subscription implements Listening {
  readonly id: string;
  readonly principal: Principal;
  readonly version: string;
  readonly isImplicit: boolean;
  readonly subscriberId: string | undefined;
  readonly #station: Station;
  #terms: Terms;
  #follower: Follower;
  readonly #forerunner: Forerunner;
  #sink: Sink | undefined;
  /** Counts attachments: what was begun for an earlier one is given up. */
  #epoch = 0;
  #isReady = false;
  #isBlocked = false;
  #isReading = false;
  #wasFull = false;
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
    this.#follower = this.#followFrom(facts.after);
    this.#forerunner = new Forerunner({
      station,
      follower: () => this.#follower,
      isOpen: () => this.#isOpen,
      send: () => {
        this.#send();
        station.due(this);
      },
      failed: (error) => this.#failed(error),
    });
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
    return this.#follower.cursor;
  }

  /** Whether its stream was sent everything up to the newest event, as far as it is for it. */
  get hasAll(): boolean {
    return this.#isOpen && this.#follower.place !== undefined && this.#follower.cursor >= this.#station.head();
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
    const place = this.#isReady ? this.#follower.place : undefined;
    if (place !== undefined) this.#sink?.mark?.(writeMergedId(place, place, 0, this.#terms.key, { upTo: place, lanes: [] }));
  }

  /** For the producer to call: rejected, the subscription is to be ended. */
  renegotiate(message: SubscriptionRenegotiate): Negotiation {
    const outcome = renegotiate(message, this.#terms, { version: this.version, offer: this.#station.offer() });
    if (outcome.ok) {
      this.#terms = outcome.terms;
      this.#follower.renegotiate(outcome.terms, this.#station.monotonic());
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
    const at = this.#station.monotonic();
    const isUpToDate = this.#follower.cursor >= from && !page.missed;
    if (!(isUpToDate && this.#follower.hear(page, at))) {
      this.#wasFull ||= isUpToDate;
      this.#forerunner.hear(page, from);
    }
    this.flush();
  }

  /** When `flush` has something to do; undefined when only others can give it something to do. */
  dueAt(): number | undefined {
    if (!this.#isOpen) return undefined;
    const due = this.#follower.dueAt();
    if (this.#retryAt === undefined) return due;
    return due === undefined ? this.#retryAt : Math.min(due, this.#retryAt);
  }

  /** Sends what may go out now, and reads on where there is room. */
  flush(): void {
    this.#send();
    if (this.#isResting()) return;
    if (this.#wantsMore()) void this.#catchUp();
    else this.#forerunner.run();
  }

  /** Whether there is a stream that takes something. */
  get #isOpen(): boolean {
    return this.#sink !== undefined && this.#isReady && !this.#isBlocked;
  }

  async #begin(epoch: number, { lastEventId, joins = false }: AttachOptions): Promise<void> {
    const point = lastEventId === undefined ? undefined : await this.#station.locate(lastEventId);
    if (this.#epoch !== epoch) return;
    if (point !== undefined) {
      this.#follower = this.#followFrom(placeOf(point), point);
    } else if (lastEventId !== undefined) {
      this.#follower = this.#followFrom(this.#station.head());
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

  #followFrom(after: number, resume?: ResumePoint): Follower {
    return new Follower(this.#station.createShaper(this.#terms, this.#station.monotonic(), resume), after, resume?.upTo);
  }

  async #sumUp(): Promise<void> {
    const follower = this.#follower;
    await sumUp(follower, this.#station, () => this.#follower === follower);
  }

  #send(): void {
    const sink = this.#sink;
    if (sink === undefined || !this.#isReady) return;
    const at = this.#station.monotonic();
    while (!this.#isBlocked) {
      const events = this.#follower.take(at, BATCH);
      if (events.length === 0) return;
      if (!sink.send(events)) this.#isBlocked = true;
    }
  }

  #wantsMore(): boolean {
    if (!this.#isOpen || this.#isReading || this.#follower.isFull) return false;
    return this.#follower.cursor < this.#station.position;
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
        const follower = this.#follower;
        const page = await this.#station.read(follower.cursor, this.#wasFull ? SMALL_PAGE : PAGE);
        if (this.#epoch !== epoch || this.#follower !== follower) return;
        const before = follower.cursor;
        if (page.missed) {
          follower.skipTo(this.#station.head());
          await this.#sumUp();
        } else {
          this.#wasFull = !follower.hear(page, this.#station.monotonic());
        }
        this.#isReading = false;
        this.#send();
        if (this.#isResting() || !this.#wantsMore() || follower.cursor === before) return;
        this.#isReading = true;
      }
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#isReading = false;
      if (!this.#isResting()) this.#forerunner.run();
      this.#station.due(this);
    }
  }

  #failed(error: unknown): void {
    this.#retryAt = this.#station.monotonic() + RETRY_MS;
    this.#station.onFailure(error);
    this.#station.due(this);
  }
}
