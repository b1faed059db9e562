import { LineSplitter } from "@earshot/hub/splitters";
import { isObject } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";
import { type SseParsedMessage, SseParser } from "@earshot/protocol/sse";
import { type LoadHeaders, MAX_LINE_BYTES } from "./source.ts";

export interface SessionList {
  /** Their ids, newest first. */
  readonly sessions: readonly string[];
  /** The cursor of the list; other collectors have only one page. */
  readonly next: string | undefined;
}

const LISTED = 100;
const ANSWER_MS = 15_000;
/** The official collector exports no other ids. */
const EXPORTABLE = /^[A-Za-z0-9_-]+$/;

/** The used part of an AOP collector's HTTP API. */
export class AopCollector {
  readonly base: string;
  readonly #headers: LoadHeaders;

  constructor(base: string, headers: LoadHeaders) {
    this.base = base;
    this.#headers = headers;
  }

  /** The messages of the stream; fulfills when it is open. */
  async open(options: {
    readonly query: Readonly<Record<string, string>>;
    readonly lastEventId: string | undefined;
    readonly signal: AbortSignal;
  }): Promise<AsyncGenerator<SseParsedMessage>> {
    const { query, lastEventId, signal } = options;
    const search = new URLSearchParams(query).toString();
    const response = await this.#ask(`/stream${search === "" ? "" : `?${search}`}`, signal, {
      accept: "text/event-stream",
      ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
    });
    if (!(response.headers.get("content-type") ?? "").toLowerCase().startsWith("text/event-stream")) {
      await response.body?.cancel();
      throw new EarshotError({ code: "PRODUCER_UNREACHABLE", message: `${this.base}/stream is no stream of events.` });
    }
    return messagesOf(response);
  }

  async list(before: string | undefined, signal: AbortSignal): Promise<SessionList> {
    const query = before === undefined ? "" : `?before=${encodeURIComponent(before)}`;
    const response = await this.#ask(`/sessions${query}`, AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]));
    const body: unknown = await response.json().catch(() => undefined);
    const rows: unknown = isObject(body) ? body["sessions"] : undefined;
    if (!isObject(body) || !Array.isArray(rows)) throw unexpected(`${this.base}/sessions`);
    const sessions = rows.flatMap((row: unknown) => (isObject(row) && typeof row["id"] === "string" ? [row["id"]] : []));
    return { sessions, next: typeof body["next"] === "string" ? body["next"] : undefined };
  }

  /** Whether there may be unlisted sessions. */
  isCutOff({ sessions, next }: SessionList): boolean {
    return sessions.length >= LISTED && next === undefined;
  }

  /** The events of a session by number, in pages. */
  async *read(session: string, signal: AbortSignal): AsyncGenerator<readonly string[]> {
    const path = `/sessions/${encodeURIComponent(session)}`;
    if (!EXPORTABLE.test(session)) return yield await this.#readWhole(path, signal);
    const response = await this.#ask(`${path}/export`, signal);
    let texts: string[] = [];
    const lines = new LineSplitter({ handle: (text) => texts.push(text), refuse: () => {} }, { maxBytes: MAX_LINE_BYTES });
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      lines.write(Buffer.from(chunk));
      yield texts;
      texts = [];
    }
    lines.end();
    yield texts;
  }

  /** As one document: the only way for sessions whose ids have other characters. */
  async #readWhole(path: string, signal: AbortSignal): Promise<readonly string[]> {
    const body: unknown = await (await this.#ask(path, signal)).json().catch(() => undefined);
    const events: unknown = isObject(body) ? body["events"] : undefined;
    return Array.isArray(events) ? events.map((event: unknown) => JSON.stringify(event)) : [];
  }

  async #ask(path: string, signal: AbortSignal, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const response = await fetch(`${this.base}${path}`, { headers: { ...(await this.#headers()), ...headers }, signal, redirect: "error" });
    if (response.ok) return response;
    await response.body?.cancel();
    const { status } = response;
    const code = status === 401 || status === 403 ? "PRODUCER_REFUSED" : status === 400 ? "WRONG_QUERY" : "PRODUCER_UNREACHABLE";
    throw new EarshotError({ code, message: `${this.base}${path.split("?")[0]} answered with status ${status}.` });
  }
}

async function* messagesOf(response: Response): AsyncGenerator<SseParsedMessage> {
  const decoder = new TextDecoder();
  const parser = new SseParser();
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) yield* parser.feed(decoder.decode(chunk, { stream: true }));
}

function unexpected(url: string): EarshotError {
  return new EarshotError({ code: "PRODUCER_UNREACHABLE", message: `${url} did not answer as an AOP collector does.` });
}
