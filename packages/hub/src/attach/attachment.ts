import {
  type Connector,
  type IncomingEvent,
  readProducerAddress,
  SESSION_STOP,
  Subscriber,
  type SubscriberClock,
  type SubscriberState,
  type SubscriptionProblem,
  trustKeys,
} from "@earshot/aaep";
import { createConnector } from "@earshot/aaep/node";
import { EarshotError, type SubscriptionAccepted } from "@earshot/protocol";
import { tooLarge } from "../intake/held-bytes.ts";
import { type EventPiece, toRefusal } from "../intake/piece.ts";
import { redactText } from "../intake/redact-text.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { RequestEngine } from "../requests/engine.ts";
import type { HeldRequest } from "../requests/held-request.ts";
import type { Verdict } from "../verdict.ts";
import type { AttachmentState, AttachmentView } from "./api.ts";
import { type AttachmentRecord, type AttachmentTarget, toHubRequest } from "./attachment-file.ts";
import { CarriedReplies } from "./carried-replies.ts";
import { CommandRuns } from "./command-runs.ts";
import { decidedRequestsOf, ProducerQuestions } from "./producer-questions.ts";

export interface AttachedProducerPorts {
  readonly ledger: Ledger;
  readonly engine: RequestEngine;
  /** Stores events like posted ones, and opens their questions unless the producer takes no replies. */
  readonly receive: (pieces: readonly EventPiece[], source: string, hearsAnswers: boolean) => Promise<readonly Verdict[]>;
  readonly clock: SubscriberClock;
  readonly version: string;
  /** The maximum event size. */
  readonly eventBytes: number;
  /** How long an asker may be away before nobody seems to wait. */
  readonly graceMs: number;
  readonly onFailure: (error: unknown) => void;
  /** The resume point has moved. */
  readonly onProgress: (current: AttachmentRecord) => void;
  /** It will not reconnect by itself. */
  readonly onEnded: (attachment: AttachedProducer) => void;
}

const BATCH = 200;
/** Delay after a ledger failure or overload. */
const AGAIN_MS = 1000;
const ENDED = "The producer has ended.";
const LONGEST_TROUBLE = 500;

/**
 * A producer this hub subscribes to. Its events are stored like posted ones under this source; its questions are answered here and the
 * answers sent back. Events during a lost connection are neither missed nor stored twice.
 */
export class AttachedProducer implements AsyncDisposable {
  readonly record: AttachmentRecord;
  readonly #ports: AttachedProducerPorts;
  readonly #connector: Connector;
  readonly #subscriber: Subscriber;
  readonly #replies: CarriedReplies;
  readonly #stopHearing: () => void;
  readonly #running: Promise<void>;
  readonly #questions: ProducerQuestions;
  #failure: EarshotError["problem"] | undefined;
  #trouble: string | undefined;
  #events = 0;
  #lastEventAt: number | undefined;
  #stopGrace: (() => void) | undefined;
  #isClosing = false;

