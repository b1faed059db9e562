import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Problem } from "@earshot/protocol";
import type { Count, KeptRefusal, Refusal } from "../ledger.ts";
import type { Draft } from "./draft.ts";

const KEPT = 10_000;
const WAITING = 10_000;
/** The log is cut back once for so many additions. */
const SLACK = 500;
const NOTHING = { refusals: [], counts: [] };

/**
 * What was refused, and what could not even be kept. Both wait in memory for the next transaction: they are no promise to
 * anybody, and must not cost a sync of their own.
 */
export class SideLog {
  readonly #read: StatementSync;
  readonly #counts: StatementSync;
  #waiting: Refusal[] = [];
  #counted = new Map<string, Count>();

  constructor(db: DatabaseSync) {
    this.#read = db.prepare(
      "SELECT number, received_at, source, problem, text, size_bytes FROM refused WHERE number < ? ORDER BY number DESC LIMIT ?",
    );
    this.#counts = db.prepare("SELECT what, source, how_many, last_at FROM count ORDER BY what, source LIMIT 1000");
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#counted.size === 0;
  }

  keep(refusals: readonly Refusal[]): void {
    for (const refusal of refusals) {
      this.count({ what: "refused", source: refusal.source, howMany: 1, lastAt: refusal.receivedAt });
      if (this.#waiting.length < WAITING) this.#waiting.push(refusal);
      else this.count({ what: "refused and not kept", source: refusal.source, howMany: 1, lastAt: refusal.receivedAt });
    }
  }

  count({ what, source, howMany, lastAt }: Count): void {
    const key = `${what} ${source}`;
    const before = this.#counted.get(key)?.howMany ?? 0;
    this.#counted.set(key, { what, source, howMany: before + howMany, lastAt });
  }

  /** Everything that waits, for the next draft. */
  take(): Pick<Draft, "refusals" | "counts"> {
    if (this.isEmpty) return NOTHING;
    const taken = { refusals: this.#waiting, counts: [...this.#counted.values()] };
    this.#waiting = [];
    this.#counted = new Map();
    return taken;
  }

  /** What was taken could not be written: it waits for the next draft. */
  putBack({ refusals, counts }: Pick<Draft, "refusals" | "counts">): void {
    const newer = [...this.#counted.values()];
    this.#counted = new Map();
    for (const count of [...counts, ...newer]) this.count(count);
    this.#waiting = [...refusals, ...this.#waiting].slice(0, WAITING);
  }

  refused({ before = Number.MAX_SAFE_INTEGER, limit }: { readonly before?: number; readonly limit: number }): readonly KeptRefusal[] {
    const rows = this.#read.all(before, limit) as unknown as readonly {
      readonly number: number;
      readonly received_at: number;
      readonly source: string;
      readonly problem: string;
      readonly text: string;
      readonly size_bytes: number;
    }[];
    return rows.map(({ number, received_at: receivedAt, source, problem, text, size_bytes: sizeBytes }) => {
      return { number, receivedAt, source, problem: readProblem(problem), text, sizeBytes };
    });
  }

  counts(): readonly Count[] {
    const rows = this.#counts.all() as unknown as readonly {
      readonly what: string;
      readonly source: string;
      readonly how_many: number;
      readonly last_at: number;
    }[];
    return rows.map(({ what, source, how_many: howMany, last_at: lastAt }) => ({ what, source, howMany, lastAt }));
  }
}

/** Writes what was taken, inside a transaction. */
export class SideLogWriter {
  readonly #insert: StatementSync;
  readonly #trim: StatementSync;
  readonly #count: StatementSync;
  #sinceTrim = SLACK;

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare("INSERT INTO refused (received_at, source, problem, text, size_bytes) VALUES (?, ?, ?, ?, ?)");
    this.#trim = db.prepare(`DELETE FROM refused WHERE number <= (SELECT max(number) FROM refused) - ${KEPT}`);
    this.#count = db.prepare(
      "INSERT INTO count (what, source, how_many, last_at) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET how_many = how_many + excluded.how_many, last_at = excluded.last_at",
    );
  }

  write({ refusals, counts }: Pick<Draft, "refusals" | "counts">): void {
    for (const { receivedAt, source, problem, text, sizeBytes } of refusals) {
      this.#insert.run(receivedAt, source, JSON.stringify(problem), text, sizeBytes);
    }
    for (const { what, source, howMany, lastAt } of counts) this.#count.run(what, source, howMany, lastAt);
    this.#sinceTrim += refusals.length;
    if (this.#sinceTrim < SLACK || refusals.length === 0) return;
    this.#sinceTrim = 0;
    this.#trim.run();
  }
}

/** One that was damaged on disk does not hide the others. */
function readProblem(text: string): Problem {
  try {
    return JSON.parse(text) as Problem;
  } catch {
    return { code: "INTERNAL", message: "Why this was refused cannot be read any more." };
  }
}
