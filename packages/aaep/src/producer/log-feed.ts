import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import { isTerminalType } from "@earshot/protocol/aaep-names";
import type { Feed, FeedEvent, FeedPage, SessionSummaryState } from "../feed.ts";
import { toFeedEvent } from "./to-feed-event.ts";

export interface LogFeedOptions {
  readonly maxEvents?: number;
  /** Characters of all events as text. */
  readonly maxCharacters?: number;
}

/** Stands for the position before the first event. */
const BEGINNING = "evt_0";

/** The recent events of an agent that serves itself, in memory and bounded. Readers of older events learn that some are missing. */
export class LogFeed implements Feed {
  readonly #maxEvents: number;
  readonly #maxCharacters: number;
  readonly #positions = new Map<string, number>();
  readonly #sessions = new RunningSessions();
  readonly #wakes = new Set<() => void>();
  /** Positions are dense: the first kept event's position is one more than the number of dropped ones. */
  #kept: FeedEvent[] = [];
  #dropped = 0;
  #characters = 0;

  constructor({ maxEvents = 10_000, maxCharacters = 16 << 20 }: LogFeedOptions = {}) {
    this.#maxEvents = Math.max(1, maxEvents);
    this.#maxCharacters = maxCharacters;
  }

  append(event: JsonObject, text?: string): FeedEvent {
    const heard = toFeedEvent(this.head() + 1, event, text);
    this.#kept.push(heard);
    this.#characters += heard.text.length;
    this.#positions.set(heard.eventId, heard.position);
    this.#sessions.handle(heard);
    this.#trim();
    for (const wake of this.#wakes) wake();
    return heard;
  }

  head(): number {
    return this.#dropped + this.#kept.length;
  }

  read(after: number, limit: number): Promise<FeedPage> {
    const missed = after < this.#dropped;
    const start = Math.max(0, after - this.#dropped);
    const heard = this.#kept.slice(start, start + limit);
    return Promise.resolve({ heard, upTo: heard.at(-1)?.position ?? Math.max(after, this.#dropped), missed });
  }

  onMore(wake: () => void): () => void {
    // A distinct function, so that a listener may be registered twice.
    const call = () => wake();
    this.#wakes.add(call);
    return () => this.#wakes.delete(call);
  }

  find(eventId: string): Promise<number | undefined> {
    return Promise.resolve(this.#positions.get(eventId) ?? (eventId === BEGINNING ? 0 : undefined));
  }

  idAt(position: number): string | undefined {
    return position === 0 ? BEGINNING : this.#kept[position - this.#dropped - 1]?.eventId;
  }

  running(): Promise<readonly SessionSummaryState[]> {
    return Promise.resolve(this.#sessions.now());
  }

  /** Drops a quarter at once, so that the list is not moved for every event. */
  #trim(): void {
    if (this.#kept.length <= this.#maxEvents && this.#characters <= this.#maxCharacters) return;
    let drop = Math.max(1, this.#kept.length - Math.ceil(this.#maxEvents * 0.75));
    for (let characters = 0, index = 0; index < this.#kept.length; index++) {
      if (this.#characters - characters <= this.#maxCharacters * 0.75 && index >= drop) break;
      characters += this.#kept[index]?.text.length ?? 0;
      drop = Math.max(drop, index + 1);
    }
    // The newest event stays, because it is about to be read.
    drop = Math.min(drop, this.#kept.length - 1);
    for (const { eventId, position, text } of this.#kept.splice(0, drop)) {
      this.#characters -= text.length;
      if (this.#positions.get(eventId) === position) this.#positions.delete(eventId);
    }
    this.#dropped += drop;
  }
}

const MAX_SESSIONS = 1000;
const MAX_ASKS = 50;
const ASKS = new Set(["aaep:agent.awaiting.confirmation", "aaep:agent.awaiting.clarification"]);

/** The current activity of each session, for subscribers that join midway. Bounded: the longest silent session is dropped. */
class RunningSessions {
  readonly #sessions = new Map<string, SessionSummaryState>();

  handle(heard: FeedEvent): void {
    const known = this.#sessions.get(heard.session);
    if (isTerminalType(heard.type)) {
      this.#sessions.delete(heard.session);
      return;
    }
    if (known === undefined && heard.type !== "aaep:agent.session.started") return;
    this.#sessions.delete(heard.session);
    this.#sessions.set(heard.session, step(known, heard));
    if (this.#sessions.size > MAX_SESSIONS) {
      const [oldest] = this.#sessions.keys();
      if (oldest !== undefined) this.#sessions.delete(oldest);
    }
  }

  now(): readonly SessionSummaryState[] {
    return [...this.#sessions.values()];
  }
}

function step(known: SessionSummaryState | undefined, { event, session, type, position, agent, ...rest }: FeedEvent): SessionSummaryState {
  const heard: FeedEvent = { event, session, type, position, agent, ...rest };
  const isState = type === "aaep:agent.state.changed";
  const state = isState ? textOf(event["to_state"]) : undefined;
  const summary = isState ? textOf(event["summary_normal"]) : known?.summary;
  const hints = event["localization_hints"];
  const language = (isObject(hints) ? textOf(hints["primary_language"]) : undefined) ?? known?.language;
  // A later state shows that a question was answered or withdrawn.
  const former = state !== undefined && state !== "awaiting_input" ? [] : (known?.asks ?? []);
  const asks = ASKS.has(type) ? [...former, heard].slice(-MAX_ASKS) : former;
  return {
    session,
    producer: producerOf(event) ?? known?.producer ?? { agent_id: agent },
    state: state ?? (ASKS.has(type) ? "awaiting_input" : known?.state) ?? "idle",
    position,
    ...(summary === undefined ? {} : { summary }),
    ...(language === undefined ? {} : { language }),
    ...(asks.length === 0 ? {} : { asks }),
  };
}

function producerOf(event: JsonObject): SessionSummaryState["producer"] | undefined {
  const producer = event["producer"];
  if (!isObject(producer) || typeof producer["agent_id"] !== "string") return undefined;
  const { agent_version: version, agent_name: name } = producer;
  return {
    agent_id: producer["agent_id"],
    ...(typeof version === "string" ? { agent_version: version } : {}),
    ...(typeof name === "string" ? { agent_name: name } : {}),
  };
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
