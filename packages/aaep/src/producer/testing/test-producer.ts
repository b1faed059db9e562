import type { JsonObject } from "@earshot/protocol";
import type { Feed } from "../../feed.ts";
import type { Capabilities, ClarificationReply, ConfirmationReply, SubscriptionRequest } from "../../messages.ts";
import type { Outgoing } from "../../shape/outgoing.ts";
import { BOUNDARIES } from "../../terms.ts";
import { LogFeed } from "../log-feed.ts";
import { createManifest } from "../manifest.ts";
import type { Offer } from "../offer.ts";
import { AaepProducer } from "../producer.ts";
import type { Principal, ProducerPorts, ReplyFrom } from "../producer-ports.ts";
import type { Ending, Sink } from "../sink.ts";
import type { Subscription } from "../subscription.ts";
import type { ManualTime } from "./manual-time.ts";

export const OFFER: Offer = {
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
  readonly replies: { readonly reply: ConfirmationReply | ClarificationReply; readonly from: ReplyFrom }[];
  readonly failures: unknown[];
  readonly attended: { readonly confirmations: number; readonly clarifications: number }[];
  /** For each of those: whether nobody is expected back. */
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
    offer: () => OFFER,
    manifest: () => createManifest(OFFER, { transports: ["sse"], maxSubscriptions: 1000, multiAgent: "shared-session" }),
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

/** A feed that answers later, and in pages as small as it likes. */
export function slowly(feed: Feed, mostPerPage: number): Feed {
  return {
    head: () => feed.head(),
    onMore: (wake) => feed.onMore(wake),
    find: (id) => feed.find(id),
    running: () => feed.running(),
    read: async (after, limit) => {
      await new Promise((resolve) => setImmediate(resolve));
      return await feed.read(after, Math.min(limit, mostPerPage));
    },
  };
}

export function request(capabilities: Capabilities = {}, subscriber = "reader"): SubscriptionRequest {
  return { type: "subscription.request", aaep_version: "1.0.0", subscriber_id: subscriber, capabilities };
}

/** Subscribes and listens. */
export function join(
  { producer }: Pick<TestProducer, "producer">,
  capabilities: Capabilities = {},
  { principal = ANA, lastEventId }: { readonly principal?: Principal; readonly lastEventId?: string } = {},
): { readonly subscription: Subscription; readonly sink: RecordingSink } {
  const outcome = producer.subscribe(request(capabilities), principal, { isResumable: true });
  if (!outcome.ok) throw new Error(outcome.rejected.reason_message);
  const sink = new RecordingSink();
  outcome.subscription.attach(sink, { joins: true, lastEventId });
  return { subscription: outcome.subscription, sink };
}

export class RecordingSink implements Sink {
  readonly got: Outgoing[] = [];
  /** Places to resume from, each with how many events came before it. */
  readonly marks: { readonly id: string; readonly after: number }[] = [];
  ending: Ending | undefined;
  /** Says that it is full after each write. */
  isSlow = false;

  send(events: readonly Outgoing[]): boolean {
    this.got.push(...events);
    return !this.isSlow;
  }

  mark(id: string): void {
    this.marks.push({ id, after: this.got.length });
  }

  end(why: Ending): void {
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

  /** The id to resume from for somebody who got so many events before the connection broke. */
  lastId(count = this.got.length): string | undefined {
    const event = this.got.slice(0, count).findLastIndex(({ resumable }) => resumable);
    const mark = this.marks.findLast(({ after }) => after <= count);
    return mark !== undefined && mark.after > event ? mark.id : this.got[event]?.eventId;
  }
}
