import { agentName, alertName, type ListenerPhrases, listenerPhrases } from "@earshot/narrate";
import type { SpokenNotice } from "../announce/announcement.ts";
import { RequestTracker, type RequestTrackerPorts } from "./request-tracker.ts";
import type { LiveAlert, LiveLedgerEntry, LiveRequest, LiveRequestNews, LiveUpdate } from "./wire.ts";

export interface AnnouncerFeedPorts extends RequestTrackerPorts {
  readonly ask: <Answer>(path: string) => Promise<Answer>;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Unix milliseconds, as in entries. */
  readonly wallNow: () => number;
  /** Called after input outside of `handle`. */
  readonly onUpdate: () => void;
  /** Passes the hub's answers on to other listeners. */
  readonly share: (view: LiveRequest | undefined, news: LiveRequestNews) => void;
}

/** An entry this much older than usual happened while nobody listened. */
const HISTORY_MS = 20_000;
const MAX_OPEN = 100;
const MAX_ENDED = 20;
/** News about the state of a request. */
const ABOUT_STANDING: ReadonlySet<string> = new Set(
  ["asked", "half-time", "last-call", "extended", "unattended", "attended", "decided", "alarm"], //
);
/** Alerts announced by other means or not meant for listening. */
const UNTOLD_ALERTS: ReadonlySet<string> = new Set(["request_waiting", "conformance_violation"]);

interface OpenList {
  readonly requests: readonly LiveRequest[];
}

/** Feeds the announcer from the hub: entries in order, request states, alerts. */
export class AnnouncerFeed {
  readonly tracker: RequestTracker;
  readonly #ports: AnnouncerFeedPorts;
  readonly #queue = new EntryQueue();
  #position = 0;
  #leastLagMs = Number.POSITIVE_INFINITY;
  #isCatchingUp = false;

  constructor(ports: AnnouncerFeedPorts) {
    this.#ports = ports;
    this.tracker = new RequestTracker(ports);
  }

  /** The listener's own phrases in the announcer's language. */
  get phrases(): ListenerPhrases {
    return listenerPhrases(this.#ports.announcer.settings.language);
  }

  /** `asks`: whether this listener queries the hub about requests, or receives the answers of another one. */
  handle({ entries, position, requests, alerts, leftOut }: LiveUpdate, asks: boolean): void {
    const at = this.#ports.now();
    this.#isCatchingUp = this.#isHistory(entries) ?? this.#isCatchingUp;
    this.#queue.push(entries, at);
    this.#position = Math.max(this.#position, position);
    if (asks) for (const one of requests) this.#hearNews(one);
    for (const alert of alerts) this.#hearAlert(alert);
    if (leftOut > 0) this.notice("other", this.phrases.notTold(leftOut));
  }

  hearRequest(view: LiveRequest | undefined, news: LiveRequestNews): void {
    const at = this.#ports.now();
    if (view !== undefined) this.tracker.take(view, at);
    this.tracker.applyNews(news, view, at);
  }

  notice(topic: SpokenNotice["topic"], text: string): void {
    this.#ports.announcer.notice({ topic, text, language: this.phrases.language }, this.#ports.now());
  }

  /** Processes entries that need not wait; or all. Returns whether they are history. */
  pass(all: boolean): boolean {
    const at = this.#ports.now();
    const due = all ? this.#queue.takeAll() : this.#queue.take(at, (position) => this.tracker.isKnown(position));
    for (const entry of due) this.tracker.handle(entry, at);
    if (this.dueAt() === undefined) this.tracker.heardUpTo(this.#position, at);
    return this.#isCatchingUp;
  }

  dueAt(): number | undefined {
    return this.#queue.dueAt();
  }

  /**
   * Queries the requests' states, in case something was missed. Fulfills with the number of open ones; undefined when the hub is
   * unreachable.
   */
  async lookUp(): Promise<number | undefined> {
    const open = await this.#ports.ask<OpenList>(`/api/requests?state=open&limit=${MAX_OPEN}`).catch(() => undefined);
    if (open === undefined) return undefined;
    return this.hearOpen(open.requests);
  }

  /** Processes all open requests and the results of previously open ones. Fulfills with the number of open ones. */
  async hearOpen(requests: readonly LiveRequest[]): Promise<number> {
    const { now } = this.#ports;
    for (const view of requests) this.tracker.take(view, now(), true);
    const ended = this.tracker.open.filter((id) => !requests.some((view) => view.id === id));
    for (const id of ended.slice(0, MAX_ENDED)) {
      const view = await this.#read(id);
      if (view !== undefined) this.tracker.take(view, now());
    }
    return requests.filter(({ waits }) => waits).length;
  }

  #hearNews(news: LiveRequestNews): void {
    const { request, what } = news;
    const hear = (view: LiveRequest | undefined) => {
      this.hearRequest(view, news);
      this.#ports.share(view, news);
      this.#ports.onUpdate();
    };
    if (request === null || !ABOUT_STANDING.has(what)) hear(undefined);
    else void this.#read(request).then((view) => view !== undefined && hear(view));
  }

  /** Undefined when the hub is unreachable: everything is queried when it is back. */
  #read(id: string): Promise<LiveRequest | undefined> {
    return this.#ports.ask<LiveRequest>(`/api/requests/${encodeURIComponent(id)}`).catch(() => undefined);
  }

