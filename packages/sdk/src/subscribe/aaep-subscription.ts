import type {
  ClosedPrompt,
  Connector,
  Prompt,
  PromptReply,
  ResumeState,
  Subscriber,
  SubscriberClock,
  SubscriberOptions,
  SubscriberState,
  SubscriptionProblem,
} from "@earshot/aaep";
import { SESSION_STOP } from "@earshot/aaep/speaking";
import type { Capabilities, JsonObject, SubscriptionAccepted, SubscriptionRequest } from "@earshot/protocol";

export interface SubscribeOptions {
  /** Sent with every request: `{authorization: "Bearer …"}`. Browsers do not send headers with a WebSocket. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For local sockets, which have no headers. */
  readonly token?: string;
  /** A stable id, by which a producer recognizes the subscriber. */
  readonly subscriberId?: string;
  readonly subscriberName?: string;
  /** `resume` of an earlier subscription: the producer repeats later events it still has. */
  readonly resume?: ResumeState;
  /** Keep trying when the first connection fails. */
  readonly wait?: boolean;
  /** Called with each handshake; throws to reject the producer. See `trustKeys`. */
  readonly verify?: (accepted: SubscriptionAccepted) => Promise<void>;
  /** Closes the subscription. */
  readonly signal?: AbortSignal;
  /** Reports unusable and missed events and lost connections. None of them ends the subscription. */
  readonly onTrouble?: (trouble: SubscriptionProblem) => void;
  readonly onState?: (state: SubscriberState) => void;
  /** A question is over; close its dialog. */
  readonly onPromptClosed?: (closed: ClosedPrompt) => void;
}

export function toSubscriberOptions(connector: Connector, capabilities: Capabilities, options: SubscribeOptions): SubscriberOptions {
  const { resume, wait = false, verify, onTrouble, onState, onPromptClosed } = options;
  const request = toRequest(capabilities, options);
  return { connector, request, clock: systemClock(), resume, isPatient: wait, verify, onTrouble, onState, onPromptClosed };
}

/** An event as sent by the producer. */
export type AaepEvent = JsonObject;

/**
 * The events of a producer, each once and in order, while they are iterated; lost connections are resumed. Ending the iteration, `close`
 * and the signal end the subscription and notify the producer.
 */
export class AaepSubscription implements AsyncIterable<AaepEvent>, AsyncDisposable {
  readonly #loading: Promise<Subscriber>;
  readonly #before: ResumeState;
  #subscriber: Subscriber | undefined;
  #failed = false;

  /** The subscriber may still be loading. */
  constructor(subscriber: Subscriber | Promise<Subscriber>, { resume, signal }: Pick<SubscribeOptions, "resume" | "signal">) {
    this.#before = resume ?? {};
    if (!(subscriber instanceof Promise)) this.#subscriber = subscriber;
    this.#loading = Promise.resolve(subscriber);
    this.#loading.then(
      (loaded) => {
        this.#subscriber = loaded;
      },
      () => {
        this.#failed = true; // the iteration throws the reason
      },
    );
    const close = () => void this.close();
    signal?.addEventListener("abort", close, { once: true });
    if (signal?.aborted === true) close();
  }

  /** Fulfills after the first handshake with the accepted terms; undefined if the producer does not know handshakes. */
  get opened(): Promise<SubscriptionAccepted | undefined> {
    return this.#loading.then(({ opened }) => opened);
  }

  get state(): SubscriberState {
    return this.#subscriber?.state ?? (this.#failed ? "closed" : "connecting");
  }

  /** The latest accepted terms. */
  get accepted(): SubscriptionAccepted | undefined {
    return this.#subscriber?.accepted;
  }

  /** A plain value from which another subscription can resume, also in another process. */
  get resume(): ResumeState {
    return this.#subscriber?.resume ?? this.#before;
  }

  /** The questions a person can still answer. */
  get prompts(): readonly Prompt[] {
    return this.#subscriber?.prompts ?? [];
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AaepEvent> {
    for await (const { event } of await this.#loading) yield event;
  }

  /**
   * Sends a person's answer to a question, named by its event or token, once. False when the question is over. Never answers by itself.
   */
  async reply(to: AaepEvent | string, reply: PromptReply): Promise<boolean> {
    const token = typeof to === "string" ? to : to["reply_token"];
    return typeof token === "string" && (await this.#loading).reply(token, reply);
  }

  /** Requests other terms; omitted ones stay as they are. */
  async renegotiate(capabilities: Capabilities): Promise<SubscriptionAccepted> {
    return (await this.#loading).renegotiate(capabilities);
  }

  /** Asks a producer that supports the extension to stop a session for a person. False when it was not sent. */
  async stopSession(session: string, reason?: string): Promise<boolean> {
    const why = reason === undefined ? {} : { reason };
    return (await this.#loading).send({ type: SESSION_STOP, session_id: session, ...why });
  }

  async close(): Promise<void> {
    const subscriber = await this.#loading.catch(() => undefined); // there is nothing to close then
    await subscriber?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** System clocks. A timer keeps the process alive, because a caller waits for events. */
function systemClock(): SubscriberClock {
  return {
    monotonic: () => performance.now(),
    now: () => Date.now(),
    random: () => Math.random(),
    after: (ms, call) => {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
  };
}

interface Subscribing {
  readonly subscriberId?: string;
  readonly subscriberName?: string;
}

/** The protocol's requirements for a full participant; each can be overridden. */
const LEVEL_3: Capabilities = {
  supports_confirmation_reply: true,
  supports_clarification_reply: true,
  supported_conformance_levels: [1, 2, 3],
};

function toRequest(capabilities: Capabilities, { subscriberId, subscriberName }: Subscribing): SubscriptionRequest {
  return {
    type: "subscription.request",
    aaep_version: "1.0.0",
    subscriber_id: subscriberId ?? `earshot-sdk-${crypto.randomUUID()}`,
    ...(subscriberName === undefined ? {} : { subscriber_name: subscriberName }),
    capabilities: { ...LEVEL_3, ...withReplies(capabilities) },
  };
}

/** A subscriber that declares no replies cannot claim the levels that require them. */
function withReplies(capabilities: Capabilities): Capabilities {
  const isSilent = capabilities.supports_confirmation_reply === false && capabilities.supported_conformance_levels === undefined;
  return isSilent ? { ...capabilities, supported_conformance_levels: [1] } : capabilities;
}
