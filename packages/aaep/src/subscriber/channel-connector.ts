import { isObject, type JsonObject, type SubscriptionAccepted, type SubscriptionClose } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";
import { RESUME_POINT, withResume } from "../extension.ts";
import type { Connector, ConnectRequest, ConnectResult, SubscribedConnection } from "./connector.ts";
import type { ReceivedItem } from "./incoming.ts";
import { readHandshake } from "./read-handshake.ts";
import { TextQueue } from "./text-queue.ts";

/** A duplex message channel: a WebSocket, a Unix socket, a named pipe. */
export interface SubscriberChannel {
  /** Incoming texts in order; ends or throws with the connection. Reads ahead only briefly. */
  readonly texts: AsyncIterable<string>;
  send(text: string): void;
  /** Never throws. */
  close(): void;
}

interface ChannelConnectorOptions {
  readonly transport: Connector["transport"];
  /** Throws if nothing answers. The signal only concerns opening. */
  readonly open: (signal: AbortSignal) => Promise<SubscriberChannel>;
  /** Part of the request, for transports without credentials. */
  readonly token?: string | undefined;
}

const ANSWER_MS = 15_000;
/** A resume point from a producer that supports the extension: everything up to this event was sent. */
const POINT_BEGINS = `{"type":"${RESUME_POINT}"`;
/** Texts before the answer: a producer may start a stream without a handshake. */
const MAX_BEFORE = 1000;

/** A producer over one channel: the request, its answer, then events, and replies in the other direction. */
export class ChannelConnector implements Connector {
  readonly transport: Connector["transport"];
  readonly #options: ChannelConnectorOptions;

  constructor(options: ChannelConnectorOptions) {
    this.transport = options.transport;
    this.#options = options;
  }

  async connect({ request, resume }: ConnectRequest, signal: AbortSignal): Promise<ConnectResult> {
    const timeout = AbortSignal.timeout(ANSWER_MS);
    const opening = AbortSignal.any([signal, timeout]);
    const channel = await this.#options.open(opening);
    const giveUp = () => channel.close();
    opening.addEventListener("abort", giveUp);
    if (opening.aborted) giveUp();
    try {
      greet(channel, JSON.stringify(withResume(request, resume?.lastEventId, this.#options.token)));
      const texts = channel.texts[Symbol.asyncIterator]();
      const before: string[] = [];
      for (;;) {
        const { done, value } = await texts.next();
        if (done === true || before.length >= MAX_BEFORE) throw unanswered();
        const answer = readHandshake(parse(value));
        if (answer === undefined) before.push(value);
        else if (answer.ok) return { ok: true, connection: new ChannelConnection(channel, answer.accepted, chain(before, texts)) };
        else {
          channel.close();
          return answer;
        }
      }
    } catch (error) {
      channel.close();
      if (timeout.aborted) throw unanswered();
      throw error;
    } finally {
      opening.removeEventListener("abort", giveUp);
    }
  }
}

/** A rejected peer may be told before it has sent anything: then that message counts. */
function greet(channel: SubscriberChannel, text: string): void {
  try {
    channel.send(text);
  } catch {
    // The following texts, or their absence, tell why.
  }
}

class ChannelConnection implements SubscribedConnection {
  readonly accepted: SubscriptionAccepted;
  /** These transports cannot resume: a producer that supports the extension repeats missed events, others do not. */
  readonly resumes = false;
  readonly items: AsyncIterable<ReceivedItem>;
  readonly #channel: SubscriberChannel;

  constructor(channel: SubscriberChannel, accepted: SubscriptionAccepted, items: AsyncIterable<ReceivedItem>) {
    this.#channel = channel;
    this.accepted = accepted;
    this.items = items;
  }

  async send(message: JsonObject): Promise<undefined> {
    this.#channel.send(JSON.stringify(message));
  }

  async close(farewell?: SubscriptionClose): Promise<void> {
    try {
      if (farewell !== undefined) this.#channel.send(JSON.stringify(farewell));
    } catch {
      // It has already ended.
    }
    this.#channel.close();
  }
}

async function* chain(before: readonly string[], texts: AsyncIterator<string>): AsyncGenerator<ReceivedItem> {
  for (const text of before) yield toArrived(text);
  for (;;) {
    const { done, value } = await texts.next();
    if (done === true) return;
    yield toArrived(value);
  }
}

function toArrived(text: string): ReceivedItem {
  if (!text.startsWith(POINT_BEGINS)) return { text };
  const id = parse(text)?.["event_id"];
  return typeof id === "string" ? { text, id } : { text };
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // told as malformed later
  }
}

function unanswered(): EarshotError {
  return new EarshotError({ code: "PRODUCER_UNREACHABLE", message: "The producer did not answer the subscription request." });
}

export const SUBPROTOCOL = "aaep.v1";
/** Closed by the subscriber. */
export const CLOSED_BY_SUBSCRIBER = 4005;

/** The WebSocket of browsers and of Node from version 22. */
export async function openWebSocket(url: string, protocols: readonly string[], signal: AbortSignal): Promise<SubscriberChannel> {
  const socket = new WebSocket(url, [SUBPROTOCOL, ...protocols]);
  const texts = new TextQueue();
  socket.addEventListener("message", ({ data }) => {
    if (typeof data === "string") texts.push(data);
  });
  socket.addEventListener("close", ({ code }) => texts.end(errorOfCloseCode(code)));
  const close = () => socket.close(CLOSED_BY_SUBSCRIBER);
  await new Promise<void>((resolve, reject) => {
    const failed = () => reject(unreachableError(url));
    socket.addEventListener("open", () => resolve(), { once: true });
    socket.addEventListener("error", failed, { once: true });
    socket.addEventListener("close", failed, { once: true });
    signal.addEventListener("abort", failed, { once: true });
    if (signal.aborted) failed();
  }).catch((error: unknown) => {
    close();
    throw error;
  });
  return { texts, send: (text) => sendOn(socket, text), close };
}

/** The meaning of a close code for a reader: an end, or an error after which reconnecting is useless. */
export function errorOfCloseCode(code: number): EarshotError | undefined {
  if (code !== 4002 && code !== 4003) return undefined;
  const message =
    code === 4002 ? "The producer asks for a credential, or does not know this one." : "The producer does not serve this credential.";
  return new EarshotError({ code: "PRODUCER_REFUSED", message });
}

export function unreachableError(where: string): EarshotError {
  return new EarshotError({ code: "PRODUCER_UNREACHABLE", message: `${where} does not answer.` });
}

function sendOn(socket: WebSocket, text: string): void {
  if (socket.readyState !== WebSocket.OPEN) throw unreachableError(socket.url);
  socket.send(text);
}
