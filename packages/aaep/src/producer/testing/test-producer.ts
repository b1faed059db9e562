import {
  type Capabilities,
  type ClarificationReply,
  CORE_CONTEXT,
  type ConfirmationReply,
  type JsonObject,
  type SubscriptionRequest,
} from "@earshot/protocol";
import type { Feed } from "../../feed.ts";
import type { OutgoingEvent } from "../../shape/outgoing.ts";
import { BOUNDARIES } from "../../terms.ts";
import { LogFeed } from "../log-feed.ts";
import { createManifest } from "../manifest.ts";
import { AaepProducer } from "../producer.ts";
import type { Principal, ProducerOffer, ProducerPorts, ReplyOrigin } from "../producer-ports.ts";
import type { Subscription } from "../subscription.ts";
import type { SubscriptionEnding, SubscriptionSink } from "../subscription-ports.ts";

export const TEST_OFFER: ProducerOffer = {
  producer: { agent_id: "test-agent", agent_version: "1.0.0", agent_name: "Test agent" },
  versions: ["1.0.0"],
  levels: [1, 2, 3],
  boundaries: BOUNDARIES,
  extensions: [],
  takesConfirmations: true,
  takesClarifications: true,
};

export const ANA: Principal = { id: "ana", name: "Ana", mayRead: true, mayReply: true };
export const BEN: Principal = { id: "ben", name: "Ben", mayRead: true, mayReply: true };
export const VIEWER: Principal = { id: "vic", name: "Vic", mayRead: true, mayReply: false };

export interface TestProducer {
  readonly producer: AaepProducer;
  readonly feed: LogFeed;
  readonly replies: { readonly reply: ConfirmationReply | ClarificationReply; readonly from: ReplyOrigin }[];
  readonly failures: unknown[];
  readonly attended: { readonly confirmations: number; readonly clarifications: number }[];
  /** For each change: whether no listener is expected back. */
  readonly finals: boolean[];
}

export interface TestProducerOptions extends Partial<ProducerPorts> {
  readonly time?: ManualTime;
  readonly log?: LogFeed;
}

export function createTestProducer({ time, log, ...ports }: TestProducerOptions = {}): TestProducer {
  const feed = log ?? new LogFeed();
  const replies: TestProducer["replies"] = [];
  const failures: unknown[] = [];
  const attended: TestProducer["attended"] = [];
  const finals: boolean[] = [];
  let ids = 0;
  const clock = time ?? {
    monotonic: () => performance.now(),
    now: () => Date.now(),
    after: (ms: number, call: () => void) => {
      const timer = setTimeout(call, ms).unref();
      return () => clearTimeout(timer);
    },
  };
  const producer = new AaepProducer({
    feed,
    offer: () => TEST_OFFER,
    manifest: () => createManifest(TEST_OFFER, { transports: ["sse"], maxSubscriptions: 1000, multiAgent: "shared-session" }),
    reply: (reply, from) => replies.push({ reply, from }),
    attended: (who, isFinal) => {
      attended.push(who);
      finals.push(isFinal);
    },
    allowsImplicit: true,
    maxSubscriptions: 1000,
    monotonic: clock.monotonic,
    now: clock.now,
    newId: (prefix) => `${prefix}_${(++ids).toString(36).padStart(8, "0")}`,
    after: clock.after,
    onFailure: (error) => failures.push(error),
    ...ports,
  });
  return { producer, feed, replies, failures, attended, finals };
}

/** A feed that answers asynchronously, in small pages. */
export function slowFeed(feed: Feed, mostPerPage: number): Feed {
  return {
    head: () => feed.head(),
    onMore: (wake) => feed.onMore(wake),
    find: (id) => feed.find(id),
    idAt: (position) => feed.idAt(position),
    running: () => feed.running(),
    read: async (after, limit) => {
      await new Promise((resolve) => setImmediate(resolve));
      return await feed.read(after, Math.min(limit, mostPerPage));
    },
  };
}

export function testRequest(capabilities: Capabilities = {}, subscriber = "reader"): SubscriptionRequest {
  return { type: "subscription.request", aaep_version: "1.0.0", subscriber_id: subscriber, capabilities };
}

