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
