import { errorText, METHODS, notificationText, RPC_ERRORS, type RpcId, type RpcIncoming, readRpc, resultText } from "@earshot/aaep";
import { isObject, type JsonObject, readJson } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";
import type { HubAccess } from "../hub-client.ts";
import { SseParser } from "../tail/sse-parser.ts";

export interface BridgePorts {
  /** Finds the hub, each time anew: after a restart it may listen elsewhere. Throws when there is none. */
  readonly open: () => Promise<HubAccess>;
  /** Writes one line. */
  readonly write: (line: string) => void;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Told that the hub is gone, and that it is back. */
  readonly onGone: () => void;
  readonly onBack: () => void;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;
const ATTEMPTS = 5;
const GONE_FOR_GOOD: ReadonlySet<number> = new Set([400, 401, 403, 404, 410]);

/**
 * AAEP on standard input and output (JSON-RPC, one object per line) for the hub that runs. Each subscription is a stream of
 * the hub's; one that breaks is taken up again where it ended, so that a restart of the hub is not noticed here.
 */
export class StdioBridge {
  readonly #ports: BridgePorts;
  readonly #streams = new Map<string, { readonly ending: AbortController; readonly done: Promise<void> }>();
  #isGone = false;

  constructor(ports: BridgePorts) {
    this.#ports = ports;
  }

  /** One line from the subscriber. Fulfils when it is answered. */
  async receive(line: string): Promise<void> {
    const json = readJson(line);
    const incoming: RpcIncoming =
      json.ok && isObject(json.value) ? readRpc(json.value) : { kind: "invalid", id: null, error: RPC_ERRORS.parse };
    if (incoming.kind === "invalid") this.#ports.write(errorText(incoming.id, incoming.error));
    if (incoming.kind === "invalid" || incoming.kind === "response") return;
    const id = incoming.kind === "request" ? incoming.id : undefined;
    try {
      const isKnown = await this.#do(incoming.method, incoming.params, (answer) => this.#answer(id, answer));
      if (!isKnown && id !== undefined) this.#ports.write(errorText(id, RPC_ERRORS.method));
    } catch (error) {
      const message = error instanceof Error ? error.message : RPC_ERRORS.internal.message;
      if (id !== undefined) this.#ports.write(JSON.stringify({ jsonrpc: "2.0", id, error: { ...RPC_ERRORS.internal, message } }));
    }
  }

  /** Nobody reads any more: the hub is told, if it is there. */
  async close(): Promise<void> {
    const ids = [...this.#streams.keys()];
    await Promise.all(
      ids.map((id) => this.#close({ type: "subscription.close", subscription_id: id, reason_code: "subscriber_shutdown" })),
    );
  }

  /** Says whether there is such a method. */
  async #do(method: string, params: JsonObject, answer: (result: JsonObject) => void): Promise<boolean> {
    switch (method) {
      case METHODS.subscribe: {
        const told = await this.#post("/subscriptions", params);
        answer(told);
        if (told["type"] === "subscription.accepted") this.#follow(String(told["subscription_id"]));
        return true;
      }
      case METHODS.renegotiate: {
        const told = await this.#post("/replies", params);
        if (told["type"] === "subscription.rejected") this.#end(String(params["subscription_id"]));
        answer(told);
        return true;
      }
      case METHODS.reply:
        await this.#post("/replies", params);
        break;
      case METHODS.message:
        await this.#post("/messages", params);
        break;
      case METHODS.close:
        await this.#close(params);
        break;
      case METHODS.ping:
        break;
      default:
        return false;
    }
    answer({});
    return true;
  }

  async #close(message: JsonObject): Promise<void> {
    const stream = this.#end(String(message["subscription_id"]));
    await this.#post("/replies", message).catch(() => {}); // without a hub there is nothing left to close
    await stream?.done;
  }

  #end(id: string): { readonly done: Promise<void> } | undefined {
    const stream = this.#streams.get(id);
    this.#streams.delete(id);
    stream?.ending.abort();
    return stream;
  }

  /** Answers are messages of AAEP, whatever the status; what is none is thrown. A hub that is away may be back soon. */
  async #post(path: string, message: JsonObject): Promise<JsonObject> {
    const never = new AbortController().signal;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#postOnce(path, message);
      } catch (error) {
        const isAway = error instanceof TypeError || (EarshotError.is(error) && error.problem.code === "HUB_NOT_FOUND");
        if (!isAway || attempt === ATTEMPTS) throw error;
      }
      await this.#ports.wait(FIRST_PAUSE_MS * 2 ** attempt, never);
    }
  }

  async #postOnce(path: string, message: JsonObject): Promise<JsonObject> {
    const { url, headers } = await this.#ports.open();
    const response = await fetch(`${url}/aaep/v1${path}`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(message),
    });
    const text = await response.text();
    const body: unknown = text === "" ? {} : JSON.parse(text);
    if (!isObject(body)) throw new Error(`The hub answered with status ${response.status}.`);
    if (response.ok || typeof body["type"] === "string") return body;
    throw new Error(typeof body["message"] === "string" ? body["message"] : `The hub answered with status ${response.status}.`);
  }

  #follow(id: string): void {
    const ending = new AbortController();
    this.#streams.set(id, { ending, done: this.#stream(id, ending.signal) });
  }

  async #stream(id: string, signal: AbortSignal): Promise<void> {
    let last: string | undefined;
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        const { url, headers } = await this.#ports.open();
        const resume = last === undefined ? {} : { "last-event-id": last };
        const response = await fetch(`${url}/aaep/v1/events?subscription_id=${encodeURIComponent(id)}`, {
          headers: { ...headers, ...resume, accept: "text/event-stream" },
          signal,
        });
        if (GONE_FOR_GOOD.has(response.status)) return this.#lost(id);
        if (response.ok && response.body !== null) {
          this.#tellBack();
          for await (const frame of framesOf(response.body)) {
            if (frame.id !== "") last = frame.id;
            pauseMs = FIRST_PAUSE_MS;
            this.#pass(frame.data);
          }
        }
      } catch {
        // The connection broke, or there is no hub: it is tried again.
      }
      if (signal.aborted) return;
      if (!this.#isGone) this.#ports.onGone();
      this.#isGone = true;
      await this.#ports.wait(pauseMs, signal);
    }
  }

  /** Events as they are. That the hub stops is not told: the stream goes on with the next one. */
  #pass(data: string): void {
    const said: unknown = data === "" ? undefined : JSON.parse(data);
    if (isObject(said) && typeof said["event_id"] === "string") this.#ports.write(notificationText(METHODS.event, data));
  }

  #lost(id: string): void {
    this.#streams.delete(id);
    const close = { type: "subscription.close", subscription_id: id, reason_code: "subscription_unknown" };
    this.#ports.write(notificationText(METHODS.close, JSON.stringify(close)));
  }

  #tellBack(): void {
    if (this.#isGone) this.#ports.onBack();
    this.#isGone = false;
  }

  #answer(id: RpcId | undefined, result: JsonObject): void {
    if (id !== undefined) this.#ports.write(resultText(id, result));
  }
}

async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<{ readonly id: string; readonly data: string }> {
  const decoder = new TextDecoder();
  const parser = new SseParser();
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) yield* parser.feed(decoder.decode(chunk, { stream: true }));
}