/** Subscribes and listens. */
export function joinProducer(
  { producer }: Pick<TestProducer, "producer">,
  capabilities: Capabilities = {},
  { principal = ANA, lastEventId }: { readonly principal?: Principal; readonly lastEventId?: string } = {},
): { readonly subscription: Subscription; readonly sink: RecordingSink } {
  const outcome = producer.subscribe(testRequest(capabilities), principal, { isResumable: true });
  if (!outcome.ok) throw new Error(outcome.rejected.reason_message);
  const sink = new RecordingSink();
  outcome.subscription.attach(sink, { joins: true, lastEventId });
  return { subscription: outcome.subscription, sink };
}

export class RecordingSink implements SubscriptionSink {
  readonly got: OutgoingEvent[] = [];
  /** Resume points, each with the number of events before it. */
  readonly marks: { readonly id: string; readonly after: number }[] = [];
  ending: SubscriptionEnding | undefined;
  /** Reports a full buffer after each write. */
  isSlow = false;

  send(events: readonly OutgoingEvent[]): boolean {
    this.got.push(...events);
    return !this.isSlow;
  }

  mark(id: string): void {
    this.marks.push({ id, after: this.got.length });
  }

  end(why: SubscriptionEnding): void {
    this.ending = why;
  }

  get ids(): readonly string[] {
    return this.got.map(({ eventId }) => eventId);
  }

  get events(): readonly JsonObject[] {
    return this.got.map(({ text }) => JSON.parse(text) as JsonObject);
  }

  get types(): readonly string[] {
    return this.events.map((event) => String(event["type"]).replace("aaep:agent.", ""));
  }

  /** The resume id of a subscriber that received this many events before the connection broke. */
  lastId(count = this.got.length): string | undefined {
    const event = this.got.slice(0, count).findLastIndex(({ resumable }) => resumable);
    const mark = this.marks.findLast(({ after }) => after <= count);
    return mark !== undefined && mark.after > event ? mark.id : this.got[event]?.eventId;
  }
}

/** A manual clock with the timers of a producer. */
export class ManualTime {
  #at = 1000;
  #timers: { readonly at: number; readonly call: () => void }[] = [];

  readonly monotonic = (): number => this.#at;
  readonly now = (): number => Date.UTC(2026, 6, 1) + this.#at;

  readonly after = (ms: number, call: () => void): (() => void) => {
    const timer = { at: this.#at + ms, call };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  get timers(): number {
    return this.#timers.length;
  }

  /** Advances timer by timer and lets each one's work run. */
  async pass(ms: number): Promise<void> {
    const end = this.#at + ms;
    for (;;) {
      await runPendingTurns();
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#at = Math.max(this.#at, next.at);
      next.call();
    }
    this.#at = end;
    await runPendingTurns();
  }
}

/** A few turns of the event loop, enough for all internal work. */
export async function runPendingTurns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Valid events, numbered as they are created. */
export class EventMaker {
  #made = 0;

  make(type: string, payload: JsonObject = {}, session = "sess_one"): JsonObject {
    const number = ++this.#made;
    return {
      "@context": CORE_CONTEXT,
      aaep_version: "1.0.0",
      type: `aaep:agent.${type}`,
      event_id: `evt_${String(number).padStart(6, "0")}`,
      session_id: session,
      timestamp: new Date(Date.UTC(2026, 6, 1) + number * 10).toISOString(),
      producer: { agent_id: "test-agent" },
      localization_hints: { primary_language: "en" },
      ...DEFAULTS[type],
      ...payload,
    };
  }

  started = (session?: string) => this.make("session.started", { summary_normal: "Working." }, session);
  completed = (session?: string) => this.make("session.completed", { summary_normal: "Done." }, session);
  tool = (session?: string) => this.make("tool.invoked", { tool: "read", summary_normal: "Reading." }, session);
  state = (from: string, to: string, session?: string) => this.make("state.changed", { from_state: from, to_state: to }, session);
  progress = (percent: number, session?: string) => this.make("progress.updated", { progress: { percent } }, session);
  output = (chunk: string, position: number, session?: string, complete = false) =>
    this.make("output.streaming", { chunk, position, complete, output_id: "out_1" }, session);
  confirmation = (session?: string) =>
    this.make(
      "awaiting.confirmation",
      {
        action: "Delete it.",
        consequence: "It is gone.",
        reply_token: `rpl_${this.#made}`,
        timeout_seconds: 180,
        default_decision: "reject",
        summary_normal: "Delete it?",
      },
      session,
    );
}

const DEFAULTS: Readonly<Record<string, JsonObject>> = {
  "awaiting.confirmation": { urgency: "critical" },
  "awaiting.clarification": { urgency: "critical" },
  "session.errored": { urgency: "critical" },
  "handoff.requested": { urgency: "critical" },
};
