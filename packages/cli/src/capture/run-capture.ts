import type { Io } from "../io.ts";
import { plainText } from "../terminal/plain-text.ts";
import { CaptureRun, Settling, type Waiting } from "./capture-run.ts";
import { OpenSessions, Written } from "./read-said.ts";
import { type OpenedRecording, type Output, openRecording, PrintedOutput } from "./recorder.ts";
import { Redactor } from "./redactor.ts";
import { SequenceOrder } from "./sequence-order.ts";
import { removeRecording, type SideFile, writeSideFile } from "./side-file.ts";
import { type Earlier, reread, type Source, type SourceNews } from "./source.ts";
import { Account, Telling } from "./telling.ts";

export interface CaptureOptions {
  readonly source: Source;
  /** Undefined prints. */
  readonly into: string | undefined;
  readonly session: string | undefined;
  readonly redacts: boolean;
  /** Stop when every session that was captured has ended. */
  readonly untilEnded: boolean;
  readonly forMs: number | undefined;
  /** How the command ended, where one was run. */
  readonly exit: () => string | undefined;
}

export interface CapturePorts {
  /** When to stop. */
  readonly signal: AbortSignal;
  /** Fulfils when what was printed was taken. */
  readonly drained: () => Promise<void>;
  readonly now: () => number;
  readonly monotonic: () => number;
}

const BEAT_MS = 100;
const CLAIM_MS = 1000;
/** What races the end of a session comes a moment later. */
const GRACE_MS = 500;

/** One capture, from its beginning to its last line. Throws where it cannot go on; what was captured until then is kept. */
export async function runCapture(options: CaptureOptions, io: Io, ports: CapturePorts): Promise<void> {
  const { source, into, session } = options;
  const described = { kind: source.kind, name: source.name, ...(session === undefined ? {} : { session }) };
  const opened = into === undefined ? undefined : openRecording(into, described, options);
  try {
    await new Capturing(options, io, ports, described, opened).run();
  } finally {
    opened?.recorder[Symbol.dispose]();
  }
}

class Capturing {
  readonly #options: CaptureOptions;
  readonly #ports: CapturePorts;
  readonly #described: SideFile["source"];
  readonly #opened: OpenedRecording | undefined;
  readonly #output: Output;
  readonly #account: Account;
  readonly #settling: Settling;
  readonly #redactor: Redactor | undefined;
  readonly #written = new Written();
  readonly #order = new SequenceOrder<Waiting>();
  readonly #sessions: OpenSessions;
  readonly #telling: Telling;
  readonly #run: CaptureRun;
  readonly #stop = new AbortController();
  readonly #began: number;
  readonly #startedAt: string;
  #claimedAt: number;
  #endedSince: number | undefined;
  #failure: { readonly error: unknown } | undefined;
  #state: SideFile["state"] = "running";
  /** How it is over when nobody stopped it. */
  #halted: SideFile["state"] = "ended";
  #before = 0;
  /** The first event of the recording. */
  #first: string | undefined;
  #claimed = "";
  #syncedSize = -1;

