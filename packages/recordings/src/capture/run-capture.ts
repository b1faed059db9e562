import { formatCount, formatDuration, formatNumber } from "@earshot/narrate";
import type { CommandIo } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { EventReader, type LeftOutReason, OpenSessions, type ReadableEvent, WrittenEvents } from "./read-event.ts";
import { RecordingWriter } from "./recorder.ts";
import { type RedactedEvent, Redactor } from "./redactor.ts";
import type { CaptureSource, SourceNews } from "./source.ts";

export interface CaptureOptions {
  readonly source: CaptureSource;
  /** Undefined prints. */
  readonly into: string | undefined;
  readonly session: string | undefined;
  readonly redacts: boolean;
  /** Stop when every captured session has ended. */
  readonly untilEnded: boolean;
  readonly forMs: number | undefined;
}

export interface CapturePorts {
  /** When to stop. */
  readonly signal: AbortSignal;
  /** Fulfills when the printed text was accepted. */
  readonly drained: () => Promise<void>;
  readonly now: () => number;
  readonly monotonic: () => number;
}

const TICK_MS = 100;
/** Events that race with the session's end arrive a moment later. */
const GRACE_MS = 500;
const MAX_SHOWN = 3;
const MAX_SHOWN_CHARACTERS = 120;
const SHOWN_EVERY_MS = 500;
const LOGGED_EVERY_MS = 30_000;

const LEFT_OUT: Readonly<Record<LeftOutReason, string>> = {
  message: "messages left out",
  "not an event": "left out that are no events",
  again: "said again and left out",
  "of another session": "of other sessions left out",
  "secret in an id": "left out with a secret in an id",
};

/** One capture from start to end. Throws if it cannot continue; earlier events are kept. */
export async function runCapture(options: CaptureOptions, io: CommandIo, ports: CapturePorts): Promise<void> {
  const { source, into, forMs } = options;
  using recorder = new RecordingWriter(into, io.out);
  const capture = new Capture(options, io, ports, recorder);
  const stop = new AbortController();
  const signal = AbortSignal.any([ports.signal, stop.signal, ...(forMs === undefined ? [] : [AbortSignal.timeout(forMs)])]);
  let failure: { readonly error: unknown } | undefined;
  const tick = setInterval(() => {
    try {
      if (capture.tick()) stop.abort();
    } catch (error) {
      failure ??= { error };
      stop.abort();
    }
  }, TICK_MS);
  let isConnected = false;
  try {
    for await (const { texts, isCaughtUp } of source.read(capture.news, signal)) {
      if (!isConnected) capture.log(`capturing ${source.name}${into === undefined ? "" : ` into ${plainText(into)}`}`);
      isConnected = true;
      for (const text of texts) capture.write(text);
      if (recorder.isFull) recorder.flush();
      if (isCaughtUp === true) capture.isCaughtUp = true;
      if (into === undefined) {
        recorder.flush();
        await ports.drained();
      }
      if (signal.aborted) break;
    }
    if (failure !== undefined) throw failure.error;
    recorder.flush();
  } catch (error) {
    if (capture.isEmpty) recorder.remove();
    else capture.logSummary();
    throw error;
  } finally {
    clearInterval(tick);
  }
  capture.logSummary();
}

class Capture {
  isCaughtUp = false;
  readonly #options: CaptureOptions;
  readonly #io: CommandIo;
  readonly #ports: CapturePorts;
  readonly #recorder: RecordingWriter;
  readonly #reader = new EventReader();
  readonly #written = new WrittenEvents();
  readonly #sessions = new OpenSessions();
  readonly #redactor: Redactor | undefined;
  readonly #leftOut = new Map<LeftOutReason, number>();
  readonly #notes = new Set<string>();
  readonly #beganAt: number;
  #endedAt: number | undefined;
  #shownAt: number;
  #logged = "";
  #isShown = false;
  #events = 0;
  #masked = 0;
  #cuts = 0;

  constructor(options: CaptureOptions, io: CommandIo, ports: CapturePorts, recorder: RecordingWriter) {
    this.#options = options;
    this.#io = io;
    this.#ports = ports;
    this.#recorder = recorder;
    this.#redactor = options.redacts ? new Redactor() : undefined;
    this.#beganAt = ports.monotonic();
    this.#shownAt = this.#beganAt;
  }

