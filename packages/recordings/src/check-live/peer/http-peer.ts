import { setTimeout as sleep } from "node:timers/promises";
import { EarshotError, isObject, type JsonObject, readJson } from "@earshot/protocol";
import { SseParser } from "@earshot/protocol/sse";
import { type ConnectOptions, type DrivenConnection, type DrivenPeer, isAnswer, type Receipt, ReceivedStream } from "./peer.ts";

type Headers = Readonly<Record<string, string>>;

const LONGEST_BODY = 1 << 20;
const REQUEST_MS = 30_000;
/** Some servers send a stream's headers with its first event: a stream not refused by then counts as open. */
const HEADERS_MS = 2000;

/** A producer behind HTTP and server-sent events, at the base URL of `/events` and `/messages`. */
export function createHttpPeer(base: string, headers: Headers): DrivenPeer {
  const url = base.replace(/(?<!\/)\/+$/, "");
  const get = (path: string) => request(new URL(path, `${url}/`).href, { headers });
  return {
    transport: "sse",
    name: url,
    shared: true,
    authenticates: Object.keys(headers).length > 0,
    async connect({ authenticated = true }: ConnectOptions = {}) {
      return new HttpConnection(url, authenticated ? headers : {});
    },
    async resume(subscriptionId, lastEventId, stream) {
      // A producer that answers on the stream has only one stream URL.
      for (const query of subscriptionId === undefined ? [""] : [`?subscription_id=${subscriptionId}`, ""]) {
        const listening = new Listening(stream);
        const opened = await listening.open(`${url}/events${query}`, { ...headers, "last-event-id": lastEventId });
        if (opened) return { cut: async () => listening.cut() };
      }
      return undefined;
    },
    readManifest: () => get("/.well-known/aaep-manifest.json"),
    get,
    async close() {},
  };
}

class HttpConnection implements DrivenConnection {
  readonly stream = new ReceivedStream();
  readonly #url: string;
  readonly #headers: Headers;
  readonly #listening = new Listening(this.stream);
  #plain: Promise<boolean> | undefined;

  constructor(url: string, headers: Headers) {
    this.#url = url;
    this.#headers = headers;
  }

  listen(): Promise<boolean> {
    this.#plain ??= this.#listening.open(`${this.#url}/events`, this.#headers);
    return this.#plain;
  }

  async subscribe(message: JsonObject, waitMs: number): Promise<JsonObject | undefined> {
    const { status, body, location } = await this.#post("/subscriptions", message, waitMs);
    if (status === 404 || status === 405) return this.#subscribeOnStream(message, waitMs);
    const answer = parseObjectText(body);
    if (answer === undefined || !isAnswer(answer)) return undefined;
    if (answer["type"] !== "subscription.accepted") return answer;
    const events = location ?? `${this.#url}/events?subscription_id=${String(answer["subscription_id"])}`;
    const opened = await this.#listening.open(new URL(events, `${this.#url}/`).href, this.#headers);
    if (!opened) throw peerUnreachable(`The stream of an accepted subscription cannot be opened at ${events}.`);
    return answer;
  }

  async renegotiate(message: JsonObject, waitMs: number): Promise<JsonObject | undefined> {
    const from = this.stream.items.length;
    const { status, body } = await this.#post("/replies", message, waitMs);
    if (status === 404 || status === 405) await this.#post("/messages", message, waitMs);
    const answer = parseObjectText(body);
    if (answer !== undefined && isAnswer(answer)) return answer;
    return (await this.stream.until((item) => isAnswer(item.value), waitMs, from))?.value;
  }

  async sendMessage(message: JsonObject): Promise<Receipt> {
    const receipt = await this.#post("/replies", message);
    return receipt.status === 404 || receipt.status === 405 ? this.#post("/messages", message) : receipt;
  }

  send(message: JsonObject): Promise<Receipt> {
    return this.#post("/messages", message);
  }

  async cut(): Promise<void> {
    this.#listening.cut();
  }

  /** The form without a subscription endpoint: the answer comes on the stream. */
  async #subscribeOnStream(message: JsonObject, waitMs: number): Promise<JsonObject | undefined> {
    if (!(await this.listen())) return undefined;
    const from = this.stream.items.length;
    await this.#post("/messages", message, waitMs);
    return (await this.stream.until((item) => isAnswer(item.value), waitMs, from))?.value;
  }

  #post(path: string, message: JsonObject, waitMs?: number): Promise<Receipt & { readonly location: string | undefined }> {
    const headers = { ...this.#headers, "content-type": "application/json" };
    return request(`${this.#url}${path}`, { method: "POST", headers, body: JSON.stringify(message) }, waitMs);
  }
}

/** One open event stream. */
class Listening {
  readonly #stream: ReceivedStream;
  readonly #abort = new AbortController();

  constructor(stream: ReceivedStream) {
    this.#stream = stream;
  }

  async open(url: string, headers: Headers): Promise<boolean> {
    const opening = this.#arrive(url, headers);
    const timer = new AbortController();
    const late = sleep(HEADERS_MS, true, { signal: timer.signal }).catch(() => true);
    try {
      return await Promise.race([opening, late]);
    } finally {
      timer.abort();
      opening.catch(() => this.#stream.end());
    }
  }

  async #arrive(url: string, headers: Headers): Promise<boolean> {
    const { signal } = this.#abort;
    const response = await reach(url, { headers: { ...headers, accept: "text/event-stream", "cache-control": "no-cache" }, signal });
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (!response.ok || response.body === null || !isStream) {
      await response.body?.cancel();
      return false;
    }
    void this.#read(response.body as AsyncIterable<Uint8Array>);
    return true;
  }

  cut(): void {
    this.#abort.abort();
  }

  async #read(body: AsyncIterable<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    const parser = new SseParser();
    try {
      for await (const chunk of body) {
        await this.#stream.reading;
        for (const { id, data } of parser.feed(decoder.decode(chunk, { stream: true }))) {
          if (data !== "") this.#stream.push(data, id === "" ? undefined : id);
        }
      }
    } catch {
      // Lost or closed on purpose: nothing more comes.
    }
    this.#stream.end();
  }
}

async function request(url: string, init: RequestInit, waitMs = REQUEST_MS): Promise<Receipt & { readonly location: string | undefined }> {
  const timeout = AbortSignal.timeout(waitMs);
  try {
    const response = await reach(url, { ...init, signal: timeout });
    const body = (await response.text()).slice(0, LONGEST_BODY);
    return { status: response.status, body, location: response.headers.get("location") ?? undefined };
  } catch (error) {
    // Silence is judged, not an error.
    if (timeout.aborted) return { status: 0, body: "", location: undefined };
    throw error;
  }
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: "follow" });
  } catch (cause) {
    if (init.signal?.aborted === true) throw cause;
    throw peerUnreachable(`${new URL(url).origin} cannot be reached.`, cause);
  }
}

export function peerUnreachable(message: string, cause?: unknown): EarshotError {
  return new EarshotError({ code: "PEER_UNREACHABLE", message }, { cause });
}

export function parseObjectText(text: string): JsonObject | undefined {
  const read = readJson(text);
  return read.ok && isObject(read.value) ? read.value : undefined;
}
