import { isObject, type JsonObject, type SubscriptionAccepted, type SubscriptionClose } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";
import { RESUME_POINT, withResume } from "../extension.ts";
import type { Connected, Connection, Connector, Greeting } from "./connector.ts";
import type { Arrived } from "./incoming.ts";
import { readHandshake } from "./read-handshake.ts";
import { TextQueue } from "./text-queue.ts";

/** Both ways at once, message by message: a WebSocket, a Unix socket, a named pipe. */
export interface SubscriberChannel {
  /** What comes, in order; ends or throws when it is over. Not read ahead for long. */
  readonly texts: AsyncIterable<string>;
  send(text: string): void;
  /** Never throws. */
  close(): void;
}

interface ChannelConnectorOptions {
  readonly transport: Connector["transport"];
  /** Throws where nobody is there. The signal is about opening only. */
  readonly open: (signal: AbortSignal) => Promise<SubscriberChannel>;
  /** Part of the request, where the transport itself shows no credential. */
  readonly token?: string | undefined;
}

const ANSWER_MS = 15_000;
/** Where to resume, said by producers that know our extension: everything up to this event was sent. */
const POINT_BEGINS = `{"type":"${RESUME_POINT}"`;
/** What comes before the answer: a producer may have a stream without a handshake. */
const MOST_BEFORE = 1000;

/** A producer over one channel: the request first, then its answer, then events, and replies the other way. */
export class ChannelConnector implements Connector {
  readonly transport: Connector["transport"];
  readonly #options: ChannelConnectorOptions;

  constructor(options: ChannelConnectorOptions) {
    this.transport = options.transport;
    this.#options = options;
  }

  async connect({ request, resume }: Greeting, signal: AbortSignal): Promise<Connected> {
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
        if (done === true || before.length >= MOST_BEFORE) throw unanswered();
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

/** Who may not come may be told so before it has said anything: then what was said counts. */
function greet(channel: SubscriberChannel, text: string): void {
  try {
    channel.send(text);
  } catch {
    // What comes, or does not, tells why.
  }
}

class ChannelConnection implements Connection {
  readonly accepted: SubscriptionAccepted;
  /** These transports know no resume: a producer that knows our extension says again what was missed, and the others do not. */
  readonly resumes = false;
  readonly items: AsyncIterable<Arrived>;
  readonly #channel: SubscriberChannel;

  constructor(channel: SubscriberChannel, accepted: SubscriptionAccepted, items: AsyncIterable<Arrived>) {
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
      // It is over already.
    }
    this.#channel.close();
  }
}

async function* chain(before: readonly string[], texts: AsyncIterator<string>): AsyncGenerator<Arrived> {
  for (const text of before) yield toArrived(text);
  for (;;) {
    const { done, value } = await texts.next();
    if (done === true) return;
    yield toArrived(value);
  }
}

function toArrived(text: string): Arrived {
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
/** The subscriber ends it. */
export const CLOSED_BY_SUBSCRIBER = 4005;

/** As browsers have it, and Node from version 22 on. */
export async function openWebSocket(url: string, protocols: readonly string[], signal: AbortSignal): Promise<SubscriberChannel> {
  const socket = new WebSocket(url, [SUBPROTOCOL, ...protocols]);
  const texts = new TextQueue();
  socket.addEventListener("message", ({ data }) => {
    if (typeof data === "string") texts.push(data);
  });
  socket.addEventListener("close", ({ code }) => texts.end(endOf(code)));
  const close = () => socket.close(CLOSED_BY_SUBSCRIBER);
  await new Promise<void>((resolve, reject) => {
    const failed = () => reject(unreachable(url));
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

/** What a close code means to whoever reads: an end, or that it makes no sense to come back. */
export function endOf(code: number): EarshotError | undefined {
  if (code !== 4002 && code !== 4003) return undefined;
  const message =
    code === 4002 ? "The producer asks for a credential, or does not know this one." : "The producer does not serve this credential.";
  return new EarshotError({ code: "PRODUCER_REFUSED", message });
}

export function unreachable(where: string): EarshotError {
  return new EarshotError({ code: "PRODUCER_UNREACHABLE", message: `${where} does not answer.` });
}

function sendOn(socket: WebSocket, text: string): void {
  if (socket.readyState !== WebSocket.OPEN) throw unreachable(socket.url);
  socket.send(text);
}