  /** `isNew`: attached just now, so it must answer. */
  constructor(record: AttachmentRecord, ports: AttachedProducerPorts, { isNew }: { readonly isNew: boolean }) {
    this.record = record;
    this.#ports = ports;
    this.#questions = new ProducerQuestions({ ...ports, source: record.source });
    this.#connector = this.#connectorFor(record.to);
    this.#subscriber = new Subscriber({
      connector: this.#connector,
      request: toHubRequest(record.to, ports.version),
      clock: ports.clock,
      resume: record.to.kind === "command" ? undefined : record.resume,
      isPatient: !isNew,
      verify: verifyFor(record.to),
      onTrouble: (trouble) => this.#heardTrouble(trouble),
      onState: (state) => this.#became(state),
    });
    this.#replies = new CarriedReplies({
      ...ports,
      send: (message) => this.#subscriber.send(message),
      isConnected: () => this.#subscriber.state === "open",
      subscriptionId: () => this.#subscriber.subscriptionId,
      isAcknowledged: this.#connector.transport === "sse",
      now: ports.clock.now,
    });
    this.#stopHearing = ports.engine.onEnded((held) => this.#requestEnded(held));
    this.#running = this.#run();
    if (!isNew) this.#waitForReturn();
  }

  /** Fulfills after the first handshake, or rejects with the problem. */
  get opened(): Promise<unknown> {
    return this.#subscriber.opened;
  }

  /** The record to store. */
  get current(): AttachmentRecord {
    return { ...this.record, resume: this.#subscriber.resume };
  }

  get state(): AttachmentState {
    const { state } = this.#subscriber;
    if (state !== "closed") return state;
    return this.#failure?.code === "PRODUCER_ENDED" ? "ended" : "failed";
  }

  get view(): AttachmentView {
    const { id, source, by, at } = this.record;
    const { accepted } = this.#subscriber;
    return {
      id,
      source,
      transport: this.#connector.transport,
      state: this.state,
      trouble: this.#failure?.message ?? this.#trouble ?? null,
      agent: accepted === undefined ? null : (accepted.producer.agent_name ?? accepted.producer.agent_id),
      by,
      at: new Date(at).toISOString(),
      events: this.#events,
      lastEventAt: this.#lastEventAt === undefined ? null : new Date(this.#lastEventAt).toISOString(),
      notes: accepted?.negotiation_notes ?? null,
    };
  }

  /** Asks the producer to end a session that a person stopped. */
  async stop(session: string, reason: string | null): Promise<void> {
    await this.#subscriber.send({ type: SESSION_STOP, session_id: session, ...(reason === null ? {} : { reason }) });
  }

  /** The hub stops and will return: questions stay open. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#stopGrace?.();
    this.#stopHearing();
    await this.#subscriber.close();
    await this.#running;
  }

  /** It is detached: its questions are withdrawn. */
  async detach(by: string): Promise<void> {
    await this.close();
    await this.#questions.withdrawAll(by, "The hub no longer follows this producer.");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #connectorFor(to: AttachmentTarget): Connector {
    if (to.kind === "address") return createConnector(readProducerAddress(to.url), { headers: to.headers, token: tokenIn(to.headers) });
    const onExit = () => void this.#questions.withdrawAll("hub", ENDED).catch(this.#ports.onFailure);
    return new CommandRuns({ ...to, monotonic: this.#ports.clock.monotonic, onExit });
  }

  async #run(): Promise<void> {
    try {
      await this.#recall();
      for (;;) {
        const taken = await this.#subscriber.take(BATCH);
        if (taken === undefined) return;
        await this.#take(taken);
        this.#subscriber.dealtWith();
        this.#ports.onProgress(this.current);
      }
    } catch (error) {
      if (this.#isClosing) return; // what was not stored comes again
      this.#failure = EarshotError.is(error) ? error.problem : { code: "INTERNAL", message: "The attachment failed." };
      if (!EarshotError.is(error)) this.#ports.onFailure(error);
      this.#stopHearing();
      this.#ports.onEnded(this);
      await this.#questions.lose().catch(this.#ports.onFailure);
    }
  }

  /** Completes when stored; the producer waits meanwhile. */
  async #take(taken: readonly IncomingEvent[]): Promise<void> {
    const pieces = taken.map(({ text }) => toPiece(text, this.#ports.eventBytes));
    const verdicts = await this.#receive(pieces);
    this.#events += taken.length;
    this.#lastEventAt = this.#ports.clock.now();
    for (let index = 0; index < taken.length; index++) {
      const [incoming, verdict] = [taken[index], verdicts[index]];
      if (incoming === undefined || verdict === undefined) continue;
      this.#replies.handleEvent(incoming);
      await this.#questions.handleEvent(incoming, verdict);
    }
    // Its last events may be questions.
    if (this.record.to.kind === "command" && this.#subscriber.state !== "open") await this.#questions.withdrawAll("hub", ENDED);
  }

  /** A producer that takes no replies, such as a replay, cannot ask, because its answer could not be delivered. */
  get #hearsAnswers(): boolean {
    const honored = this.#subscriber.accepted?.honored_capabilities;
    return honored?.supports_confirmation_reply !== false || honored.supports_clarification_reply !== false;
  }

  async #receive(pieces: readonly EventPiece[]): Promise<readonly Verdict[]> {
    for (;;) {
      try {
        return await this.#ports.receive(pieces, this.record.source, this.#hearsAnswers);
      } catch (error) {
        if (this.#isClosing) throw error;
        this.#trouble = EarshotError.is(error) ? error.problem.message : "What it said could not be stored.";
        await new Promise<void>((resolve) => this.#ports.clock.after(AGAIN_MS, resolve));
      }
    }
  }

  /** Questions of this producer from before the hub's start: open ones, and decided ones that may not have been delivered. */
  async #recall(): Promise<void> {
    const { ledger, engine, clock } = this.#ports;
    const { source } = this.record;
    // A command was a child of the previous hub and ended with it.
    if (this.record.to.kind === "command") await this.#questions.withdrawAll("hub", ENDED);
    await this.#questions.recall();
    for (const { id } of await decidedRequestsOf(ledger, source, clock.now())) await this.#replies.carry(await engine.find(id));
  }

  #requestEnded(held: HeldRequest): void {
    const { protocol, source } = held.card.asked;
    if (protocol !== "aaep" || source !== this.record.source) return;
    this.#replies.carry(held).catch(this.#ports.onFailure);
  }

  #became(state: SubscriberState): void {
    if (state === "open") {
      this.#stopGrace?.();
      this.#stopGrace = undefined;
      this.#trouble = undefined;
      void this.#returned().catch(this.#ports.onFailure);
    } else if (state !== "closed") this.#waitForReturn();
    this.#ports.onProgress(this.current);
  }

  /** Counted from the loss of the connection, whatever the number of attempts. */
  #waitForReturn(): void {
    const lose = () => void this.#questions.lose().catch(this.#ports.onFailure);
    this.#stopGrace ??= this.#ports.clock.after(this.#ports.graceMs, lose);
  }

  async #returned(): Promise<void> {
    await this.#questions.returned();
    await this.#replies.flush();
    const { stopped } = this.#ports.engine.control.view();
    for (const { source, session, reason } of stopped) if (source === this.record.source) await this.stop(session, reason);
  }

  #heardTrouble(trouble: SubscriptionProblem): void {
    if (trouble.kind === "malformed" || trouble.kind === "conflict") {
      // Invalid texts are kept with the refused events.
      this.#ports.receive([toPiece(trouble.text, this.#ports.eventBytes)], this.record.source, true).catch(() => {}); // there is no room for it
      return;
    }
    if ("message" in trouble) this.#trouble = redactText(trouble.message.slice(0, LONGEST_TROUBLE)).text;
  }
}

function verifyFor(to: AttachmentTarget): ((accepted: SubscriptionAccepted) => Promise<void>) | undefined {
  return to.kind === "address" && to.keys.length > 0 ? trustKeys(to.keys) : undefined;
}

function toPiece(text: string, maxBytes: number): EventPiece {
  const sizeBytes = Buffer.byteLength(text);
  return sizeBytes > maxBytes ? toRefusal(tooLarge("event", maxBytes), Buffer.from(text)) : { line: 1, text, sizeBytes };
}

/** Local sockets have no headers, so the credential goes into the request. */
function tokenIn({ authorization }: Readonly<Record<string, string>>): string | undefined {
  return authorization === undefined ? undefined : /^bearer +(\S+)$/i.exec(authorization)?.[1];
}
