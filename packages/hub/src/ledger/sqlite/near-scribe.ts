import type { DatabaseSync } from "node:sqlite";
import { type Draft, ENTRY_VALUES, type Written } from "./draft.ts";
import { toLedgerFailure } from "./failures.ts";
import { Scribe } from "./scribe.ts";
import type { RemovalTask, ScribePort } from "./scribe-port.ts";
import type { ThreadedScribe } from "./threaded-scribe.ts";

/** A draft with more of anything is a crowd's. */
const FEW = 4;
const FEW_CHARACTERS = 64 * 1024;
/** Who has had a crowd lately will have one again. */
const CROWD_MS = 50;
/** A disk that usually takes longer than this is waited for in the thread, so that everybody else is served meanwhile. */
const SLOW_COMMIT_MS = 3;
/** How much of what is usual is what was last. */
const WEIGHT_OF_LAST = 0.1;

export interface NearScribeOptions {
  readonly slowCommitMs?: number;
}

/**
 * A draft that comes alone is written at once, in this thread: sending it to another one and hearing back from there takes
 * longer than writing it. Whatever comes in numbers, or to a slow disk, and everything that files or removes something is the thread's.
 * Only one of the two writes entries at a time, and each forgets what it had at hand when the other has written.
 */
export class NearScribe implements ScribePort {
  readonly resumed: Promise<void>;
  readonly #db: DatabaseSync;
  readonly #here: Scribe;
  readonly #thread: ThreadedScribe;
  readonly #slowCommitMs: number;
  /** What the thread was asked and has not answered yet. */
  #asked = 0;
  #threadHasWritten = true;
  #hereHasWritten = false;
  /** Runs while there is a crowd. */
  #crowd: NodeJS.Timeout | undefined;
  /** How long a small draft usually takes. */
  #usualMs = 0;
  /** Nothing of this epoch is written any more, by neither of the two. */
  #failedEpoch = -1;

  /** `db` is for writing, and does not wait for others who write. */
  constructor(db: DatabaseSync, thread: ThreadedScribe, { slowCommitMs = SLOW_COMMIT_MS }: NearScribeOptions = {}) {
    this.#db = db;
    this.#here = new Scribe(db, () => {}); // the thread seals, and reads what it was not told of
    this.#thread = thread;
    this.#slowCommitMs = slowCommitMs;
    this.resumed = thread.resumed;
    this.#hearCrowd(); // a hub that was killed has left a long log
  }

  /** Whether a small draft would be written here. */
  get isQuiet(): boolean {
    return this.#asked === 0 && this.#crowd === undefined && this.#usualMs <= this.#slowCommitMs && this.#thread.isAtWork;
  }

  async write(draft: Draft): Promise<Written> {
    const { number, epoch } = draft;
    if (epoch <= this.#failedEpoch) {
      const cause = "An earlier draft could not be written.";
      return { number, ok: false, problem: toLedgerFailure(new Error(cause)).problem, cause };
    }
    const small = isSmall(draft);
    const isForHere = small && !draft.files && this.isQuiet;
    const written = (isForHere ? this.#writeHere(draft) : undefined) ?? (await this.#writeInThread(draft, small));
    if (!written.ok) this.#failedEpoch = Math.max(this.#failedEpoch, epoch);
    else if (small && !draft.files) this.#usualMs += (written.tookMs - this.#usualMs) * WEIGHT_OF_LAST;
    return written;
  }

  async remove(removal: RemovalTask, begun: () => void): Promise<number> {
    this.#turnToThread();
    try {
      return await this.#thread.remove(removal, begun);
    } finally {
      this.#asked--;
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#crowd);
    this.#db.close();
    await this.#thread.close();
  }

  /** Undefined where somebody else is writing just now, as when the thread seals: it is left to the thread then. */
  #writeHere(draft: Draft): Written | undefined {
    if (this.#threadHasWritten) this.#here.forget();
    this.#threadHasWritten = false;
    const written = this.#here.writeUnlessBusy(draft);
    this.#hereHasWritten ||= written !== undefined;
    return written;
  }

  async #writeInThread(draft: Draft, small: boolean): Promise<Written> {
    this.#turnToThread();
    if (!small) this.#hearCrowd();
    const written = await this.#thread.write(draft);
    this.#asked--;
    return written;
  }

  #turnToThread(): void {
    this.#asked++;
    if (this.#hereHasWritten) this.#thread.heedOthers();
    this.#hereHasWritten = false;
    this.#threadHasWritten = true;
  }

  /** When it is over, the thread writes back what it has left in the log: done here, everybody would wait for it. */
  #hearCrowd(): void {
    if (this.#crowd !== undefined) this.#crowd.refresh();
    else {
      this.#crowd = setTimeout(() => {
        this.#crowd = undefined;
        this.remove({ what: "write back" }, () => {}).catch(() => {}); // it is written back here then, some time
      }, CROWD_MS).unref();
    }
  }
}

function isSmall({ entries, decisions, requests, states, refusals }: Draft): boolean {
  const isMany = entries.length > FEW * ENTRY_VALUES.length || [decisions, requests, states, refusals].some(({ length }) => length > FEW);
  if (isMany) return false;
  let characters = 0;
  for (let index = ENTRY_VALUES.length - 1; index < entries.length; index += ENTRY_VALUES.length)
    characters += String(entries[index]).length;
  for (const { card } of requests) characters += card.length;
  for (const [, , state] of states) characters += state.length;
  return characters <= FEW_CHARACTERS;
}
