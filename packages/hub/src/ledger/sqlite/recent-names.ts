/** Of so many names at least it is known where they were used last. */
const KEPT = 512;

/**
 * In which sessions names were used last, for the newest ones: an answer comes soon after what it answers, and to look for that in the
 * file takes longer than to judge the answer. Two generations, the older of which is let go of as a whole.
 */
export class RecentNames {
  #newer = new Map<string, number>();
  #older = new Map<string, number>();

  /** A label is a name with its source. */
  add(label: string, session: number): void {
    if (this.#newer.size >= KEPT) {
      this.#older = this.#newer;
      this.#newer = new Map(); // not cleared: see UnderwayEntries
    }
    this.#newer.set(label, session);
  }

  /** Undefined where the file has to be asked. */
  sessionOf(label: string): number | undefined {
    return this.#newer.get(label) ?? this.#older.get(label);
  }

  /** What is in the file may be something else. */
  forget(): void {
    this.#newer = new Map();
    this.#older = new Map();
  }
}
