import { randomBytes } from "node:crypto";
import type { SubscriberClock } from "@earshot/aaep";
import { EarshotError, type JsonObject } from "@earshot/protocol";
import { hubSubmission } from "../own-entries.ts";
import type { AttachBody, AttachmentView } from "./api.ts";
import { AttachedProducer, type AttachedProducerPorts } from "./attachment.ts";
import { AttachmentFile, type AttachmentRecord, readTarget, sourceOf } from "./attachment-file.ts";

export interface AttachedProducersPorts extends Omit<AttachedProducerPorts, "onProgress" | "onEnded" | "clock" | "graceMs"> {
  readonly path: string;
  /** The hub's own addresses, which it must not subscribe to. */
  readonly ownAddresses: () => readonly string[];
  readonly clock?: SubscriberClock;
  readonly graceMs?: number;
}

const MAX_ATTACHMENTS = 32;
/** How often resume points are written. Later events are recognized by their ids. */
const WRITE_MS = 1000;
/** How long a producer that resumes by itself is expected back. */
const GRACE_MS = 10_000;
/** How long attaching waits for the first answer. */
const OPENING_MS = 20_000;
const NEWS_MS = 25_000;
const RETRY_NEWS_MS = 1000;

/** The producers this hub subscribes to: those an approver attached, and no others. */
export class AttachedProducers implements AsyncDisposable {
  readonly #ports: AttachedProducersPorts;
  readonly #clock: SubscriberClock;
  readonly #file: AttachmentFile;
  readonly #attached = new Map<string, AttachedProducer>();
  /** Attachments whose resume point was written. */
  readonly #hasPlace = new Set<string>();
  readonly #closing = new AbortController();
  #watching: Promise<void> | undefined;
  #writing: (() => void) | undefined;

  constructor(ports: AttachedProducersPorts) {
    this.#ports = ports;
    this.#clock = ports.clock ?? systemClock();
    this.#file = new AttachmentFile(ports.path, ports.onFailure);
  }

