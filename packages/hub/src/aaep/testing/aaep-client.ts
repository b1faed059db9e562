import type { JsonObject } from "@earshot/protocol";
import { SseParser } from "@earshot/protocol/sse";

export type AaepClientHeaders = Readonly<Record<string, string>>;

export interface AaepFrame {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: JsonObject;
}

/** An AAEP subscriber over HTTP, using only `fetch`. */
export class AaepClient {
  readonly url: string;
  readonly headers: AaepClientHeaders;

  constructor(url: string, headers: AaepClientHeaders) {
    this.url = `${url}/aaep/v1`;
    this.headers = headers;
  }

  async post(
    path: string,
    message: object,
  ): Promise<{ readonly status: number; readonly body: JsonObject; readonly headers: Response["headers"] }> {
    const response = await fetch(`${this.url}${path}`, {
      method: "POST",
      headers: { ...this.headers, "content-type": "application/json" },
      body: JSON.stringify(message),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? {} : (JSON.parse(text) as JsonObject), headers: response.headers };
  }

  /** Subscribes and returns the id. */
  async subscribe(capabilities: object = {}, subscriberId = "test"): Promise<string> {
    const { status, body } = await this.post("/subscriptions", subscriptionRequestOf(capabilities, subscriberId));
    if (status !== 201) throw new Error(JSON.stringify(body));
    return String(body["subscription_id"]);
  }

  open(subscription?: string, more: AaepClientHeaders = {}): Promise<AaepStream> {
    const query = subscription === undefined ? "" : `?subscription_id=${subscription}`;
    return AaepStream.open(`${this.url}/events${query}`, { ...this.headers, ...more });
  }
}

export function subscriptionRequestOf(capabilities: object = {}, subscriberId = "test"): JsonObject {
  return { type: "subscription.request", aaep_version: "1.0.0", subscriber_id: subscriberId, capabilities: capabilities as JsonObject };
}

export function confirmationReplyOf(token: unknown, subscription: string, decision: "accept" | "reject" = "accept"): JsonObject {
  const timestamp = new Date().toISOString();
  return { type: "confirmation.reply", reply_token: String(token), decision, subscription_id: subscription, timestamp };
}

/** An open stream, recording everything received. */
export class AaepStream implements AsyncDisposable {
  readonly frames: AaepFrame[] = [];
  readonly status: number;
  isOver = false;
  readonly #aborting: AbortController;
  readonly #waiting = new Set<() => void>();

  private constructor(response: Response, aborting: AbortController) {
    this.status = response.status;
    this.#aborting = aborting;
    void this.#read(response).catch(() => {
      // Closed from either side: `isOver` is checked.
    });
  }

  static async open(url: string, headers: AaepClientHeaders): Promise<AaepStream> {
    const aborting = new AbortController();
    const response = await fetch(url, { headers: { ...headers, accept: "text/event-stream" }, signal: aborting.signal });
    return new AaepStream(response, aborting);
  }

  get events(): readonly JsonObject[] {
    return this.frames.filter(({ event }) => event === "aaep.event").map(({ data }) => data);
  }

  get types(): readonly string[] {
    return this.events.map(({ type }) => String(type).replace("aaep:agent.", ""));
  }

  /** The id a browser would send when reconnecting. */
  get lastId(): string | undefined {
    return this.frames.findLast(({ id }) => id !== undefined)?.id;
  }

  /** Waits until a condition on the received events holds. */
  async until(holds: (stream: AaepStream) => boolean, timeoutMs = 20_000): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!holds(this)) {
      if (performance.now() > deadline) throw new Error(`Not within ${timeoutMs} ms. There came: ${JSON.stringify(this.frames)}`);
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          this.#waiting.delete(done);
          resolve();
        };
        const timer = setTimeout(done, 100);
        this.#waiting.add(done);
      });
    }
  }

  async find(is: (event: JsonObject) => boolean): Promise<JsonObject> {
    await this.until(({ events }) => events.some(is));
    const found = this.events.find(is);
    if (found === undefined) throw new Error("It was there.");
    return found;
  }

  close(): void {
    this.#aborting.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    await this.until(({ isOver }) => isOver);
  }

  async #read(response: Response): Promise<void> {
    try {
      const decoder = new TextDecoder();
      const parser = new SseParser();
      for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
        for (const { event, id, hasId, data } of parser.feed(decoder.decode(chunk, { stream: true }))) {
          if (data !== "") this.frames.push({ event, id: hasId ? id : undefined, data: JSON.parse(data) as JsonObject });
        }
        for (const wake of [...this.#waiting]) wake();
      }
    } finally {
      this.isOver = true;
      for (const wake of [...this.#waiting]) wake();
    }
  }
}
