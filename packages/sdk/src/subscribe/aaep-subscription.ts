import type {
  ClosedPrompt,
  Connector,
  Prompt,
  PromptReply,
  Resume,
  Subscriber,
  SubscriberClock,
  SubscriberOptions,
  SubscriberState,
  Trouble,
} from "@earshot/aaep";
import { SESSION_STOP } from "@earshot/aaep/speaking";
import type { Capabilities, JsonObject, SubscriptionAccepted, SubscriptionRequest } from "@earshot/protocol";

export interface SubscribeOptions {
  /** Sent with every request: `{authorization: "Bearer …"}`. A browser sends none with a WebSocket. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For local sockets, which have no headers. */
  readonly token?: string;
  /** Who subscribes: stable, so that a producer knows it again. */
  readonly subscriberId?: string;
  readonly subscriberName?: string;
  /** `resume` of an earlier subscription: what was said since is said again, where the producer still has it. */
  readonly resume?: Resume;
  /** Keep trying when nobody answers at first. */
  readonly wait?: boolean;
  /** Asked about each handshake; throws where the producer is not to be trusted. See `trustKeys`. */
  readonly verify?: (accepted: SubscriptionAccepted) => Promise<void>;
  /** Closes the subscription. */
  readonly signal?: AbortSignal;
  /** What could not be used, what was missed, and when a connection was cut. None of it ends the subscription. */
  readonly onTrouble?: (trouble: Trouble) => void;
  readonly onState?: (state: SubscriberState) => void;
  /** A question is over, and its dialog to be taken away. */
  readonly onPromptClosed?: (closed: ClosedPrompt) => void;
}

/** What a subscriber is made of. */
export function toSubscriberOptions(connector: Connector, capabilities: Capabilities, options: SubscribeOptions): SubscriberOptions {
  const { resume, wait = false, verify, onTrouble, onState, onPromptClosed } = options;
  const request = toRequest(capabilities, options);
  return { connector, request, clock: systemClock(), resume, isPatient: wait, verify, onTrouble, onState, onPromptClosed };
}

/** An event as it was said. */
export type AaepEvent = JsonObject;

/**
 * The events of a producer, each once and in order, for as long as they are iterated: connections that are cut are taken up
 * again. Ending the iteration, `close` and the signal end the subscription with a word to the producer.
 */
export class AaepSubscription implements AsyncIterable<AaepEvent>, AsyncDisposable {
  readonly #loading: Promise<Subscriber>;
  readonly #before: Resume;
  #subscriber: Subscriber | undefined;
  #failed = false;

  /** What it is made of may still be on its way. */
  constructor(subscriber: Subscriber | Promise<Subscriber>, { resume, signal }: Pick<SubscribeOptions, "resume" | "signal">) {
    this.#before = resume ?? {};
    if (!(subscriber instanceof Promise)) this.#subscriber = subscriber;
    this.#loading = Promise.resolve(subscriber);
    this.#loading.then(
      (loaded) => {
        this.#subscriber = loaded;
      },
      () => {
        this.#failed = true; // whoever takes events hears why
      },
    );
    const close = () => void this.close();
    signal?.addEventListener("abort", close, { once: true });
    if (signal?.aborted === true) close();
  }

  /** Fulfils after the first handshake, with what the producer honours; undefined where it knows no handshake. */
  get opened(): Promise<SubscriptionAccepted | undefined> {
    return this.#loading.then(({ opened }) => opened);
  }

  get state(): SubscriberState {
    return this.#subscriber?.state ?? (this.#failed ? "closed" : "connecting");
  }

  /** What was agreed last. */
  get accepted(): SubscriptionAccepted | undefined {
    return this.#subscriber?.accepted;
  }

  /** A plain value that another subscription can go on with, also in another process. */
  get resume(): Resume {
    return this.#subscriber?.resume ?? this.#before;
  }

  /** The questions that a person can still answer. */
  get prompts(): readonly Prompt[] {
    return this.#subscriber?.prompts ?? [];
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AaepEvent> {
    for await (const { event } of await this.#loading) yield event;
  }

  /**
   * What a person answered to a question, named by its event or its token. Sent once; false where the question is over already.
   * Nothing here answers by itself.
   */
  async reply(to: AaepEvent | string, reply: PromptReply): Promise<boolean> {
    const token = typeof to === "string" ? to : to["reply_token"];
    return typeof token === "string" && (await this.#loading).reply(token, reply);
  }

  /** Asks for other terms; what is left out stays as it is. */
  async renegotiate(capabilities: Capabilities): Promise<SubscriptionAccepted> {
    return (await this.#loading).renegotiate(capabilities);
  }

  /** Asks a producer that knows our extension to stop a session, as a person wishes. False where it was not sent. */
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

/** The clocks of this machine. A timer keeps the process alive: somebody waits for events. */
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

/** What the protocol asks of a subscriber that takes part in everything; each can be declared otherwise. */
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

/** Who says not to answer cannot claim the levels that ask for answers. */
function withReplies(capabilities: Capabilities): Capabilities {
  const isSilent = capabilities.supports_confirmation_reply === false && capabilities.supported_conformance_levels === undefined;
  return isSilent ? { ...capabilities, supported_conformance_levels: [1] } : capabilities;
}
