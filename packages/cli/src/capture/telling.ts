import { formatCount, formatDuration } from "@earshot/narrate";
import type { Io } from "../io.ts";
import { plainText } from "../terminal/plain-text.ts";
import type { LeftOut } from "./read-said.ts";
import type { Cut, SideFile } from "./side-file.ts";

const CUTS_LISTED = 50;
const MOST_NOTES = 50;
const LONGEST_WHY = 300;

/** What happened while capturing, counted: for the side file and the last line. */
export class Account {
  events = 0;
  masked = 0;
  #late: number;
  #cuts: number;
  #lastCuts: Cut[];
  readonly #leftOut: Map<LeftOut, number>;
  readonly #notes: string[];

  /** `before`: of earlier runs with the same recording. */
  constructor(before: SideFile | undefined) {
    this.#late = before?.late ?? 0;
    this.#cuts = before?.cuts.count ?? 0;
    this.#lastCuts = [...(before?.cuts.last ?? [])];
    this.#leftOut = new Map(Object.entries(before?.leftOut ?? {}) as [LeftOut, number][]);
    this.#notes = [...(before?.notes ?? [])];
    this.masked = before?.masked ?? 0;
  }

  get cuts(): SideFile["cuts"] {
    return { count: this.#cuts, last: this.#lastCuts };
  }

  get leftOut(): SideFile["leftOut"] {
    return Object.fromEntries(this.#leftOut);
  }

  get notes(): readonly string[] {
    return this.#notes;
  }

  get late(): number {
    return this.#late;
  }

  cut(why: string, at: string): void {
    this.#cuts++;
    this.#lastCuts.push({ at, why: why.slice(0, LONGEST_WHY) });
    if (this.#lastCuts.length > CUTS_LISTED) this.#lastCuts.shift();
  }

  back(at: string): void {
    const last = this.#lastCuts.pop();
    if (last !== undefined) this.#lastCuts.push({ ...last, backAt: last.backAt ?? at });
  }

  leave(why: LeftOut): void {
    this.#leftOut.set(why, (this.#leftOut.get(why) ?? 0) + 1);
  }

  wereLate(howMany: number): void {
    this.#late += howMany;
  }

  /** Each once. Says whether it is new. */
  note(what: string): boolean {
    if (this.#notes.includes(what) || this.#notes.length >= MOST_NOTES) return false;
    this.#notes.push(what);
    return true;
  }
}

const SHOWN_EVERY_MS = 500;
const LOGGED_EVERY_MS = 30_000;
const LONGEST_SHOWN = 120;
/** So many things that are no events are shown; the rest is counted. */
const MOST_SHOWN = 3;

/** What is told beside the events, on the error stream: a line that is rewritten for a terminal, plain lines otherwise. */
export class Telling {
  readonly #io: Io;
  readonly #monotonic: () => number;
  #shownAt: number;
  #logged = "";
  #isShown = false;
  #shownOdd = 0;

  constructor(io: Io, monotonic: () => number) {
    this.#io = io;
    this.#monotonic = monotonic;
    this.#shownAt = monotonic();
  }

  line(text: string): void {
    this.#clear();
    this.#io.err(`earshot: ${text}\n`);
  }

  /** How far it is: in place for a terminal, and now and then a line of its own for a log. */
  progress(account: Account): void {
    const now = this.#monotonic();
    const isTerminal = this.#io.terminal.err;
    if (now - this.#shownAt < (isTerminal ? SHOWN_EVERY_MS : LOGGED_EVERY_MS)) return;
    this.#shownAt = now;
    const cuts = account.cuts.count === 0 ? "" : `, ${formatCount(account.cuts.count, "cut")}`;
    const far = `${formatCount(account.events, "event")}${cuts}`;
    if (isTerminal) {
      this.#isShown = true;
      this.#io.err(`\r\u001b[KCapturing: ${far}. Ctrl-C ends it.`);
    } else if (far !== this.#logged) this.line(`${far} so far`);
    this.#logged = far;
  }

  /** Something that is no event, as far as it is worth seeing. */
  odd(why: LeftOut, text: string): void {
    if (why !== "not an event" || this.#shownOdd >= MOST_SHOWN) return;
    this.#shownOdd++;
    const more = this.#shownOdd === MOST_SHOWN ? " (from now on they are only counted)" : "";
    const shown = plainText(text.slice(0, LONGEST_SHOWN));
    this.line(`left out, because it is no event: ${shown}${text.length > LONGEST_SHOWN ? "…" : ""}${more}`);
  }

  summary(account: Account, { from, into, new: added, durationMs }: SummaryFacts): void {
    const total = added === account.events ? "" : ` (${account.events.toLocaleString("en")} in all)`;
    const remarks = [
      ...(account.cuts.count === 0 ? [] : [formatCount(account.cuts.count, "cut")]),
      ...Object.entries(account.leftOut).map(([why, howMany]) => `${howMany.toLocaleString("en")} ${WORDS[why as LeftOut] ?? why}`),
      ...(account.late === 0 ? [] : [`${account.late.toLocaleString("en")} late`]),
      ...(account.masked === 0 ? [] : [formatCount(account.masked, "secret masked", "secrets masked")]),
    ];
    const where = into === undefined ? "" : ` into ${plainText(into)}`;
    const besides = remarks.length === 0 ? "" : `; ${remarks.join(", ")}`;
    this.line(`captured ${formatCount(added, "event")}${total} from ${from}${where} in ${formatDuration(durationMs)}${besides}`);
  }

  #clear(): void {
    if (this.#isShown) this.#io.err("\r\u001b[K");
    this.#isShown = false;
  }
}

export interface SummaryFacts {
  readonly from: string;
  readonly into: string | undefined;
  /** In this run. */
  readonly new: number;
  readonly durationMs: number;
}

const WORDS: Readonly<Record<LeftOut, string>> = {
  message: "messages left out",
  "not an event": "left out that are no events",
  again: "said again and left out",
  "of another session": "of other sessions left out",
  "secret in an id": "left out with a secret in an id",
};