  #hearAlert({ type, agent, message, sessionId }: LiveAlert): void {
    if (UNTOLD_ALERTS.has(type)) return;
    const { announcer, sources, now } = this.#ports;
    const source = sources.find(sessionId);
    const project = source?.project;
    // The hub's sentence is English; listeners in other languages hear the kind of alert.
    const text = `${alertName(type, this.phrases)}.${this.phrases.language === "en" ? ` ${message}` : ""}`;
    const about = { agent: source?.agent ?? agentName(agent), session: sessionId, ...(project === undefined ? {} : { project }) };
    announcer.notice({ topic: "other", text, language: this.phrases.language, ...about }, now());
  }

  /** By the entries' own times, corrected by the clock difference; undefined without times. */
  #isHistory(entries: readonly LiveLedgerEntry[]): boolean | undefined {
    const last = entries.at(-1);
    if (last === undefined) return undefined;
    const lagMs = this.#ports.wallNow() - Date.parse(last.receivedAt);
    this.#leastLagMs = Math.min(this.#leastLagMs, lagMs);
    return lagMs - this.#leastLagMs > HISTORY_MS;
  }
}

/** Events that a coding agent sends before it acts. The hub may open a request for one and announces that a moment later. */
const MAY_ASK: ReadonlySet<string> = new Set(["action.requested", "question.asked"]);
/** How long to wait for that announcement. A busy machine needs a while, and a waiting action must not be announced as started. */
const HOLD_MS = 2000;

/**
 * Entries in order. One that may ask waits briefly for the hub's announcement of a request, and later ones wait with it; otherwise the
 * action would be announced before the question. A result of the action ends the wait.
 */
export class EntryQueue {
  #entries: { readonly entry: LiveLedgerEntry; readonly until: number }[] = [];

  push(entries: readonly LiveLedgerEntry[], at: number): void {
    for (const entry of entries) this.#entries.push({ entry, until: mayAsk(entry) ? at + HOLD_MS : at });
  }

  /** Entries that need not wait any longer. `isKnown`: the hub has announced the entry's request. */
  take(at: number, isKnown: (position: number) => boolean): readonly LiveLedgerEntry[] {
    const gone = new Set(this.#entries.filter(({ entry }) => !MAY_ASK.has(entry.type)).map(({ entry }) => actionOf(entry)));
    gone.delete(undefined);
    const waits = (entry: LiveLedgerEntry) => !isKnown(entry.position) && !gone.has(actionOf(entry));
    const stop = this.#entries.findIndex(({ entry, until }) => until > at && waits(entry));
    return this.#entries.splice(0, stop < 0 ? this.#entries.length : stop).map(({ entry }) => entry);
  }

  takeAll(): readonly LiveLedgerEntry[] {
    return this.#entries.splice(0).map(({ entry }) => entry);
  }

  /** When to check again; undefined when nothing waits. */
  dueAt(): number | undefined {
    return this.#entries[0]?.until;
  }
}

function mayAsk({ protocol, type, verified }: LiveLedgerEntry): boolean {
  return protocol === "aep" && verified && MAY_ASK.has(type);
}

/** The action of an event, or of the answered hook. */
function actionOf({ session, event }: LiveLedgerEntry): string | undefined {
  const { action, action_id: answered } = event;
  const id = typeof action === "object" && action !== null && "id" in action ? action.id : answered;
  return typeof id === "string" ? `${session} ${id}` : undefined;
}
