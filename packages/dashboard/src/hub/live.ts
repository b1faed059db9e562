import { type ReconnectOptions, reconnect } from "@earshot/announcer";
import type { Alert, NewsList, RequestNews } from "@earshot/hub";
import { type SseParsedMessage, SseParser } from "@earshot/protocol/sse";
import { fetchAsDevice, HubProblem, requestAsDevice } from "./request-as-device.ts";

/** An entry of the ledger as sent by `GET /api/live`. */
export interface LiveEntry {
  readonly position: number;
  readonly receivedAt: string;
  readonly protocol: "aaep" | "aep" | "aop";
  readonly source: string;
  /** Whether the producer is authenticated. Any local process can send an event without that. */
  readonly verified: boolean;
  readonly session: string;
  readonly kind: string;
  readonly agent: string;
  readonly type: string;
  readonly event: Readonly<Record<string, unknown>>;
}

/**
 * `live`: every tab receives events from the hub. `away`: the connection is lost and being retried. `forbidden`: this browser is no
 * longer admitted.
 */
export type LiveState = "connecting" | "live" | "away" | "forbidden";

/** An update for all tabs, sent at most ten times a second. */
export interface LiveUpdateOfHub {
  readonly state: LiveState;
  /** Everything up to this position was received. */
  readonly position: number;
  /** Entries recorded since the last update; if there were too many, the newest ones and the number left out. */
  readonly entries: readonly LiveEntry[];
  readonly leftOut: number;
  readonly alerts: readonly Alert[];
  /** Changes of requests: created, decided, extended … */
  readonly requests: readonly RequestNews[];
  /** The hub has restarted, or entries were missed: all displayed data must be read again. */
  readonly again: boolean;
}

type Listener = (news: LiveUpdateOfHub) => void;

const CHANNEL = "earshot-live";
const LOCK = "earshot-live";
const TELL_EVERY_MS = 100;
const MAX_ENTRIES = 200;
const POLL_MS = 25_000;

/**
 * One stream for all tabs of this browser: the tab that holds the lock reads it and broadcasts to the others. When that tab closes, the
 * next one continues at its position, without duplicates or gaps. Browsers open at most six connections to one origin; without sharing,
 * the seventh tab would hang.
 */
export class LiveHub {
  readonly #channel = new BroadcastChannel(CHANNEL);
  readonly #listeners = new Set<Listener>();
  readonly #stop = new AbortController();
  #leads = false;
  #state: LiveState = "connecting";
  #position: number | undefined;
  #newsAfter: number | undefined;
  #pending: { entries: LiveEntry[]; leftOut: number; alerts: Alert[]; requests: RequestNews[]; again: boolean } = empty();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#channel.onmessage = ({ data }: MessageEvent<LiveUpdateOfHub | "who">) => {
      if (data === "who") {
        if (this.#leads) this.#report(true);
        return;
      }
      if (this.#leads) return;
      this.#state = data.state;
      this.#position = Math.max(this.#position ?? 0, data.position);
      for (const news of data.requests) this.#newsAfter = Math.max(this.#newsAfter ?? 0, news.number);
      this.#handle(data);
    };
    this.#channel.postMessage("who");
    const lead = () => this.#lead();
    void navigator.locks.request(LOCK, { signal: this.#stop.signal }, lead).catch(() => {}); // told to stop
  }

  get state(): LiveState {
    return this.#state;
  }

  get position(): number {
    return this.#position ?? 0;
  }

  /** Returns the function that stops it. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#stop.abort();
    this.#channel.close();
    clearTimeout(this.#timer);
  }

  async #lead(): Promise<void> {
    this.#leads = true;
    await Promise.all([this.#follow(), this.#poll()]);
  }

  async #follow(): Promise<void> {
    const connect = () => this.#frames();
    const onGone = () => {
      this.#pending.again = true; // alerts are not repeated
    };
    for await (const { event, id, data } of reconnect(connect, this.#persistence(onGone))) this.#take(event, id, data);
  }

  async *#frames(): AsyncGenerator<SseParsedMessage> {
    const from = this.#position === undefined ? "now" : String(this.#position);
    const response = await fetchAsDevice("GET", `/api/live?alerts=1&after=${from}`, undefined, this.#stop.signal, "text/event-stream");
    if (response.body === null) throw new HubProblem(0, { code: "HUB_UNREACHABLE", message: "The hub sent an empty response." });
    this.#become("live");
    const decoder = new TextDecoder();
    const frames = new SseParser();
    try {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
        yield* frames.feed(decoder.decode(chunk, { stream: true }));
    } catch {
      // The stream was ended by the network, or by the hub because its ticket expired. Reconnecting shows which.
    }
  }

  #take(event: string, id: string, data: string): void {
    if (event === "alert") this.#pending.alerts.push(JSON.parse(data) as Alert);
    else {
      if (/^\d{1,16}$/.test(id)) this.#position = Number(id);
      if (event === "message" && data !== "") {
        const { entries } = this.#pending;
        entries.push(JSON.parse(data) as LiveEntry);
        if (entries.length > MAX_ENTRIES) {
          entries.shift();
          this.#pending.leftOut++;
        }
      }
    }
    this.#tellSoon();
  }

  /** Polls for news that is not in the ledger: half-time, last call, presence. */
  async #poll(): Promise<void> {
    const { signal } = this.#stop;
    const poll = async function* (this: LiveHub): AsyncGenerator<NewsList> {
      while (!signal.aborted) {
        const query = this.#newsAfter === undefined ? "wait=0" : `after=${this.#newsAfter}&wait=${POLL_MS}`;
        yield await requestAsDevice<NewsList>("GET", `/api/requests/news?${query}`, undefined, signal);
      }
    };
    for await (const { news, next, missed } of reconnect(poll.bind(this), this.#persistence())) {
      const after = this.#newsAfter;
      const isAnother = after !== undefined && next < after; // counts from the beginning: the hub was started anew
      this.#newsAfter = next;
      if (after !== undefined) this.#pending.requests.push(...news);
      if (missed || isAnother) this.#pending.again = true;
      if (news.length > 0 || missed || isAnother) this.#tellSoon();
    }
  }

  /** Never gives up: this browser may be admitted again. */
  #persistence(onGone: () => void = () => {}): ReconnectOptions {
    const isPermanent = (error: unknown) => {
      if (this.#state === "live") this.#pending.again = true;
      this.#become(error instanceof HubProblem && error.isForbidden ? "forbidden" : "away");
      return false;
    };
    return { signal: this.#stop.signal, onGone, onBack: () => {}, isPermanent };
  }

  #become(state: LiveState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#report(false);
  }

  #tellSoon(): void {
    this.#timer ??= setTimeout(() => this.#report(false), TELL_EVERY_MS);
  }

  #report(again: boolean): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { entries, leftOut, alerts, requests, again: missed } = this.#pending;
    this.#pending = empty();
    const news: LiveUpdateOfHub = {
      state: this.#state,
      position: this.position,
      entries,
      leftOut,
      alerts,
      requests,
      again: missed || again,
    };
    this.#channel.postMessage(news);
    this.#handle(news);
  }

  #handle(news: LiveUpdateOfHub): void {
    for (const listener of this.#listeners) listener(news);
  }
}

function empty(): { entries: LiveEntry[]; leftOut: number; alerts: Alert[]; requests: RequestNews[]; again: boolean } {
  return { entries: [], leftOut: 0, alerts: [], requests: [], again: false };
}
