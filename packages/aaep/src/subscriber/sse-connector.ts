import type { JsonObject } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";
import type { SubscriptionAccepted, SubscriptionClose } from "../messages.ts";
import { SseParser } from "../wire/sse.ts";
import type { Connected, Connection, Connector, Greeting } from "./connector.ts";
import { ask, type HttpPlace, post } from "./http-calls.ts";
import type { Arrived } from "./incoming.ts";
import { readHandshake } from "./read-handshake.ts";
import { rejectionOf } from "./rejection.ts";
import { resumePoint } from "./resume-extension.ts";

/** Who said something only to keep the line open is expected to go on doing so. */
const SILENT_MS = 60_000;
const ANSWERED = new Set(["subscription.renegotiate", "subscription.close", "confirmation.reply", "clarification.reply"]);
/** There is no such address: another shape of the binding, or none. */
const ABSENT = new Set([404, 405, 501]);

/**
 * A producer over HTTP and server-sent events. First by `/subscriptions`, `/events` and `/replies`; where there are none, by
 * `/events` and `/messages`, as many small producers have it, with or without a handshake.
 */
export class SseConnector implements Connector {
  readonly transport = "sse";
  readonly #place: HttpPlace;

  constructor(place: HttpPlace) {
    this.#place = place;
  }

  async connect({ request, resume }: Greeting, signal: AbortSignal): Promise<Connected> {
    const lastEventId = resume?.lastEventId;
    if (resume?.accepted !== undefined) {
      const { accepted } = resume;
      const stream = await this.#open(eventsOf(accepted), lastEventId, signal);
      if (stream.ok) return { ok: true, connection: new SseConnection(this.#place, stream, { accepted, lastEventId }) };
      // Forgotten meanwhile: a new subscription goes on at the same place.
    }
    const { status, body } = await post(this.#place, "/subscriptions", request, signal);
    const answer = readHandshake(body);
    if (answer?.ok === false) return answer;
    if (answer?.ok === true) {
      const stream = await this.#open(eventsOf(answer.accepted), lastEventId, signal);
      if (!stream.ok) throw notThere(this.#place, stream.status);
      return { ok: true, connection: new SseConnection(this.#place, stream, { accepted: answer.accepted, lastEventId }) };
    }
    if (!ABSENT.has(status)) return refusedWith(status, this.#place);
    return this.#connectPlainly({ request, resume }, signal);
  }

  /** The handshake is answered on the stream, or not known at all. */
  async #connectPlainly({ request, resume }: Greeting, signal: AbortSignal): Promise<Connected> {
    const lastEventId = resume?.lastEventId;
    const stream = await this.#open("/events", lastEventId, signal);
    if (!stream.ok) return refusedWith(stream.status, this.#place);
    const connection = new SseConnection(this.#place, stream, { accepted: undefined, lastEventId });
    const { status } = await post(this.#place, "/messages", request, signal);
    // Of level 1 or 2, without a handshake. Whoever demands signatures refuses that.
    if (status >= 400 && !ABSENT.has(status) && status !== 400 && status !== 422) {
      await connection.close();
      return refusedWith(status, this.#place);
    }
    return { ok: true, connection };
  }

  async #open(path: string, lastEventId: string | undefined, signal: AbortSignal): Promise<Stream> {
    const stopping = new AbortController();
    const headers = { accept: "text/event-stream", ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }) };
    const response = await ask(this.#place, path, { headers, signal: AbortSignal.any([signal, stopping.signal]) });
    const isStream = response.ok && (response.headers.get("content-type") ?? "").toLowerCase().startsWith("text/event-stream");
    if (isStream && response.body !== null) return { ok: true, body: response.body, stopping };
    stopping.abort();
    return { ok: false, status: response.ok ? 404 : response.status };
  }
}

type Stream =
  | { readonly ok: true; readonly body: ReadableStream<Uint8Array>; readonly stopping: AbortController }
  | { readonly ok: false; readonly status: number };

function eventsOf({ subscription_id: id }: SubscriptionAccepted): string {
  return `/events?subscription_id=${encodeURIComponent(id)}`;
}

class SseConnection implements Connection {
  readonly accepted: SubscriptionAccepted | undefined;
  readonly resumes: boolean;
  readonly items: AsyncIterable<Arrived>;
  readonly #place: HttpPlace;
  readonly #stopping: AbortController;

  constructor(
    place: HttpPlace,
    { body, stopping }: Extract<Stream, { ok: true }>,
    { accepted, lastEventId }: { readonly accepted: SubscriptionAccepted | undefined; readonly lastEventId: string | undefined },
  ) {
    this.#place = place;
    this.#stopping = stopping;
    this.accepted = accepted;
    this.resumes = lastEventId !== undefined;
    this.items = readStream(body, stopping);
  }

  async send(message: JsonObject): Promise<JsonObject | undefined> {
    const isPlain = this.accepted === undefined || !ANSWERED.has(String(message["type"]));
    const { status, body } = await post(this.#place, isPlain ? "/messages" : "/replies", message);
    if (status < 400 || body?.["type"] === "subscription.rejected") return body;
    throw new EarshotError({ code: "PRODUCER_UNREACHABLE", message: `The producer answered with status ${status}.` });
  }

  async close(farewell?: SubscriptionClose): Promise<void> {
    try {
      if (farewell !== undefined && this.accepted !== undefined) await post(this.#place, "/replies", farewell);
    } catch {
      // It is gone; so it notices by itself that we are.
    }
    this.#stopping.abort();
  }
}

async function* readStream(body: ReadableStream<Uint8Array>, stopping: AbortController): AsyncGenerator<Arrived> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new SseParser();
  let isKeptAlive = false;
  let resumeAfter: string | undefined;
  try {
    for (;;) {
      const timer = isKeptAlive ? setTimeout(() => stopping.abort(), SILENT_MS) : undefined;
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      const text = decoder.decode(value, { stream: true });
      isKeptAlive ||= /(?:^|\n):/.test(text);
      for (const { data, id } of parser.read(text).frames) {
        if (id !== undefined && id !== "") resumeAfter = id;
        yield { text: data, ...(id === undefined || id === "" ? {} : { id }) };
      }
      // Frames without data say where to resume: at the beginning, and while nothing else is said.
      const { lastId } = parser;
      if (lastId === undefined || lastId === "" || lastId === resumeAfter) continue;
      resumeAfter = lastId;
      yield { text: JSON.stringify(resumePoint("", lastId)), id: lastId };
    }
  } finally {
    reader.cancel().catch(() => {}); // it is over either way
  }
}

function refusedWith(status: number, place: HttpPlace): Connected {
  const rejected = rejectionOf(status);
  if (rejected === undefined) throw notThere(place, status);
  return { ok: false, rejected };
}

function notThere({ base }: HttpPlace, status: number): EarshotError {
  const message = `There is no AAEP producer at ${base}: it answered with status ${status}.`;
  return new EarshotError({ code: "PRODUCER_UNREACHABLE", message });
}
