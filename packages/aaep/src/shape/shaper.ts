import type { FeedEvent } from "../feed.ts";
import type { Terms } from "../terms.ts";
import { ShaperBacklog } from "./backlog.ts";
import { deriveEventFacts, type EventFacts, type StateStep } from "./event-facts.ts";
import { type ShaperItem, type StateItem, StreamTable, type WholeItem } from "./item.ts";
import { BOUNDARY_LEVELS, type BoundaryLevel, LOW_LOAD_INTERVALS, MAX_PACE_WAIT_MS } from "./limits.ts";
import { mergedEventId } from "./merged-id.ts";
import type { OutgoingEvent, Shaper } from "./outgoing.ts";
import { boundaryLevelFor, renderState, renderTextChunk } from "./render.ts";
import { mergeStates, type SessionQueue } from "./session-queue.ts";
import { TextItem } from "./text-item.ts";
import { estimateWords, type OutputChunk } from "./text-node.ts";
import { TokenBucket } from "./token-bucket.ts";

const NONE: readonly OutgoingEvent[] = [];
const NEVER = Number.POSITIVE_INFINITY;
/** Due before any clock began. */
const AT_ONCE = 0;

/** The shaper of one subscription. */
export class PacedShaper implements Shaper {
  #terms: Terms;
  #level: BoundaryLevel;
  readonly #bucket: TokenBucket;
  readonly #backlog = new ShaperBacklog();
  /** Sessions with waiting critical events. */
  readonly #urgent: SessionQueue[] = [];
  readonly #streams = new StreamTable();
  #dueAt = NEVER;
  /** No more text before this time, for readers with a slow pace. */
  #paceAt = 0;

  constructor(terms: Terms, at: number) {
    this.#terms = terms;
    this.#level = boundaryLevelFor(terms.boundaries, terms.load);
    this.#bucket = new TokenBucket(terms.maxEventsPerSecond, at);
  }

  get isWaiting(): boolean {
    return this.#backlog.firstPosition() !== NEVER;
  }

  dueAt(): number | undefined {
    return this.#dueAt === NEVER ? undefined : this.#dueAt;
  }

