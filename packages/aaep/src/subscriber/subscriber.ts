import type { Capabilities, JsonObject, SubscriptionAccepted, SubscriptionRejected, SubscriptionRequest } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";
import type { ResumeState, SubscribedConnection } from "./connector.ts";
import type { IncomingEvent, ReceivedItem, SubscriptionProblem } from "./incoming.ts";
import { IncomingInbox } from "./incoming-inbox.ts";
import { describeLinkError, maintainConnection } from "./maintain-connection.ts";
import { type Prompt, type PromptReply, toReplyMessage } from "./open-prompts.ts";
import { OverloadControl } from "./overload-control.ts";
import { rejectedError } from "./rejection.ts";
import { Renegotiation } from "./renegotiation.ts";
import { SUBSCRIBER_LIMITS, type SubscriberLimits, type SubscriberOptions, type SubscriberState } from "./subscriber-options.ts";
import { type ProcessedText, SubscriptionFilter } from "./subscription-filter.ts";
import { createDeferred, WakeSignal, waitForDelay } from "./waiting.ts";

/** Replies need an id even without a handshake. */
const NO_SUBSCRIPTION = "sub_none";
const FAREWELL_MS = 2000;
const FAREWELL = { type: "subscription.close", reason_code: "subscriber_shutdown" } as const;

/**
 * One subscription to a producer: connects, resumes lost connections, returns each event once and in order, requests less when
 * overloaded, sends a person's answers, and closes with a message. Answers nothing by itself. All state is bounded: the producer waits
 * for slow consumers.
 */
export class Subscriber implements AsyncIterable<IncomingEvent>, AsyncDisposable {
  /** Fulfills after the first handshake; undefined if the producer knows none. Rejects if there will never be one. */
  readonly opened: Promise<SubscriptionAccepted | undefined>;
  readonly #options: SubscriberOptions;
  readonly #limits: SubscriberLimits;
  readonly #sieve: SubscriptionFilter;
  readonly #inbox: IncomingInbox;
  readonly #overload: OverloadControl;
  readonly #renegotiation = new Renegotiation();
  readonly #closing = new AbortController();
  readonly #opening = createDeferred<SubscriptionAccepted | undefined>();
  readonly #running: Promise<void>;
  readonly #more = new WakeSignal();
  readonly #queues = new WakeSignal();
  readonly #linked = new WakeSignal();
  #request: SubscriptionRequest;
  #accepted: SubscriptionAccepted | undefined;
  #connection: SubscribedConnection | undefined;
  #state: SubscriberState = "connecting";
  #failure: unknown;
  #stopTimer: (() => void) | undefined;