  get isEmpty(): boolean {
    return this.#events === 0;
  }

  get news(): SourceNews {
    return {
      cut: (why) => {
        this.#cuts++;
        this.log(`cut off (${plainText(why).replace(/\.$/, "")}); waiting for it to come back`);
      },
      back: () => this.log("connected again"),
      note: (text) => {
        if (!this.#notes.has(text)) this.log(text);
        this.#notes.add(text);
      },
    };
  }

  write(text: string): void {
    const read = this.#reader.read(text);
    const why = read.ok ? this.#record(read.said) : read.why;
    if (why === undefined) return;
    const count = (this.#leftOut.get(why) ?? 0) + 1;
    this.#leftOut.set(why, count);
    if (why !== "not an event" || count > MAX_SHOWN) return;
    const rest = count === MAX_SHOWN ? " (from now on they are only counted)" : "";
    const shown = plainText(text.slice(0, MAX_SHOWN_CHARACTERS));
    this.log(`left out, because it is no event: ${shown}${text.length > MAX_SHOWN_CHARACTERS ? "…" : ""}${rest}`);
  }

  #record(said: ReadableEvent): LeftOutReason | undefined {
    if (this.#options.session !== undefined && said.session !== this.#options.session) return "of another session";
    if (!this.#written.add(said)) return "again";
    const redacted: RedactedEvent = this.#redactor?.redact(said) ?? { ok: true, text: said.text, masked: 0 };
    if (!redacted.ok) return "secret in an id";
    this.#masked += redacted.masked;
    this.#events++;
    this.#recorder.append(redacted.text);
    this.#sessions.handle(said);
    return undefined;
  }

  /** Also called while nothing arrives. True when the capture is over. */
  tick(): boolean {
    this.#recorder.flush();
    // A command prints its own progress.
    if (this.#options.source.isCommand !== true) this.#showProgress();
    const isOver = this.#options.untilEnded && this.isCaughtUp && this.#sessions.allEnded;
    const now = this.#ports.monotonic();
    this.#endedAt = isOver ? (this.#endedAt ?? now) : undefined;
    return this.#endedAt !== undefined && now - this.#endedAt >= GRACE_MS;
  }

  log(text: string): void {
    if (this.#isShown) this.#io.err("\r\u001b[K");
    this.#isShown = false;
    this.#io.err(`earshot: ${text}\n`);
  }

  logSummary(): void {
    const { source, into } = this.#options;
    if (this.#written.forgotten > 0) this.log("There were more events than are remembered: an old one that came again is in it twice.");
    const remarks = [
      ...(this.#cuts === 0 ? [] : [formatCount(this.#cuts, "cut")]),
      ...[...this.#leftOut].map(([why, count]) => `${formatNumber(count)} ${LEFT_OUT[why]}`),
      ...(this.#masked === 0 ? [] : [formatCount(this.#masked, "secret masked", "secrets masked")]),
    ];
    const where = into === undefined ? "" : ` into ${plainText(into)}`;
    const time = formatDuration(this.#ports.monotonic() - this.#beganAt);
    const besides = remarks.length === 0 ? "" : `; ${remarks.join(", ")}`;
    this.log(`captured ${formatCount(this.#events, "event")} from ${source.name}${where} in ${time}${besides}`);
  }

  /** Rewrites one line on a terminal; prints occasional lines elsewhere. */
  #showProgress(): void {
    const now = this.#ports.monotonic();
    const isTerminal = this.#io.terminal.err;
    if (now - this.#shownAt < (isTerminal ? SHOWN_EVERY_MS : LOGGED_EVERY_MS)) return;
    this.#shownAt = now;
    const progress = `${formatCount(this.#events, "event")}${this.#cuts === 0 ? "" : `, ${formatCount(this.#cuts, "cut")}`}`;
    if (isTerminal) {
      this.#isShown = true;
      this.#io.err(`\r\u001b[KCapturing: ${progress}. Ctrl-C ends it.`);
    } else if (progress !== this.#logged) this.log(`${progress} so far`);
    this.#logged = progress;
  }
}
