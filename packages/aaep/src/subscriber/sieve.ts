import type { JsonObject } from "@earshot/protocol";
import { hashContent } from "@earshot/protocol/json";
import type { Arrived, Incoming, Trouble } from "./incoming.ts";
import { type ClosedPrompt, OpenPrompts } from "./open-prompts.ts";
import { readArrived } from "./read-arrived.ts";
import { type Ordered, SequenceWindow } from "./sequence-window.ts";

/** What became of what arrived. */
export interface Sifted {
  /** The event that arrived, where it is a new one: it is among `incoming` now or later. */
  readonly heard: Incoming | undefined;
  /** Each event once, in order within its session. */
  readonly incoming: readonly Incoming[];
  readonly message: { readonly type: string; readonly message: JsonObject } | undefined;
  readonly troubles: readonly Trouble[];
  /** Questions that are to be taken away. */
  readonly closed: readonly ClosedPrompt[];
}

const NOTHING: Sifted = { heard: undefined, incoming: [], message: undefined, troubles: [], closed: [] };

interface SieveOptions {
  /** How long an event waits for one that should come before it. 0 only notices that it is missing. */
  readonly holdMs?: number;
}

/**
 * The pure half of a subscriber: what arrives, in whatever state, becomes events that were each heard once and are in order.
 * Unknown types and extensions pass as they are. Times are passed in: `at` of a monotonic clock, `now` of the wall.
 */
export class Sieve {
  readonly prompts = new OpenPrompts();
  readonly #recent = new RecentEvents();
  readonly #window: SequenceWindow;

  constructor({ holdMs }: SieveOptions = {}) {
    this.#window = new SequenceWindow(holdMs);
  }

  hear({ text }: Pick<Arrived, "text">, at: number, now: number): Sifted {
    const read = readArrived(text);
    if (read.kind === "malformed") return { ...NOTHING, troubles: [{ kind: "malformed", text, message: read.message }] };
    if (read.kind === "message") return { ...NOTHING, message: { type: read.type, message: read.message } };
    const { incoming } = read;
    const heard = this.#recent.hear(incoming);
    if (heard === "again") return NOTHING;
    if (heard === "conflict") return { ...NOTHING, troubles: [{ kind: "conflict", eventId: incoming.eventId, text }] };
    return { ...this.#sift(this.#window.hear(incoming, at), at, now), heard: incoming };
  }

  /** When `tick` has something to do. */
  dueAt(): number | undefined {
    const [one, other] = [this.#window.dueAt(), this.prompts.dueAt()];
    return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
  }

  tick(at: number, now: number): Sifted {
    const sifted = this.#sift(this.#window.tick(at), at, now);
    return { ...sifted, closed: [...sifted.closed, ...this.prompts.tick(at)] };
  }

  /** The stream is joined anew, and may begin anywhere. */
  rejoin(at: number, now: number): Sifted {
    return this.#sift(this.#window.rejoin(), at, now);
  }

  #sift({ incoming, troubles }: Ordered, at: number, now: number): Sifted {
    const closed = incoming.flatMap((one) => this.prompts.hear(one, at, now));
    return { heard: undefined, incoming, message: undefined, troubles, closed };
  }
}

/** So many events are remembered for certain, and at most twice as many. */
const CAPACITY = 10_000;

/**
 * Which events were heard already: producers may say the same again. Bounded: two generations, the older of which is
 * forgotten as a whole.
 */
class RecentEvents {
  readonly #capacity: number;
  #young = new Map<string, number>();
  #old = new Map<string, number>();

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity;
  }

  /** `new` at most once for each event; `conflict` where its id was used for another content. */
  hear({ agent, eventId, event }: Incoming): "new" | "again" | "conflict" {
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