  constructor(options: CaptureOptions, io: Io, ports: CapturePorts, described: SideFile["source"], opened: OpenedRecording | undefined) {
    this.#options = options;
    this.#ports = ports;
    this.#described = described;
    this.#opened = opened;
    this.#output = opened?.recorder ?? new PrintedOutput(io.out);
    this.#account = new Account(opened?.before);
    this.#settling = new Settling(opened?.before?.resume, opened?.before?.rereadFrom);
    this.#redactor = options.redacts ? new Redactor() : undefined;
    this.#sessions = new OpenSessions(opened?.before?.sessionsEnded);
    this.#telling = new Telling(io, ports.monotonic);
    this.#began = ports.monotonic();
    this.#claimedAt = this.#began;
    this.#startedAt = opened?.before?.startedAt ?? new Date(ports.now()).toISOString();
    this.#run = new CaptureRun({
      written: this.#written,
      order: this.#order,
      sessions: this.#sessions,
      settling: this.#settling,
      account: this.#account,
      redactor: this.#redactor,
      session: options.session,
      write: (line) => this.#output.append(line),
      size: () => this.#output.size,
      monotonic: ports.monotonic,
      onLeftOut: (why, text) => this.#telling.odd(why, text),
    });
  }

  async run(): Promise<void> {
    const { source, into, forMs } = this.#options;
    await this.#recall();
    this.#before = this.#account.events;
    this.#claim();
    this.#telling.line(this.#beginning());
    const signal = AbortSignal.any([this.#ports.signal, this.#stop.signal]);
    const beat = setInterval(() => this.#beat(), BEAT_MS);
    const end = forMs === undefined ? undefined : setTimeout(() => this.#halt("stopped"), forMs);
    try {
      for await (const batch of source.hear(this.#earlier(), this.#news(), signal)) {
        const wasCaughtUp = this.#run.isCaughtUp;
        this.#run.hear(batch);
        if (this.#run.isCaughtUp && !wasCaughtUp) this.#claim();
        if (into === undefined) {
          this.#output.flush();
          await this.#ports.drained();
        }
        if (signal.aborted) break;
      }
      if (this.#failure !== undefined) throw this.#failure.error;
      this.#state = this.#ports.signal.aborted ? "stopped" : this.#halted;
    } catch (error) {
      this.#state = "failed";
      throw error;
    } finally {
      clearInterval(beat);
      clearTimeout(end);
      this.#finish();
    }
  }

  /** What an earlier capture wrote, so that none of it is written again. */
  async #recall(): Promise<void> {
    const { before, recorder, torn } = this.#opened ?? {};
    if (recorder === undefined || before === undefined) return;
    if (torn !== undefined && torn > 0)
      this.#account.note("A last line that was not finished was taken away: the capture had been killed.");
    const recall = (text: string) => {
      this.#first ??= text;
      this.#run.recall(text);
    };
    // A hub goes on by position: only what is past it can come again.
    await reread(recorder.path, this.#described.kind === "hub" ? before.rereadFrom : 0, before.bytes, recall);
    let beyond = 0;
    await reread(recorder.path, before.bytes, recorder.size, (text) => {
      beyond++;
      recall(text);
    });
    this.#account.events = before.events + beyond;
  }

  #earlier(): Earlier | undefined {
    return this.#opened?.before === undefined ? undefined : { resume: this.#settling.resume, first: this.#first };
  }

  #beginning(): string {
    const { into, source } = this.#options;
    const where = into === undefined ? "" : ` into ${into}`;
    if (this.#opened?.before === undefined) return `capturing ${source.name}${where}`;
    return `capturing ${source.name}${where}: going on after ${this.#account.events.toLocaleString("en")} events`;
  }

  #news(): SourceNews {
    const time = () => new Date(this.#ports.now()).toISOString();
    return {
      cut: (why) => {
        this.#account.cut(why, time());
        this.#claim();
        this.#telling.line(`cut off (${plainText(why).replace(/\.$/, "")}); waiting for it to come back`);
      },
      back: () => {
        this.#account.back(time());
        this.#claim();
        this.#telling.line("connected again");
      },
      note: (what) => {
        if (this.#account.note(what)) this.#telling.line(what);
      },
    };
  }

  /** Whatever has to happen while nothing is said. */
  #beat(): void {
    try {
      this.#run.tick();
      this.#output.flush();
      if (this.#ports.monotonic() - this.#claimedAt >= CLAIM_MS) this.#claim();
      this.#lookForEnd();
      // A command tells people itself how far it is.
      if (this.#options.source.kind !== "command") this.#telling.progress(this.#account);
    } catch (error) {
      this.#failure ??= { error };
      this.#halt("failed");
    }
  }

  #halt(state: SideFile["state"]): void {
    this.#halted = state;
    this.#stop.abort();
  }

  #lookForEnd(): void {
    const { untilEnded } = this.#options;
    const isOver = untilEnded && this.#run.isCaughtUp && this.#sessions.allEnded && this.#order.held === 0;
    if (!isOver) {
      this.#endedSince = undefined;
      return;
    }
    this.#endedSince ??= this.#ports.monotonic();
    if (this.#ports.monotonic() - this.#endedSince >= GRACE_MS) this.#halt("ended");
  }

  #finish(): void {
    const { source, into, exit } = this.#options;
    this.#run.end();
    this.#output.flush();
    if (this.#written.forgotten > 0)
      this.#account.note("There were more events than are remembered: the oldest, said again, would be in it twice.");
    const isNothing = this.#state === "failed" && this.#opened?.before === undefined && this.#output.size === 0;
    if (isNothing) {
      // It never began: the next one must not take this for a capture to go on with.
      if (into !== undefined) removeRecording(into);
      return;
    }
    this.#claim();
    const ended = exit();
    if (ended !== undefined) this.#telling.line(ended);
    const durationMs = this.#ports.monotonic() - this.#began;
    this.#telling.summary(this.#account, { from: source.name, into, new: this.#account.events - this.#before, durationMs });
  }

  /** First the events, then what is said about them. */
  #claim(): void {
    this.#claimedAt = this.#ports.monotonic();
    const { source, into, exit } = this.#options;
    if (into === undefined) return;
    if (this.#output.size !== this.#syncedSize) this.#output.sync();
    this.#syncedSize = this.#output.size;
    const account = this.#account;
    const resume = source.place ?? this.#settling.resume;
    const ended = exit();
    const facts = {
      state: this.#state,
      ...(this.#state === "running" ? { pid: process.pid } : {}),
      startedAt: this.#startedAt,
      runs: (this.#opened?.before?.runs ?? 0) + 1,
      events: account.events,
      bytes: this.#output.size,
      ...(resume === undefined ? {} : { resume }),
      rereadFrom: this.#settling.rereadFrom(this.#output.size),
      cuts: account.cuts,
      leftOut: account.leftOut,
      late: account.late,
      sessionsEnded: this.#sessions.allEnded,
      ...(this.#redactor === undefined ? {} : { masked: account.masked }),
      ...(ended === undefined ? {} : { exit: ended }),
      notes: account.notes,
    };
    // Nothing new: the disk is left alone.
    const claimed = JSON.stringify(facts);
    if (claimed === this.#claimed) return;
    writeSideFile(into, { earshotCapture: 1, source: this.#described, savedAt: new Date(this.#ports.now()).toISOString(), ...facts });
    this.#claimed = claimed;
  }
}
