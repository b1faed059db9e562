import { hashContent, type JsonObject } from "@earshot/protocol";
import { type LeftOut, type OpenSessions, type Said, SaidReader, type Written } from "./read-said.ts";
import type { Redactor } from "./redactor.ts";
import type { SequenceOrder } from "./sequence-order.ts";
import type { Batch } from "./source.ts";
import type { Account } from "./telling.ts";

export interface CaptureRunPorts {
  readonly written: Written;
  readonly order: SequenceOrder<Waiting>;
  readonly sessions: OpenSessions;
  readonly settling: Settling;
  readonly account: Account;
  readonly redactor: Redactor | undefined;
  /** Only this session. */
  readonly session: string | undefined;
  readonly write: (line: string) => void;
  /** How long the recording is. */
  readonly size: () => number;
  readonly monotonic: () => number;
  /** Told of what is left out because it is no event. */
  readonly onLeftOut: (why: LeftOut, text: string) => void;
}

/** An event that is to be written, now or when its turn has come. */
export interface Waiting {
  readonly said: Said;
  readonly place: Place;
}

/** The way of one event: read, told apart from what is there already, put into order, masked, written. */
export class CaptureRun {
  readonly #ports: CaptureRunPorts;
  readonly #reader = new SaidReader();
  #isCaughtUp = false;

  constructor(ports: CaptureRunPorts) {
    this.#ports = ports;
  }

  /** Nothing that was said before the capture began is still to come. */
  get isCaughtUp(): boolean {
    return this.#isCaughtUp;
  }

  hear(batch: Batch): void {
    const { settling, size } = this.#ports;
    const place = settling.arrived(batch, size());
    for (const text of batch.texts) this.#hear(text, place);
    settling.settle();
    if (batch.isCaughtUp !== true || this.#isCaughtUp) return;
    this.#isCaughtUp = true;
    settling.caughtUp();
  }

  /** It is in the recording already. */
  recall(text: string): void {
    const read = this.#reader.read(text);
    if (!read.ok) return;
    const { written, order } = this.#ports;
    written.add(this.#comparable(read.said));
    if (read.said.numbered !== undefined) order.written(read.said.numbered.stream, read.said.numbered.sequence);
    this.#ports.sessions.hear(read.said);
  }

  /** What waited for long enough for one that is missing. */
  tick(): void {
    this.#writeAll(this.#ports.order.tick(this.#ports.monotonic()));
  }

  /** Nothing follows. */
  end(): void {
    this.#writeAll(this.#ports.order.flush());
  }

  #hear(text: string, place: Place): void {
    const { written, order, session, monotonic, onLeftOut } = this.#ports;
    const read = this.#reader.read(text);
    if (!read.ok) {
      onLeftOut(read.why, text);
      this.#leave(read.why, place);
      return;
    }
    const { said } = read;
    const { numbered } = said;
    if (session !== undefined && said.session !== session) this.#leave("of another session", place);
    else if (!written.add(this.#comparable(said))) this.#leave("again", place);
    else if (numbered === undefined) this.#write({ said, place });
    else {
      const lateBefore = order.late;
      const ready = order.hear(numbered.stream, numbered.sequence, { said, place }, monotonic());
      this.#ports.account.wereLate(order.late - lateBefore);
      for (const one of ready) this.#write(one);
    }
  }

  /** A recording whose secrets are masked cannot be compared by everything that was said: then its kind and time count. */
  #comparable(said: Said): Said {
    if (this.#ports.redactor === undefined) return said;
    const { type, value } = said.reading;
    return { ...said, body: hashContent([type, value["timestamp"] ?? value["time"] ?? null]) };
  }

  #write({ said, place }: Waiting): void {
    const { redactor, account, sessions, write } = this.#ports;
    const redacted = redactor === undefined ? undefined : redactor.redact(said);
    if (redacted?.ok === false) {
      this.#leave("secret in an id", place);
      return;
    }
    account.masked += redacted?.masked ?? 0;
    write(redacted?.text ?? said.text);
    account.events++;
    sessions.hear(said);
    place.pending--;
  }

  #writeAll(ready: readonly Waiting[]): void {
    for (const one of ready) this.#write(one);
    this.#ports.settling.settle();
  }

  #leave(why: LeftOut, place: Place): void {
    this.#ports.account.leave(why);
    place.pending--;
  }
}

/** A batch until everything in it is written or left out. */
interface Place {
  pending: number;
  readonly batch: Batch;
  /** How long the recording was when it came. */
  readonly size: number;
}

/**
 * Where to go on, although events are not written in the order in which they came: after the last batch of which everything
 * and everything before it is written. What was written beyond that stands in the recording after a known byte.
 */
export class Settling {
  #places: Place[] = [];
  #first = 0;
  #resume: JsonObject | undefined;
  /** While what an earlier capture wrote past its place is still to come again: where that begins. */
  #heldBackAt: number | undefined;

  constructor(resume: JsonObject | undefined, rereadFrom?: number) {
    this.#resume = resume;
    this.#heldBackAt = rereadFrom;
  }

  get resume(): JsonObject | undefined {
    return this.#resume;
  }

  /** Everything before this byte of the recording came before the place to go on from. */
  rereadFrom(size: number): number {
    return this.#heldBackAt ?? this.#places[this.#first]?.size ?? size;
  }

  /** Everything that was there before has come: none of what was written then comes again. */
  caughtUp(): void {
    this.#heldBackAt = undefined;
  }

  arrived(batch: Batch, size: number): Place {
    const place = { pending: batch.texts.length, batch, size };
    this.#places.push(place);
    return place;
  }

  /** To be called when something in it was written or left out, and when there is nothing in it. */
  settle(): void {
    for (;;) {
      const first = this.#places[this.#first];
      if (first === undefined || first.pending > 0) break;
      this.#resume = first.batch.settle() ?? this.#resume;
      this.#first++;
    }
    if (this.#first > 1024 || this.#first === this.#places.length) {
      this.#places = this.#places.slice(this.#first);
      this.#first = 0;
    }
  }
}