  handle(heard: FeedEvent, at: number, isAside = false): void {
    if (!(heard.critical || this.#terms.admits(heard.type))) return;
    const insight = deriveEventFacts(heard);
    const queue = this.#backlog.queueOf(heard.session);
    if (heard.critical) this.#hearCritical(queue, insight, at, isAside);
    else if (insight.chunk !== undefined) this.#hearText(queue, insight, insight.chunk, at);
    else if (insight.step !== undefined) this.#hearState(queue, insight, insight.step, at);
    else if (insight.isMeasure) this.#hearProgress(queue, insight, at);
    else this.#hearWhole(queue, insight, at, isAside);
    if (this.#backlog.isOverfull) this.#backlog.makeRoom();
    if (this.#backlog.hasMuchText) this.#dueAt = Math.min(this.#dueAt, this.#bucket.readyAt());
  }

  take(at: number, atMost: number): readonly OutgoingEvent[] {
    if (at < this.#dueAt) return NONE;
    const taken: OutgoingEvent[] = [];
    // Shortest first, so that a critical event waits little for other sessions.
    this.#urgent.sort((one, other) => one.urgent - other.urgent);
    for (let queue = this.#urgent[0]; queue !== undefined && taken.length < atMost; queue = this.#urgent[0]) {
      const item = queue.urgent > 0 ? queue.items[0] : undefined;
      if (item === undefined) this.#urgent.shift();
      else taken.push(this.#send(queue, item, at));
    }
    while (taken.length < atMost && this.#bucket.isReady(at)) {
      const found = this.#pick(at);
      if (found === undefined) break;
      taken.push(this.#send(found.queue, found.item, at));
    }
    this.#dueAt = this.#whenDue();
    return taken;
  }

  renegotiate(terms: Terms, at: number): void {
    this.#changePace(this.#terms.paceWpm, terms.paceWpm, at);
    this.#terms = terms;
    this.#level = boundaryLevelFor(terms.boundaries, terms.load);
    this.#bucket.change(terms.maxEventsPerSecond, at);
    for (const queue of [...this.#backlog.queues]) {
      for (const item of [...queue.items]) {
        const { source: heard } = item.insight;
        if (!heard.critical && !terms.admits(heard.type)) this.#backlog.remove(queue, item);
        else if (item.type !== "text" && terms.load !== "low") item.notBefore = AT_ONCE;
      }
      this.#backlog.release(queue);
    }
    this.#dueAt = this.#whenDue();
  }

  #hearCritical(queue: SessionQueue, insight: EventFacts, at: number, isAside: boolean): void {
    queue.conclude();
    this.#dropHeldProgress(queue, at);
    if (this.#bucket.tokens(at) < queue.items.length) this.#backlog.condense(queue);
    this.#backlog.add(queue, wholeItem(insight, at, isAside));
    queue.urgent = queue.items.length;
    if (!this.#urgent.includes(queue)) this.#urgent.push(queue);
    this.#dueAt = AT_ONCE;
  }

  #hearWhole(queue: SessionQueue, insight: EventFacts, at: number, isAside: boolean): void {
    queue.conclude();
    this.#dropHeldProgress(queue, at);
    const former = insight.isRemark && !isAside && this.#isUnderPressure(at) ? queue.findRemark(insight) : undefined;
    if (former !== undefined) this.#backlog.remove(queue, former);
    this.#backlog.add(queue, wholeItem(insight, former?.since ?? at, isAside));
    this.#expect(AT_ONCE);
  }

  #hearText(queue: SessionQueue, insight: EventFacts, chunk: OutputChunk, at: number): void {
    this.#dropHeldProgress(queue, at);
    const last = queue.items.at(-1);
    if (last?.type === "state") last.notBefore = AT_ONCE;
    const stream = this.#streams.of(insight.lane);
    stream.node = insight.nodeAfter(stream.node, chunk);
    if (chunk.isComplete) this.#streams.forget(insight.lane);
    const former = queue.findText(insight);
    const goesOn =
      former !== undefined &&
      !former.isEnded &&
      !former.isComplete &&
      former.hasRoomFor(chunk) &&
      (this.#isUnderPressure(at)
        ? former.insight.isRoughlyLike(insight)
        : this.#level !== BOUNDARY_LEVELS.none && former.insight.isLike(insight));
    const item = goesOn ? former : new TextItem(insight, stream);
    if (!goesOn && former !== undefined) former.isEnded = true;
    if (!goesOn) this.#backlog.add(queue, item);
    else if (item !== last) queue.moveToEnd(item);
    const before = item.length;
    item.append(insight, chunk, stream.node, at);
    this.#backlog.countText(item.length - before);
    this.#expect(former !== undefined && !goesOn ? AT_ONCE : this.#openAt(item));
  }

  #hearState(queue: SessionQueue, insight: EventFacts, step: StateStep, at: number): void {
    this.#dropHeldProgress(queue, at);
    const isHeld = this.#terms.load === "low" && step.isBackground;
    const former = queue.findState();
    const { position } = insight.source;
    const isOneOf = (earlier: StateItem) =>
      this.#isUnderPressure(at)
        ? earlier.insight.isRoughlyLike(insight)
        : isHeld && earlier.notBefore > at && earlier.insight.isLike(insight);
    if (former !== undefined && isOneOf(former)) {
      this.#backlog.remove(queue, former);
      if (former.step.from === step.to) {
        this.#backlog.release(queue);
        this.#dueAt = this.#whenDue();
        return;
      }
      const notBefore = isHeld ? former.notBefore : AT_ONCE;
      this.#backlog.add(queue, mergeStates(former, { ...former, insight, step, notBefore }));
    } else {
      queue.conclude();
      const notBefore = isHeld ? at + LOW_LOAD_INTERVALS.stateMs : AT_ONCE;
      this.#backlog.add(queue, { type: "state", stream: undefined, insight, first: position, step, since: at, notBefore, isAside: false });
    }
    this.#expect(isHeld ? at + LOW_LOAD_INTERVALS.stateMs : AT_ONCE);
  }

  #hearProgress(queue: SessionQueue, insight: EventFacts, at: number): void {
    const isLow = this.#terms.load === "low";
    const former = queue.findProgress(insight);
    if (former !== undefined && (isLow || this.#isUnderPressure(at))) this.#backlog.remove(queue, former);
    const stream = this.#streams.of(insight.lane);
    const notBefore = isLow ? stream.sentAt + LOW_LOAD_INTERVALS.progressMs : AT_ONCE;
    this.#backlog.add(queue, { type: "progress", stream, insight, since: at, notBefore, isAside: false });
    this.#expect(notBefore);
  }

  /** At low load, held progress gives way to any other event of its session. */
  #dropHeldProgress(queue: SessionQueue, at: number): void {
    if (this.#terms.load !== "low") return;
    for (const item of [...queue.items]) if (item.type === "progress" && item.notBefore > at) this.#backlog.remove(queue, item);
  }

  #isUnderPressure(at: number): boolean {
    return this.#bucket.tokens(at) < this.#backlog.size + 1;
  }

  #expect(openAt: number): void {
    const due = Math.max(openAt, this.#bucket.readyAt());
    if (due < this.#dueAt) this.#dueAt = due;
  }

  /** When an item may be sent, if the rate allows it. */
  #openAt(item: ShaperItem): number {
    if (item.type !== "text") return item.notBefore;
    if (item.isEnded || this.#backlog.hasMuchText) return AT_ONCE;
    return Math.max(item.openAt(this.#level), this.#paceAt);
  }

  /** The first sendable item of a queue that nothing before it blocks. */
  #firstOpen(queue: SessionQueue, at: number): ShaperItem | undefined {
    for (const item of queue.items) {
      if (this.#openAt(item) <= at) return item;
      if (item.type !== "text") return undefined;
    }
    return undefined;
  }

  /** Longest waiting first. */
  #pick(at: number): { readonly queue: SessionQueue; readonly item: ShaperItem } | undefined {
    let best: { readonly queue: SessionQueue; readonly item: ShaperItem } | undefined;
    for (const queue of this.#backlog.queues) {
      const item = this.#firstOpen(queue, at);
      if (item !== undefined && (best === undefined || item.since < best.item.since)) best = { queue, item };
    }
    return best;
  }

  #whenDue(): number {
    if (this.#backlog.size === 0) return NEVER;
    if (this.#urgent.length > 0) return AT_ONCE;
    const ready = this.#bucket.readyAt();
    let due = NEVER;
    for (const queue of this.#backlog.queues) {
      for (const item of queue.items) {
        due = Math.min(due, Math.max(ready, this.#openAt(item)));
        if (due <= ready) return ready;
        if (item.type !== "text") break;
      }
    }
    return due;
  }

  #send(queue: SessionQueue, item: ShaperItem, at: number): OutgoingEvent {
    if (!item.insight.source.critical) this.#bucket.spend(at);
    if (item.type === "text") return this.#sendText(queue, item, at);
    this.#backlog.remove(queue, item);
    const { insight } = item;
    const { source: heard } = insight;
    const { position, critical } = heard;
    queue.noteSent(insight);
    this.#backlog.release(queue);
    if (item.stream !== undefined) item.stream.sentAt = at;
    const told = insight.renderedFor(this.#terms);
    if (item.type === "state" && item.first !== position) {
      const eventId = mergedEventId(`${item.step.from} ${told.text}`);
      return { eventId, text: renderState(item, eventId, told.event), position, critical, resumable: false };
    }
    return { eventId: heard.eventId, text: told.text, position, critical, resumable: !item.isAside && this.#isResumable(heard) };
  }

  #sendText(queue: SessionQueue, item: TextItem, at: number): OutgoingEvent {
    const { insight } = item;
    const before = item.length;
    const cut = item.cut(this.#level, at);
    this.#backlog.countText(item.length - before);
    if (item.isEmpty) this.#backlog.remove(queue, item);
    const stamp = queue.stampFor(insight);
    queue.noteSent(insight);
    this.#backlog.release(queue);
    this.#slowDown(cut.text, at);
    const { source: heard } = insight;
    const isOwn = cut.isWhole && stamp === heard.event["timestamp"];
    const { position, isComplete, level } = cut;
    const eventId = isOwn ? heard.eventId : mergedEventId([heard.eventId, stamp, position, level, isComplete, cut.text].join(" "));
    const text = renderTextChunk(insight, cut, { eventId, stamp, boundaries: this.#terms.boundaries });
    return { eventId, text, position: cut.last, critical: false, resumable: isOwn && this.#isResumable(heard) };
  }

  #isResumable({ position }: FeedEvent): boolean {
    return this.#backlog.firstPosition() > position;
  }

  /** Delays the next text until this one can have been read. */
  #slowDown(text: string, at: number): void {
    const { paceWpm } = this.#terms;
    if (paceWpm === undefined) return;
    const wait = (estimateWords(text) / paceWpm) * 60_000;
    this.#paceAt = Math.min(Math.max(this.#paceAt, at) + wait, at + MAX_PACE_WAIT_MS);
  }

  /** The rest of the last text takes as long as the new pace requires. */
  #changePace(former: number | undefined, next: number | undefined, at: number): void {
    if (former === undefined || next === undefined) this.#paceAt = 0;
    else if (this.#paceAt > at) this.#paceAt = at + Math.min(((this.#paceAt - at) * former) / next, MAX_PACE_WAIT_MS);
  }
}

function wholeItem(insight: EventFacts, since: number, isAside: boolean): WholeItem {
  return { type: "whole", stream: undefined, insight, since, notBefore: AT_ONCE, isAside };
}