  constructor(options: SubscriberOptions) {
    const { request, resume, connector, clock, isPatient = false } = options;
    if (request.capabilities.accept_signed_manifests_only === true && options.verify === undefined)
      throw untrusted("Only signed manifests are to be accepted, and no key is named that is trusted.");
    this.#options = options;
    this.#limits = { ...SUBSCRIBER_LIMITS, ...options.limits };
    this.#request = request;
    this.#accepted = resume?.accepted;
    this.#sieve = new SubscriptionFilter({ holdMs: this.#limits.holdMs });
    this.#inbox = new IncomingInbox(this.#limits.queue, resume?.lastEventId);
    this.#overload = new OverloadControl(request.capabilities, this.#limits.overload);
    this.opened = this.#opening.promise;
    this.opened.catch(() => {}); // `take` throws it as well
    const ports = {
      connector,
      clock,
      isPatient,
      retryMs: this.#limits.retryMs,
      longestRetryMs: this.#limits.longestRetryMs,
      greeting: () => {
        this.#become("connecting");
        return { request: this.#request, resume: this.resume };
      },
      onConnected: (connection: SubscribedConnection) => this.#begin(connection),
      onArrived: (arrived: ReceivedItem) => this.#handle(arrived),
      onCut: (message: string) => this.#cut(message),
    };
    this.#running = maintainConnection(ports, this.#closing.signal).catch((error: unknown) => this.#end(error));
  }

  get state(): SubscriberState {
    return this.#state;
  }

  /** The latest accepted terms. */
  get accepted(): SubscriptionAccepted | undefined {
    return this.#accepted;
  }

  get subscriptionId(): string {
    return this.#accepted?.subscription_id ?? NO_SUBSCRIPTION;
  }

  /** The point from which another subscription can resume. */
  get resume(): ResumeState {
    return { accepted: this.#accepted, lastEventId: this.#inbox.resumeAfter };
  }

  /** Number of events received and not taken. */
  get waiting(): number {
    return this.#inbox.size;
  }

  /** The open questions. */
  get prompts(): readonly Prompt[] {
    return this.#sieve.prompts.list();
  }

  /**
   * At least one event and at most `atMost`; undefined at the end. Throws if it ended with an error. A call implies that earlier events
   * were processed.
   */
  async take(atMost = 100): Promise<readonly IncomingEvent[] | undefined> {
    this.dealtWith();
    for (;;) {
      if (this.#closing.signal.aborted) return undefined;
      const taken = this.#inbox.take(atMost);
      if (taken.length > 0) {
        this.#queues.ring();
        this.#watchLoad();
        return taken;
      }
      if (this.#failure !== undefined) throw this.#failure;
      await this.#more.next();
    }
  }

  /** The taken events are processed: `resume` moves after them. */
  dealtWith(): void {
    this.#inbox.dealtWith();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<IncomingEvent> {
    try {
      for (;;) {
        const [incoming] = (await this.take(1)) ?? [];
        if (incoming === undefined) return;
        yield incoming;
      }
    } finally {
      await this.close();
    }
  }

  /**
   * Sends a person's answer once, as soon as there is a connection. False if the question is over or unknown, and nothing is sent. Throws
   * if the answer does not fit the question.
   */
  async reply(token: string, reply: PromptReply): Promise<boolean> {
    const { clock } = this.#options;
    const prompt = this.#sieve.prompts.find(token);
    if (prompt === undefined || prompt.deadline <= clock.monotonic()) return false;
    this.#checkMayReply(prompt.kind);
    const now = clock.now();
    const message = () => toReplyMessage(prompt, reply, { subscriptionId: this.subscriptionId, now });
    message(); // refused before the question is closed
    this.#sieve.prompts.answered(token);
    const isOver = new AbortController();
    const stop = clock.after(prompt.deadline - clock.monotonic(), () => isOver.abort());
    try {
      while (!isOver.signal.aborted && !this.#closing.signal.aborted && this.#failure === undefined) {
        if (await this.send(message())) return true;
        const again = waitForDelay(clock, this.#limits.retryMs, isOver.signal);
        await (this.#connection === undefined ? Promise.race([this.#linked.next(), again]) : again);
      }
      return false;
    } finally {
      stop();
      isOver.abort();
    }
  }

  /** Sends a message now. False without a connection or after a failure, when it may have arrived. */
  async send(message: object): Promise<boolean> {
    try {
      if (this.#connection === undefined) return false;
      await this.#connection.send(message as JsonObject);
      return true;
    } catch (error) {
      this.#trouble({ kind: "undelivered", message: describeLinkError(error) });
      return false;
    }
  }

  /** Requests other terms; omitted ones stay as they are. Returns the honored ones, or throws if the producer refuses. */
  async renegotiate(capabilities: Capabilities): Promise<SubscriptionAccepted> {
    const accepted = await this.#renegotiate(capabilities);
    this.#request = { ...this.#request, capabilities: { ...this.#request.capabilities, ...capabilities } };
    return accepted;
  }

  /** Sends a farewell and ends. Events not taken are dropped. */
  async close(): Promise<void> {
    if (!this.#closing.signal.aborted) {
      this.#closing.abort();
      this.#renegotiation.giveUp();
      await this.#leave();
      this.#end(undefined);
    }
    await this.#running;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Does not wait for a producer that does not read. */
  async #leave(): Promise<void> {
    const leaving = this.#connection?.close({ ...FAREWELL, subscription_id: this.subscriptionId });
    if (leaving === undefined) return;
    const late = new Promise<void>((resolve) => {
      const stop = this.#options.clock.after(FAREWELL_MS, resolve);
      void leaving.then(stop);
    });
    await Promise.race([leaving, late]);
  }

  async #begin(connection: SubscribedConnection): Promise<void> {
    const { clock, verify } = this.#options;
    const isDemanded = this.#request.capabilities.accept_signed_manifests_only === true;
    if (connection.accepted !== undefined) await verify?.(connection.accepted);
    else if (isDemanded) throw untrusted("The producer serves without a handshake, and shows no manifest.");
    const { accepted, lastEventId } = this.resume;
    if ((accepted !== undefined || lastEventId !== undefined) && !connection.resumes)
      this.#trouble({ kind: "missed", message: "The producer cannot say again what it said meanwhile." });
    this.#accepted = connection.accepted;
    this.#connection = connection;
    this.#overload.restart();
    this.#pass(this.#sieve.rejoin(clock.monotonic(), clock.now()));
    this.#become("open");
    this.#opening.resolve(connection.accepted);
    this.#linked.ring();
  }

  async #handle(arrived: ReceivedItem): Promise<"more" | "over"> {
    const { clock } = this.#options;
    const sifted = this.#sieve.handle(arrived, clock.monotonic(), clock.now());
    this.#inbox.arrived(arrived.id, sifted.heard);
    this.#pass(sifted);
    if (sifted.message !== undefined && this.#handleMessage(sifted.message.type, sifted.message.message)) return "over";
    while (this.#inbox.isFull && !this.#closing.signal.aborted) await this.#queues.next();
    return "more";
  }

  #pass({ incoming, troubles, closed }: ProcessedText): void {
    this.#inbox.push(incoming);
    for (const trouble of troubles) this.#trouble(trouble);
    for (const one of closed) this.#options.onPromptClosed?.(one);
    if (incoming.length > 0) {
      this.#more.ring();
      this.#watchLoad();
    }
    this.#setTimer();
  }

  /** Returns whether the producer ended the subscription. */
  #handleMessage(type: string, message: JsonObject): boolean {
    const wasAwaited = this.#renegotiation.handleMessage(message);
    switch (type) {
      case "subscription.accepted":
        this.#accepted = message as unknown as SubscriptionAccepted;
        return false;
      case "subscription.rejected":
        if (!wasAwaited) throw rejectedError(message as unknown as SubscriptionRejected);
        return true; // a new one begins, with the terms of before
      case "subscription.close":
        return message["subscription_id"] === undefined || message["subscription_id"] === this.subscriptionId;
      default:
        return false; // of an extension, or of a later version
    }
  }

  async #renegotiate(capabilities: Capabilities): Promise<SubscriptionAccepted> {
    const connection = this.#connection;
    if (connection === undefined || this.#accepted === undefined)
      throw new EarshotError({ code: "PRODUCER_UNREACHABLE", message: "There is no subscription whose terms could be changed." });
    try {
      const accepted = await this.#renegotiation.ask(connection, this.subscriptionId, capabilities);
      this.#accepted = accepted;
      return accepted;
    } catch (error) {
      if (EarshotError.is(error) && error.problem.code === "PRODUCER_REFUSED") await connection.close(); // that ends the subscription
      throw error;
    }
  }

  #watchLoad(): void {
    if (this.#accepted === undefined || this.#connection === undefined || this.#renegotiation.isPending) return;
    const wanted = this.#overload.note(this.#inbox.size, this.#inbox.taken, this.#options.clock.monotonic());
    if (wanted === undefined) return;
    this.#renegotiate(wanted).catch((error: unknown) => this.#trouble({ kind: "refused", message: describeLinkError(error) }));
  }

  #checkMayReply(kind: Prompt["kind"]): void {
    const { supports_confirmation_reply: confirms, supports_clarification_reply: clarifies } = this.#request.capabilities;
    if ((kind === "confirmation" ? confirms : clarifies) === true) return;
    const message = `The subscription did not say that it answers: supports_${kind}_reply.`;
    throw new EarshotError({ code: "ANSWER_INVALID", message });
  }

  #setTimer(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    const due = this.#sieve.dueAt();
    if (due === undefined || this.#closing.signal.aborted) return;
    const { clock } = this.#options;
    this.#stopTimer = clock.after(Math.max(0, due - clock.monotonic()), () => this.#pass(this.#sieve.tick(clock.monotonic(), clock.now())));
  }

  #cut(message: string): void {
    this.#connection = undefined;
    this.#renegotiation.giveUp();
    this.#trouble({ kind: "cut", message });
    this.#become("cut");
  }

  #become(state: SubscriberState): void {
    if (this.#state === state || this.#state === "closed") return;
    this.#state = state;
    this.#options.onState?.(state);
  }

  #end(failure: unknown): void {
    this.#failure ??= failure;
    this.#connection = undefined;
    this.#become("closed");
    this.#stopTimer?.();
    this.#opening.reject(failure ?? new EarshotError({ code: "PRODUCER_UNREACHABLE", message: "The subscription was closed." }));
    for (const bell of [this.#more, this.#queues, this.#linked]) bell.ring();
  }

  #trouble(trouble: SubscriptionProblem): void {
    this.#options.onTrouble?.(trouble);
  }
}

function untrusted(message: string): EarshotError {
  return new EarshotError({ code: "MANIFEST_UNTRUSTED", message });
}