  /** Restores the stored attachments. */
  start(): void {
    for (const record of this.#file.read().slice(0, MAX_ATTACHMENTS)) this.#add(record, { isNew: false });
  }

  list(): readonly AttachmentView[] {
    return [...this.#attached.values()].map(({ view }) => view);
  }

  /** Attaches for an approver. Stored for later starts only if the producer answers. */
  async attach(body: AttachBody, by: string): Promise<AttachmentView> {
    const to = readTarget(body);
    const source = sourceOf(to);
    this.#checkMayAttach(source);
    const record: AttachmentRecord = { id: randomBytes(6).toString("hex"), source, to, by, at: this.#clock.now(), resume: {} };
    const attachment = this.#add(record, { isNew: true });
    try {
      await within(this.#clock, OPENING_MS, attachment.opened);
    } catch (error) {
      this.#attached.delete(record.id);
      await attachment.detach("hub");
      throw error;
    }
    await this.#record("attachment.added", by, { id: record.id, source });
    this.#write();
    return attachment.view;
  }

  async detach(id: string, by: string): Promise<AttachmentView> {
    const attachment = this.#attached.get(id);
    if (attachment === undefined) throw new EarshotError({ code: "NOT_FOUND", message: "The hub is not attached to that." });
    this.#attached.delete(id);
    this.#hasPlace.delete(id);
    this.#write();
    const { view } = attachment;
    await attachment.detach(by);
    await this.#record("attachment.removed", by, { id, source: view.source });
    return view;
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#writing?.();
    await Promise.all([...this.#attached.values()].map((one) => one.close()));
    this.#write();
    await this.#watching;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #checkMayAttach(source: string): void {
    for (const { id, state, record } of [...this.#attached].map(([id, one]) => ({ id, state: one.state, record: one.record }))) {
      if (record.source !== source) continue;
      if (state !== "ended" && state !== "failed")
        throw new EarshotError({ code: "ATTACHED_ALREADY", message: `The hub is attached to ${source} already.` });
      this.#attached.delete(id); // what is over makes room for the same again
    }
    if (this.#attached.size >= MAX_ATTACHMENTS)
      throw new EarshotError({
        code: "ATTACHED_ALREADY",
        message: `The hub is attached to ${MAX_ATTACHMENTS} producers, which is the most.`,
      });
    if (this.#ports.ownAddresses().some((own) => isSame(own, source)))
      throw new EarshotError({ code: "WRONG_QUERY", message: "That is this hub itself." });
  }

  #add(record: AttachmentRecord, how: { readonly isNew: boolean }): AttachedProducer {
    const attachment = new AttachedProducer(
      record,
      {
        ...this.#ports,
        clock: this.#clock,
        graceMs: this.#ports.graceMs ?? GRACE_MS,
        onProgress: (current) => this.#progressed(current),
        onEnded: () => this.#writeSoon(),
      },
      how,
    );
    this.#attached.set(record.id, attachment);
    this.#watching ??= this.#watchStops();
    return attachment;
  }

  /** Informs producers of stopped sessions, however they were stopped. */
  async #watchStops(): Promise<void> {
    const { engine, onFailure } = this.#ports;
    const { signal } = this.#closing;
    const told = new Set(engine.control.view().stopped.map(keyOf));
    let { next } = engine.news.after(Number.MAX_SAFE_INTEGER);
    while (!signal.aborted) {
      try {
        const news = await engine.news.wait(next, NEWS_MS, signal);
        next = news.next;
        if (!news.missed && !news.news.some(({ what }) => what === "control")) continue;
        const { stopped } = engine.control.view();
        for (const one of stopped.filter((each) => !told.has(keyOf(each)))) await this.#carryStop(one);
        told.clear();
        for (const one of stopped) told.add(keyOf(one));
      } catch (error) {
        onFailure(error);
        await new Promise<void>((resolve) => this.#clock.after(RETRY_NEWS_MS, resolve));
      }
    }
  }

  async #carryStop({ source, session, reason }: { source: string; session: string; reason: string | null }): Promise<void> {
    for (const attachment of this.#attached.values()) if (attachment.record.source === source) await attachment.stop(session, reason);
  }

  /** The first resume point is written at once: without it, events in flight would be lost with this process. */
  #progressed({ id, resume }: AttachmentRecord): void {
    const isFirst = resume.lastEventId !== undefined && !this.#hasPlace.has(id);
    if (isFirst) {
      this.#hasPlace.add(id);
      this.#write();
    } else this.#writeSoon();
  }

  #writeSoon(): void {
    if (this.#closing.signal.aborted) return;
    this.#writing ??= this.#clock.after(WRITE_MS, () => {
      this.#writing = undefined;
      this.#write();
    });
  }

  /** A command that has ended is not run again at the next start. */
  #write(): void {
    try {
      this.#file.write([...this.#attached.values()].filter(({ state }) => state !== "ended").map(({ current }) => current));
    } catch (error) {
      this.#ports.onFailure(error);
    }
  }

  async #record(type: string, by: string, more: JsonObject): Promise<void> {
    const now = this.#clock.now();
    const value = { type, by, at: new Date(now).toISOString(), ...more };
    await this.#ports.ledger.append([hubSubmission(type, by, value, now)]);
  }
}

function keyOf({ source, session, at }: { source: string; session: string; at: string }): string {
  return JSON.stringify([source, session, at]);
}

/** Whether an address leads to the hub itself, under any scheme and local host name. */
function isSame(own: string, source: string): boolean {
  if (!/^(?:http|ws)s?:/.test(source)) return own === source;
  if (!own.startsWith("http")) return false;
  const [one, other] = [new URL(own), new URL(source.replace(/^ws/, "http"))];
  return one.port === other.port && (one.hostname === other.hostname || other.hostname === "localhost" || other.hostname === "[::1]");
}

async function within<Value>(clock: SubscriberClock, ms: number, event: Promise<Value>): Promise<Value> {
  let stop = () => {};
  const late = new Promise<never>((_resolve, reject) => {
    const message = "The producer did not answer in time.";
    stop = clock.after(ms, () => reject(new EarshotError({ code: "PRODUCER_UNREACHABLE", message })));
  });
  try {
    return await Promise.race([event, late]);
  } finally {
    stop();
  }
}

function systemClock(): SubscriberClock {
  return {
    monotonic: () => performance.now(),
    now: () => Date.now(),
    random: () => Math.random(),
    after: (ms, call) => {
      const timer = setTimeout(call, ms).unref();
      return () => clearTimeout(timer);
    },
  };
}
