import { setTimeout as pause } from "node:timers/promises";
import { reconnect } from "@earshot/aaep/reconnect";
import { memberText } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";
import type { SseParsedMessage } from "@earshot/protocol/sse";
import type { AopCollector } from "./aop-collector.ts";
import type { CapturedBatch, CaptureSource, SourceNews } from "./source.ts";

export interface AopSourceOptions {
  readonly name: string;
  readonly collector: AopCollector;
  readonly session: string | undefined;
  readonly begin: "start" | "now";
  /** The start of the capture: with `now`, older events are not fetched. */
  readonly startedAtMs: number;
  readonly follows: boolean;
}

/** A collector greets at once. Others may not, and are not awaited. */
const GREETING_MS = 1000;

/**
 * An AOP collector: its stream, and after each lost connection its sessions, because a stream begins with new events. A stream with ids,
 * such as the hub's, is resumed instead.
 */
export class AopSource implements CaptureSource {
  readonly name: string;
  readonly #options: AopSourceOptions;
  /** The resume point; undefined for a stream without ids. */
  #lastId: string | undefined;
  #hasBegun = false;

  constructor(options: AopSourceOptions) {
    this.name = options.name;
    this.#options = options;
  }

  async *read(news: SourceNews, signal: AbortSignal): AsyncGenerator<CapturedBatch> {
    try {
      for await (const batch of reconnect(() => this.#stream(news, signal), { signal, onGone: news.cut, onBack: news.back })) {
        yield batch;
        if (batch.isCaughtUp === true && !this.#options.follows) return;
      }
    } catch (error) {
      throw error instanceof TypeError
        ? new EarshotError({ code: "PRODUCER_UNREACHABLE", message: `${this.name} does not answer.` }, { cause: error })
        : error;
    }
  }

  /** One connection, after the events missed meanwhile. */
  async *#stream(news: SourceNews, signal: AbortSignal): AsyncGenerator<CapturedBatch> {
    const stop = new AbortController();
    const connection = AbortSignal.any([signal, stop.signal]);
    try {
      const hadBegun = this.#hasBegun;
      const isFromStart = !hadBegun && this.#options.begin === "start";
      const messages = await this.#open(isFromStart, news, connection);
      this.#hasBegun = true;
      yield { texts: [] }; // from now on a cut is mended
      const opening = messages.next();
      const greeting = await greetingOf(opening);
      // The hub begins exactly where requested, and says so. Other collectors begin with new events.
      const resumes = greeting !== "" && (hadBegun ? this.#lastId !== undefined : !isFromStart || greeting === "0");
      if (!resumes) {
        if (hadBegun || isFromStart) yield* this.#missed(news, connection);
        yield { texts: [], isCaughtUp: true };
      }
      for (let next = await opening; next.done !== true; next = await messages.next()) {
        const { data, id } = next.value;
        const text = data === "" ? undefined : toEvent(data);
        if (id !== "") this.#lastId = id;
        // A position without data marks the end of the history.
        yield { texts: text === undefined ? [] : [text], isCaughtUp: data === "" };
      }
    } finally {
      stop.abort();
    }
  }

  async #open(isFromStart: boolean, news: SourceNews, signal: AbortSignal): Promise<AsyncGenerator<SseParsedMessage>> {
    const { collector, session } = this.#options;
    const query = { ...(isFromStart ? { after: "0" } : {}), ...(session === undefined ? {} : { session }) };
    try {
      return await collector.open({ query, lastEventId: this.#lastId, signal });
    } catch (error) {
      if (this.#lastId === undefined || !EarshotError.is(error) || error.problem.code !== "WRONG_QUERY") throw error;
      // A different collector: its sessions are read instead.
      this.#lastId = undefined;
      news.note("The collector does not know where the capture stopped: it was looked through from the beginning.");
      return collector.open({ query, lastEventId: undefined, signal });
    }
  }

  async *#missed(news: SourceNews, signal: AbortSignal): AsyncGenerator<CapturedBatch> {
    const { collector, session, begin, startedAtMs } = this.#options;
    const isOld = (text: string) => begin === "now" && Date.parse((memberText(text, "timestamp") ?? "").slice(1, -1)) < startedAtMs;
    for (let before: string | undefined, isMore = true; isMore; ) {
      const list = session === undefined ? await collector.list(before, signal) : { sessions: [session], next: undefined };
      if (collector.isCutOff(list)) news.note("The collector lists its newest sessions only: what older ones said before may be missing.");
      for (const id of list.sessions)
        for await (const texts of collector.read(id, signal)) yield { texts: texts.filter((text) => !isOld(text)) };
      before = list.next;
      isMore = before !== undefined;
    }
  }
}

/** The position a collector announces; empty if there is none in time. */
async function greetingOf(opening: Promise<IteratorResult<SseParsedMessage>>): Promise<string> {
  const late = new AbortController();
  const nothing = pause(GREETING_MS, undefined, { signal: late.signal }).catch(() => undefined); // aborted when it greets
  const first = await Promise.race([opening, nothing]).finally(() => late.abort());
  return first?.done === false ? first.value.id : "";
}

/** Wrapped, as the official collector sends it, or bare, as documented. Greetings and alerts are no events. */
function toEvent(data: string): string | undefined {
  const kind = memberText(data, "kind");
  if (kind === '"event"') return memberText(data, "data");
  return kind === undefined && memberText(data, "spec") !== undefined ? data : undefined;
}
