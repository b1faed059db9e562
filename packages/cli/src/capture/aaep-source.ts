import { type Connector, type Resume, Subscriber, type SubscriberClock, type Trouble, trustKeys } from "@earshot/aaep";
import { isObject, type JsonObject, memberText } from "@earshot/protocol";
import { type Batch, type Earlier, LONGEST_PAUSE_MS, type Source, type SourceNews, toCaptureRequest } from "./source.ts";

export interface AaepSourceOptions {
  readonly name: string;
  readonly connector: Connector;
  /** Public keys as JWK: only a producer whose manifest one of them has signed is listened to. */
  readonly keys: readonly object[];
  readonly clock: SubscriberClock;
}

const BATCH = 200;
/** Never asks for less: who cannot keep up makes the producer wait, since what is recorded is what was said. */
const NEVER = { high: Number.POSITIVE_INFINITY, low: 0, calmMs: 30_000, pauseMs: 5000 };

/** An AAEP producer over server-sent events, a WebSocket or a local socket. It keeps no history: a capture begins with what is said next. */
export class AaepSource implements Source {
  readonly kind = "aaep";
  readonly name: string;
  readonly #options: AaepSourceOptions;
  #subscriber: Subscriber | undefined;

  constructor(options: AaepSourceOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** Also where nothing was said for a while. A plain value. */
  get place(): JsonObject | undefined {
    return this.#subscriber?.resume as JsonObject | undefined;
  }

  async *hear(from: Earlier | undefined, news: SourceNews, signal: AbortSignal): AsyncGenerator<Batch> {
    const { connector, keys, clock } = this.#options;
    const link = new Link(news);
    /** What has no usable id is said all the same, and a recording shows it. */
    let odd: string[] = [];
    const onTrouble = (trouble: Trouble) => {
      if (trouble.kind === "malformed" || trouble.kind === "conflict") odd.push(trouble.text);
      else if (trouble.kind === "cut") link.cut(trouble.message);
      else if (trouble.kind === "missed" && subscriber.resume.lastEventId === undefined) news.note(trouble.message);
    };
    await using subscriber: Subscriber = new Subscriber({
      connector,
      request: toCaptureRequest({ isSigned: keys.length > 0 }),
      clock,
      resume: readResume(from),
      isPatient: from !== undefined,
      verify: keys.length > 0 ? trustKeys(keys) : undefined,
      onTrouble,
      onState: (state) => {
        if (state === "open") link.open();
      },
      limits: { overload: NEVER, longestRetryMs: LONGEST_PAUSE_MS },
    });
    this.#subscriber = subscriber;
    const stop = () => void subscriber.close();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) return;
    const settle = () => {
      subscriber.dealtWith();
      return this.place;
    };
    try {
      await subscriber.opened;
      yield { texts: [], settle, isCaughtUp: true }; // a subscription that is kept can be gone on with before the first event
      for (;;) {
        const taken = await subscriber.take(BATCH);
        if (taken === undefined) return;
        const texts = [...odd, ...taken.map(({ text }) => text)];
        odd = [];
        yield { texts, settle };
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
}

/** A cut is told once, however often it is tried to come back. */
class Link {
  readonly #news: SourceNews;
  #isCut = false;

  constructor(news: SourceNews) {
    this.#news = news;
  }

  cut(why: string): void {
    if (!this.#isCut) this.#news.cut(why);
    this.#isCut = true;
  }

  open(): void {
    if (this.#isCut) this.#news.back();
    this.#isCut = false;
  }
}

/**
 * Where an earlier capture says that it stopped. One that was killed before it could say so goes on after its first event: the
 * producer says the others again, and they are known.
 */
function readResume(from: Earlier | undefined): Resume | undefined {
  if (from === undefined) return undefined;
  const { accepted, lastEventId } = from.resume ?? {};
  const first = from.first === undefined ? undefined : memberText(from.first, "event_id")?.slice(1, -1);
  const after = typeof lastEventId === "string" ? lastEventId : first;
  return {
    ...(isObject(accepted) && typeof accepted["subscription_id"] === "string"
      ? { accepted: accepted as unknown as Resume["accepted"] }
      : {}),
    ...(after === undefined ? {} : { lastEventId: after }),
  };
}
