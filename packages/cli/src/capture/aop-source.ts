import { setTimeout as pause } from "node:timers/promises";
import { type JsonObject, memberText, PROBLEMS } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";
import type { SseMessage } from "@earshot/protocol/sse";
import type { AopCollector } from "./aop-collector.ts";
import { type Batch, type Earlier, FIRST_PAUSE_MS, LONGEST_PAUSE_MS, type Source, type SourceNews } from "./source.ts";

export interface AopSourceOptions {
  readonly name: string;
  readonly collector: AopCollector;
  readonly session: string | undefined;
  readonly begin: "start" | "now";
  /** When the capture was started first: with `now`, what is older is not fetched. */
  readonly startedAt: string;
  readonly follows: boolean;
}

/** A collector greets at once. One that does not may be another one, and is not waited for. */
const GREETING_MS = 1000;

/**
 * An AOP collector: its stream, and after each cut what its sessions hold, since a stream begins with now. Where the stream has
 * ids, as ours has, it is resumed by them instead. What comes twice is left out by whoever writes.
 */
export class AopSource implements Source {
  readonly kind = "aop";
  readonly name: string;
  readonly #options: AopSourceOptions;

  constructor(options: AopSourceOptions) {
    this.name = options.name;
    this.#options = options;
  }

  async *hear(from: Earlier | undefined, news: SourceNews, signal: AbortSignal): AsyncGenerator<Batch> {
    const state: StreamState = { lastId: readId(from?.resume), hasBegun: from !== undefined };
    let pauseMs = FIRST_PAUSE_MS;
    let isGone = false;
    while (!signal.aborted) {
      const stop = new AbortController();
      let why = "The connection ended.";
      try {
        const batches = this.#stream(state, news, AbortSignal.any([signal, stop.signal]));
        for await (const batch of batches) {
          if (isGone) news.back();
          isGone = false;
          pauseMs = FIRST_PAUSE_MS;
          yield batch;
          if (batch.isCaughtUp === true && !this.#options.follows) return;
        }
      } catch (error) {
        if (signal.aborted) return;
        if (isUnknownPlace(error) && state.lastId !== undefined) {
          // Another collector than before: whatever its sessions hold is looked through.
          state.lastId = undefined;
          news.note("The collector does not know where the capture stopped: it was looked through from the beginning.");
        } else if (!canMend(error) || !state.hasBegun) throw toProblem(error, this.name);
        why = error instanceof Error ? error.message : why;
      } finally {
        stop.abort();
      }
      if (signal.aborted) return;
      if (!isGone) news.cut(why);
      isGone = true;
      await pause(pauseMs, undefined, { signal }).catch(() => {}); // woken by the signal, which is looked at next
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }

  /** One connection, and before what it says whatever was said while there was none. */
  async *#stream(state: StreamState, news: SourceNews, signal: AbortSignal): AsyncGenerator<Batch> {
    const { collector, session, begin } = this.#options;
    const { lastId, hasBegun } = state;
    const isFromStart = !hasBegun && begin === "start";
    const messages = await collector.open({
      query: { ...(isFromStart ? { after: "0" } : {}), ...(session === undefined ? {} : { session }) },
      lastEventId: lastId,
      signal,
    });
    state.hasBegun = true;
    const opening = messages.next();
    const greeting = await greetingOf(opening);
    // Ours goes on exactly where it is asked to, and says so. Others begin with now.
    const goesOn = greeting !== "" && (hasBegun ? lastId !== undefined : !isFromStart || greeting === "0");
    if (!goesOn) {
      if (hasBegun || isFromStart) yield* this.#missed(news, signal);
      yield { texts: [], settle: () => resumeOf(state), isCaughtUp: true };
    }
    for (let next = await opening; next.done !== true; next = await messages.next()) {
      const { data, id } = next.value;
      const text = data === "" ? undefined : toEvent(data);
      if (id !== "") state.lastId = id;
      const resume = resumeOf(state);
      // After what there was comes how far that is, and nothing else.
      yield { texts: text === undefined ? [] : [text], settle: () => resume, isCaughtUp: data === "" };
    }
  }

  async *#missed(news: SourceNews, signal: AbortSignal): AsyncGenerator<Batch> {
    const { collector, session, begin, startedAt } = this.#options;
    const start = Date.parse(startedAt);
    const isOld = (text: string) => begin === "now" && Date.parse((memberText(text, "timestamp") ?? "").slice(1, -1)) < start;
    const nothing = () => undefined;
    for (let before: string | undefined, isMore = true; isMore; ) {
      const list = session === undefined ? await collector.list(before, signal) : { sessions: [session], next: undefined };
      if (collector.isCutOff(list)) news.note("The collector lists its newest sessions only: what older ones said before may be missing.");
      for (const id of list.sessions)
        for await (const texts of collector.read(id, signal)) yield { texts: texts.filter((text) => !isOld(text)), settle: nothing };
      before = list.next;
      isMore = before !== undefined;
    }
  }
}

interface StreamState {
  /** Where the stream can be resumed; undefined where it has no ids. */
  lastId: string | undefined;
  /** There was a connection, in this capture or in an earlier one. */
  hasBegun: boolean;
}

/** The place that a collector says it begins at; empty where it says none, or nothing for a while. */
async function greetingOf(opening: Promise<IteratorResult<SseMessage>>): Promise<string> {
  const late = new AbortController();
  const nothing = pause(GREETING_MS, undefined, { signal: late.signal }).catch(() => undefined); // called off, where it spoke
  const first = await Promise.race([opening, nothing]).finally(() => late.abort());
  return first?.done === false ? first.value.id : "";
}

/** Wrapped, as the official collector sends it, or bare, as its documents show it. Its greeting and its alerts are no events. */
function toEvent(data: string): string | undefined {
  const kind = memberText(data, "kind");
  if (kind === '"event"') return memberText(data, "data");
  return kind === undefined && memberText(data, "spec") !== undefined ? data : undefined;
}

function resumeOf({ lastId }: StreamState): JsonObject {
  return lastId === undefined ? {} : { lastEventId: lastId };
}

function readId(resume: JsonObject | undefined): string | undefined {
  const id = resume?.["lastEventId"];
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** A collector that is away or crowded may be back soon. `fetch` fails with a TypeError when a connection breaks. */
function canMend(error: unknown): boolean {
  return EarshotError.is(error) ? PROBLEMS[error.problem.code].retryable : error instanceof TypeError;
}

function isUnknownPlace(error: unknown): boolean {
  return EarshotError.is(error) && error.problem.code === "WRONG_QUERY";
}

function toProblem(error: unknown, name: string): unknown {
  if (!(error instanceof TypeError)) return error;
  return new EarshotError({ code: "PRODUCER_UNREACHABLE", message: `${name} does not answer.` }, { cause: error });
}
