import type { ServerResponse } from "node:http";
import type { JsonObject, SubscriptionRejected } from "@earshot/protocol";
import type { PeerConnection } from "../producer/connection.ts";
import type { AaepProducer } from "../producer/producer.ts";
import type { Principal } from "../producer/producer-ports.ts";
import type { Subscription } from "../producer/subscription.ts";
import { sseMark } from "../wire/sse.ts";
import { PeerWatch } from "./binding.ts";
import { type ServedChannel, serveChannel } from "./serve-channel.ts";
import { eventFrame, messageFrame, SseStream } from "./sse-stream.ts";

interface StreamOptions {
  readonly lastEventId: string | undefined;
  readonly isNamed: boolean;
}

/** The open event streams of an HTTP binding: those of subscriptions, and those without a handshake. */
export class HttpStreams {
  readonly #producer: AaepProducer;
  readonly #streams = new Set<SseStream>();
  readonly #watch = new PeerWatch();
  /** Streams without a handshake, by credential; newest last. */
  readonly #implicit = new Map<string, ServedChannel[]>();
  readonly #mailboxes = new Mailboxes();

  constructor(producer: AaepProducer) {
    this.#producer = producer;
  }

  /** Opens the stream of a subscription and ends its previous one. */
  open(response: ServerResponse, subscription: Subscription, { lastEventId, isNamed }: StreamOptions): void {
    this.#serve(response, { principal: subscription.principal, isNamed }, ({ connection }) => {
      connection.lend(subscription, lastEventId);
      return undefined;
    });
  }

  /** Opens a stream without a handshake, or returns why not. Waiting messages are sent first. */
  openImplicitly(
    response: ServerResponse,
    principal: Principal,
    { lastEventId, isNamed }: StreamOptions,
  ): SubscriptionRejected | undefined {
    const mailbox = this.#mailboxes.take(principal.id, performance.now());
    const open = this.#serve(response, { principal, isNamed, after: mailbox?.after }, ({ connection }) =>
      connection.beginImplicitly({ lastEventId }),
    );
    if (!("connection" in open)) return open;
    this.#implicit.set(principal.id, [...(this.#implicit.get(principal.id) ?? []), open]);
    for (const waiting of mailbox?.messages ?? []) deliver(waiting, open);
    return undefined;
  }

  /** Answers with a stream unless `begin` returns why not. */
  #serve(
    response: ServerResponse,
    { principal, isNamed, after }: Pick<StreamOptions, "isNamed"> & { readonly principal: Principal; readonly after?: number | undefined },
    begin: (served: ServedChannel) => SubscriptionRejected | undefined,
  ): ServedChannel | SubscriptionRejected {
    let stream: SseStream | undefined;
    const served = serveChannel(
      this.#producer,
      { principal, after },
      {
        write: (frame) => stream?.write(frame) ?? false,
        frameEvent: (event) => eventFrame(event, isNamed),
        frameMessage: messageFrame,
        mark: (id) => stream?.write(sseMark(id)),
        end: () => stream?.end(),
      },
    );
    const { connection } = served;
    const refused = begin(served);
    if (refused !== undefined) return refused;
    const opened = new SseStream(response, this.#watch, {
      onDrain: () => connection.drained(),
      onClose: () => {
        this.#streams.delete(opened);
        this.#forget(connection);
        connection.closed();
      },
      onQuiet: () => connection.mark(),
    });
    stream = opened;
    this.#streams.add(opened);
    return served;
  }

  /** The stream for answers to a credential without a handshake. */
  newest(principal: Principal): ServedChannel | undefined {
    return this.#implicit.get(principal.id)?.at(-1);
  }

  /** Keeps a message for a stream that this credential is about to open, starting at the position. */
  expect(principal: Principal, waiting: Waiting | undefined, after: number): void {
    this.#mailboxes.put(principal.id, waiting, { at: performance.now(), after });
  }

  close(): void {
    this.#watch.close();
    for (const stream of this.#streams) stream.end();
  }

  #forget(connection: PeerConnection): void {
    const { id } = connection.principal;
    const left = this.#implicit.get(id)?.filter((open) => open.connection !== connection) ?? [];
    if (left.length === 0) this.#implicit.delete(id);
    else this.#implicit.set(id, left);
  }
}

function deliver(waiting: Waiting, { sendMessage: tell, connection }: ServedChannel): void {
  const message: JsonObject | undefined = "tell" in waiting ? waiting.tell : answerOf(connection, waiting.receive);
  if (message !== undefined) tell(message);
}

function answerOf(connection: PeerConnection, message: JsonObject): JsonObject | undefined {
  const received = connection.receive(message);
  return received.kind === "answer" ? received.message : undefined;
}

/** Messages for a stream about to be opened. */
interface Mailbox {
  /** The feed's position at the first message, where the stream begins. */
  readonly after: number;
  readonly messages: readonly Waiting[];
}

/** Sent to the stream as it is; or a request, answered when the stream is open. */
type Waiting = { readonly tell: JsonObject } | { readonly receive: JsonObject };

const MAX_BOXES = 256;
const MAX_MESSAGES = 16;
const KEPT_MS = 30_000;

/**
 * Keeps answers for peers that post a message and open their stream at the same time, in either order. Bounded: the oldest are dropped,
 * and nothing is kept for long.
 */
class Mailboxes {
  readonly #boxes = new Map<string, { readonly at: number; readonly after: number; readonly messages: Waiting[] }>();

  /** Adds a message for a credential. */
  put(principal: string, message: Waiting | undefined, { at, after }: { readonly at: number; readonly after: number }): void {
    const known = this.#boxes.get(principal);
    const box = known !== undefined && at - known.at < KEPT_MS ? known : { at, after, messages: [] };
    if (message !== undefined && box.messages.length < MAX_MESSAGES) box.messages.push(message);
    this.#boxes.delete(principal);
    this.#boxes.set(principal, box);
    if (this.#boxes.size > MAX_BOXES) {
      const [oldest] = this.#boxes.keys();
      if (oldest !== undefined) this.#boxes.delete(oldest);
    }
  }

  take(principal: string, at: number): Mailbox | undefined {
    const box = this.#boxes.get(principal);
    this.#boxes.delete(principal);
    return box !== undefined && at - box.at < KEPT_MS ? box : undefined;
  }
}
