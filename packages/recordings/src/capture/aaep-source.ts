import { type Connector, Subscriber, type SubscriberClock, type SubscriptionProblem, trustKeys } from "@earshot/aaep";
import { type CapturedBatch, type CaptureSource, type SourceNews, toCaptureRequest } from "./source.ts";

export interface AaepSourceOptions {
  readonly name: string;
  readonly connector: Connector;
  /** Public JWKs: only a producer whose manifest one of them signed is accepted. */
  readonly keys: readonly object[];
  readonly clock: SubscriberClock;
}

const BATCH = 200;
const LONGEST_RETRY_MS = 5000;
/** A full queue makes the producer wait, because a recording must be complete. */
const NEVER_REDUCE = { high: Number.POSITIVE_INFINITY, low: 0, calmMs: 30_000, pauseMs: 5000 };

/** An AAEP producer over server-sent events, a WebSocket or a local socket. It keeps no history: only new events are captured. */
export function openAaepSource({ name, connector, keys, clock }: AaepSourceOptions): CaptureSource {
  async function* read(news: SourceNews, signal: AbortSignal): AsyncGenerator<CapturedBatch> {
    let isCut = false;
    /** Events without a usable id: they were sent, so a recording includes them. */
    let odd: string[] = [];
    const onTrouble = (trouble: SubscriptionProblem) => {
      if (trouble.kind === "malformed" || trouble.kind === "conflict") odd.push(trouble.text);
      else if (trouble.kind === "missed" && subscriber.resume.lastEventId === undefined) news.note(trouble.message);
      else if (trouble.kind === "cut") {
        if (!isCut) news.cut(trouble.message);
        isCut = true;
      }
    };
    await using subscriber: Subscriber = new Subscriber({
      connector,
      request: toCaptureRequest({ isSigned: keys.length > 0 }),
      clock,
      verify: keys.length > 0 ? trustKeys(keys) : undefined,
      onTrouble,
      onState: (state) => {
        if (state !== "open") return;
        if (isCut) news.back();
        isCut = false;
      },
      limits: { overload: NEVER_REDUCE, longestRetryMs: LONGEST_RETRY_MS },
    });
    const stop = () => void subscriber.close();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) return;
    try {
      await subscriber.opened;
      yield { texts: [], isCaughtUp: true };
      for (;;) {
        const taken = await subscriber.take(BATCH);
        if (taken === undefined) return;
        const texts = [...odd, ...taken.map(({ text }) => text)];
        odd = [];
        yield { texts, isCaughtUp: true };
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
  return { name, read };
}
