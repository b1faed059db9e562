import type { SubscriptionAccepted, SubscriptionClose } from "@earshot/protocol";
import { isObject, type JsonObject } from "@earshot/protocol/json";
import { EarshotError } from "@earshot/protocol/problem";
import { SseParser } from "@earshot/protocol/sse";
import { resumePoint } from "../extension.ts";
import type { Connector, ConnectRequest, ConnectResult, SubscribedConnection } from "./connector.ts";
import type { ReceivedItem } from "./incoming.ts";
import { readHandshake } from "./read-handshake.ts";
import { rejectionOfStatus } from "./rejection.ts";

/** The maximum message of a third-party producer, stricter than a hub's. */
const MAX_FRAME_CHARACTERS = 4 << 20;
/** A peer that sent keep-alive comments is expected to continue. */
const SILENT_MS = 60_000;
const ANSWERED = new Set(["subscription.renegotiate", "subscription.close", "confirmation.reply", "clarification.reply"]);
/** No such route: another form of the binding, or none. */
const ABSENT = new Set([404, 405, 501]);

/**
 * A producer over HTTP and server-sent events: first `/subscriptions`, `/events` and `/replies`; if those are missing, `/events` and
 * `/messages`, as many small producers have them, with or without a handshake.
 */
export class SseConnector implements Connector {
  readonly transport = "sse";
  #place: HttpPlace;

  constructor(place: HttpPlace) {
    this.#place = place;
  }

  /** For a plain host the path is discovered: in the manifest, then among the usual ones. */
  async connect(greeting: ConnectRequest, signal: AbortSignal): Promise<ConnectResult> {
    const given = this.#place;
    if (given.isHost !== true) return this.#connect(greeting, signal);
    const { origin } = new URL(given.base);
    const bases = [...new Set([...(await readBases(given, origin, signal)), ...USUAL_PATHS.map((path) => origin + path)])];
    for (const base of bases) {
      this.#place = { ...given, base, isHost: false };
      try {
        return await this.#connect(greeting, signal);
      } catch (error) {
        this.#place = given;
        if (!isAbsent(error)) throw error;
      }
    }
    throw new EarshotError({
      code: "PRODUCER_UNREACHABLE",
      message: `There is no AAEP producer at ${origin}: tried ${MANIFEST_PATH} and ${bases.join(", ")}.`,
      hint: "Give the address under which its /events or /subscriptions is.",
    });
  }

