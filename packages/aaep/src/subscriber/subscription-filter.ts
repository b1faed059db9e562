import type { JsonObject } from "@earshot/protocol";
import { hashContent } from "@earshot/protocol/json";
import type { IncomingEvent, ReceivedItem, SubscriptionProblem } from "./incoming.ts";
import { type ClosedPrompt, OpenPrompts } from "./open-prompts.ts";
import { readReceivedText } from "./read-received-text.ts";
import { type OrderedEvents, SequenceWindow } from "./sequence-window.ts";

/** The result of a received text. */
export interface ProcessedText {
  /** The received event, if new: it is among `incoming` now or later. */
  readonly heard: IncomingEvent | undefined;
  /** Each event once, in order within its session. */
  readonly incoming: readonly IncomingEvent[];
  readonly message: { readonly type: string; readonly message: JsonObject } | undefined;
  readonly troubles: readonly SubscriptionProblem[];
  /** Prompts to close. */
  readonly closed: readonly ClosedPrompt[];
}

const NOTHING: ProcessedText = { heard: undefined, incoming: [], message: undefined, troubles: [], closed: [] };

interface SieveOptions {
  /** How long an event waits for earlier ones. 0 only reports gaps. */
  readonly holdMs?: number;
}

/**
 * The pure part of a subscriber: turns received texts into events that occur once and in order. Unknown types and extensions pass
 * unchanged. Times are passed in: `at` monotonic, `now` wall time.
 */
export class SubscriptionFilter {
  readonly prompts = new OpenPrompts();
  readonly #recent = new RecentEvents();
  readonly #window: SequenceWindow;

  constructor({ holdMs }: SieveOptions = {}) {
    this.#window = new SequenceWindow(holdMs);
  }

  handle({ text }: Pick<ReceivedItem, "text">, at: number, now: number): ProcessedText {
    const read = readReceivedText(text);
    if (read.kind === "malformed") return { ...NOTHING, troubles: [{ kind: "malformed", text, message: read.message }] };
    if (read.kind === "message") return { ...NOTHING, message: { type: read.type, message: read.message } };
    const { incoming } = read;
    const heard = this.#recent.handle(incoming);
    if (heard === "again") return NOTHING;
    if (heard === "conflict") return { ...NOTHING, troubles: [{ kind: "conflict", eventId: incoming.eventId, text }] };
    return { ...this.#sift(this.#window.handle(incoming, at), at, now), heard: incoming };
  }

  /** When `tick` has work to do. */
  dueAt(): number | undefined {
    const [one, other] = [this.#window.dueAt(), this.prompts.dueAt()];
    return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
  }

  tick(at: number, now: number): ProcessedText {
    const sifted = this.#sift(this.#window.tick(at), at, now);
    return { ...sifted, closed: [...sifted.closed, ...this.prompts.tick(at)] };
  }

  /** The stream is joined anew and may begin anywhere. */
  rejoin(at: number, now: number): ProcessedText {
    return this.#sift(this.#window.rejoin(), at, now);
  }

  #sift({ incoming, troubles }: OrderedEvents, at: number, now: number): ProcessedText {
    const closed = incoming.flatMap((one) => this.prompts.handle(one, at, now));
    return { heard: undefined, incoming, message: undefined, troubles, closed };
  }
}

/** At least this many events are remembered, and at most twice as many. */
const CAPACITY = 10_000;

/** Recently received events, because producers may repeat them. Bounded by two generations, the older of which is dropped as a whole. */
class RecentEvents {
  readonly #capacity: number;
  #young = new Map<string, number>();
  #old = new Map<string, number>();

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity;
  }

  /** `new` at most once per event; `conflict` if its id had another content. */
  handle({ agent, eventId, event }: IncomingEvent): "new" | "again" | "conflict" {
    const key = `${eventId} ${agent}`; // an event id has no space in it
    const hash = hashContent(event);
    const known = this.#young.get(key) ?? this.#old.get(key);
    if (known !== undefined) return known === hash ? "again" : "conflict";
    if (this.#young.size >= this.#capacity) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, hash);
    return "new";
  }
}