  async #connect({ request, resume }: ConnectRequest, signal: AbortSignal): Promise<ConnectResult> {
    const lastEventId = resume?.lastEventId;
    if (resume?.accepted !== undefined) {
      const { accepted } = resume;
      const stream = await this.#open(eventsOf(accepted), lastEventId, signal);
      if (stream.ok) return { ok: true, connection: new SseConnection(this.#place, stream, { accepted, lastEventId }) };
      // Expired: a new subscription continues at the same place.
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

  /** The handshake is answered on the stream or unknown. */
  async #connectPlainly({ request, resume }: ConnectRequest, signal: AbortSignal): Promise<ConnectResult> {
    const lastEventId = resume?.lastEventId;
    const stream = await this.#open("/events", lastEventId, signal);
    if (!stream.ok) return refusedWith(stream.status, this.#place);
    const connection = new SseConnection(this.#place, stream, { accepted: undefined, lastEventId });
    const { status } = await post(this.#place, "/messages", request, signal);
    // Level 1 or 2 without a handshake. Subscribers that require signatures refuse that.
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

class SseConnection implements SubscribedConnection {
  readonly accepted: SubscriptionAccepted | undefined;
  readonly resumes: boolean;
  readonly items: AsyncIterable<ReceivedItem>;
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
      // It is gone and notices that the connection is too.
    }
    this.#stopping.abort();
  }
}

async function* readStream(body: ReadableStream<Uint8Array>, stopping: AbortController): AsyncGenerator<ReceivedItem> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new SseParser(MAX_FRAME_CHARACTERS);
  let isKeptAlive = false;
  let resumeAfter: string | undefined;
  try {
    for (;;) {
      const timer = isKeptAlive ? setTimeout(() => stopping.abort(), SILENT_MS) : undefined;
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      const text = decoder.decode(value, { stream: true });
      isKeptAlive ||= /(?:^|\n):/.test(text);
      for (const { data, id, hasId } of parser.feed(text)) {
        const isPlace = hasId && id !== "";
        // A frame without data is a resume point: at the beginning, and while nothing else is sent.
        if (data !== "") yield { text: data, ...(isPlace ? { id } : {}) };
        else if (isPlace && id !== resumeAfter) yield { text: JSON.stringify(resumePoint("", id)), id };
        if (isPlace) resumeAfter = id;
      }
    }
  } finally {
    reader.cancel().catch(() => {}); // it is over either way
  }
}

function refusedWith(status: number, place: HttpPlace): ConnectResult {
  const rejected = rejectionOfStatus(status);
  if (rejected === undefined) throw notThere(place, status);
  return { ok: false, rejected };
}

const MANIFEST_PATH = "/.well-known/aaep-manifest.json";
/** The usual paths of producers without a manifest. */
const USUAL_PATHS = ["/aaep/v1", "", "/aaep", "/v1"] as const;

/** The producer's URLs from the manifest at the well-known path. Other origins are ignored. */
async function readBases(place: HttpPlace, origin: string, signal: AbortSignal): Promise<readonly string[]> {
  const asked = ask({ ...place, base: origin, query: "" }, MANIFEST_PATH, { headers: { accept: "application/json" }, signal });
  const found = await asked.catch(() => undefined); // a host that does not answer is told by what is tried next
  const manifest = found?.ok === true ? parse(await readBounded(found)) : undefined;
  if (found?.ok === false) await found.body?.cancel();
  const extensions = isObject(manifest?.["extensions"]) ? Object.values(manifest["extensions"]) : [];
  return extensions.flatMap((extension) => {
    if (!isObject(extension)) return [];
    return [extension["endpoint"], extension["prefix"]].flatMap((said) => {
      const url = typeof said === "string" && URL.canParse(said, origin) ? new URL(said, origin) : undefined;
      return url?.origin === origin ? [origin + url.pathname.replace(/(?<!\/)\/+$/, "")] : [];
    });
  });
}

/** The host answered without such a route; a host that does not answer is another error. */
function isAbsent(error: unknown): boolean {
  return EarshotError.is(error) && error.problem.code === "PRODUCER_UNREACHABLE" && error.cause === undefined;
}

function notThere({ base }: HttpPlace, status: number): EarshotError {
  const message = `There is no AAEP producer at ${base}: it answered with status ${status}.`;
  return new EarshotError({ code: "PRODUCER_UNREACHABLE", message });
}

type Fetch = typeof globalThis.fetch;

/** A producer's address and credentials. Only URLs below it are requested. */
interface HttpPlace {
  /** Without a trailing slash: `http://127.0.0.1:8090/aaep/v1`. */
  readonly base: string;
  /** Only the host was given; the path is the usual one. */
  readonly isHost?: boolean;
  /** The query of the given address, part of every request. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
}

/** Answers to messages are small. */
const LONGEST_ANSWER = 256 * 1024;
const ANSWER_MS = 15_000;

interface PostAnswer {
  readonly status: number;
  /** Undefined if it is no JSON object. */
  readonly body: JsonObject | undefined;
  readonly location: string | undefined;
}

async function post(place: HttpPlace, path: string, body: object, signal?: AbortSignal): Promise<PostAnswer> {
  const timeout = AbortSignal.timeout(ANSWER_MS);
  const response = await ask(place, path, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  });
  const text = await readBounded(response);
  return { status: response.status, body: parse(text), location: response.headers.get("location") ?? undefined };
}

/** Redirects are not followed: the person chose the address, and the credentials are for it. */
async function ask({ base, query, headers, fetch }: HttpPlace, path: string, init: RequestInit): Promise<Response> {
  const url = `${base}${path}${query === "" ? "" : `${path.includes("?") ? "&" : "?"}${query}`}`;
  try {
    return await fetch(url, {
      ...init,
      redirect: "error",
      cache: "no-store",
      credentials: "omit",
      headers: { ...headers, ...(init.headers as Readonly<Record<string, string>>) },
    });
  } catch (error) {
    const { cause } = error instanceof Error ? error : { cause: undefined };
    const why = cause instanceof Error ? cause.message : error instanceof Error ? error.message : "";
    throw new EarshotError({ code: "PRODUCER_UNREACHABLE", message: `${base} does not answer: ${why}` }, { cause: error });
  }
}

async function readBounded(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length <= LONGEST_ANSWER) continue;
    await reader.cancel();
    throw new EarshotError({ code: "TOO_LARGE", message: "The producer's answer is too long." });
  }
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // a page, or nothing at all
  }
}
