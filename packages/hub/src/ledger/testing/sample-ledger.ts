import { join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { chainSeed, type Link, linkHash } from "../chain.ts";
import type { CutReason } from "../ledger.ts";
import { Sealer } from "../seal.ts";
import { openSealKey, type SealKey } from "../seal-key.ts";
import { cutSession, resumeCuts } from "../sqlite/cut.ts";
import { eraseEntry } from "../sqlite/erase.ts";
import { openLedgerFile } from "../sqlite/open-file.ts";
import { fileAll } from "../sqlite/registers.ts";
import { type Verification, type VerifyOptions, verifyLedger } from "../verify.ts";

const SOURCES = [
  ["aep", "local"],
  ["aop", "local"],
  ["aaep", "desk"],
] as const;

/**
 * A ledger written with plain SQL, by nothing but the rules of the chain: what verifies here verifies for a reason of its
 * own, not because the ledger's writer and the verifier share a mistake.
 */
export class SampleLedger implements Disposable {
  readonly path: string;
  readonly sealFile: string;
  readonly key: SealKey;
  #db: DatabaseSync;
  #sealer: Sealer;
  #insert: StatementSync;
  #position: number;
  #clock = Date.UTC(2026, 0, 1);

  constructor(folder: string) {
    this.path = join(folder, "ledger.db");
    this.sealFile = join(folder, "seals.jsonl");
    this.#db = this.#open();
    this.key = openSealKey(folder);
    this.#sealer = new Sealer(this.#db, { key: this.key, file: this.sealFile });
    this.#insert = this.#prepare();
    this.#position = this.#highest();
  }

  get db(): DatabaseSync {
    return this.#db;
  }

  get sealer(): Sealer {
    return this.#sealer;
  }

  /** Adds an entry to the session of this number, and gives its position. */
  append(session: number, text = `{"number":${this.#position},"text":"ünïcode ${"x".repeat(this.#position % 700)}"}`): number {
    const [protocol, name] = SOURCES[session % SOURCES.length] ?? SOURCES[0];
    const key = this.keyOf(session);
    this.#position += this.#position % 7 === 0 ? 2 : 1; // positions may have gaps
    const position = this.#position;
    const link: Link = {
      position,
      receivedAt: this.#clock++,
      kind: position % 5 === 0 ? 1 : 0,
      verified: position % 2,
      type: `type.${position % 4}`,
      agent: `agent ${session}`,
      sequence: protocol === "aop" ? position : null,
      identity: protocol === "aop" ? null : `${name} id-${position}`,
      said: position % 11 === 0 ? Buffer.alloc(32, position) : null,
      notes: position % 6 === 0 ? '{"flags":[]}' : null,
      text,
    };
    const hash = linkHash(this.#headOf(key, session), link);
    const { receivedAt, kind, verified, type, agent, sequence, identity, said, notes } = link;
    this.#insert.run(position, key, receivedAt, kind, verified, type, agent, sequence, identity, said, notes, text, hash);
    this.#db.prepare("INSERT INTO answerable VALUES (1, ?, ?, ?, ?)").run(`name ${position}`, agent, key, position);
    this.#sealer.noteEntry(key, position, hash.toString("hex"));
    if (position % 5 === 0) fileAll(this.#db);
    return position;
  }

  seal(): string | undefined {
    return this.#sealer.seal(this.#clock);
  }

  /** Stops after some steps, as if the process had died. Gives the number of entries removed. */
  cut(session: number, { upTo, reason = "pruned", steps = Number.POSITIVE_INFINITY }: CutOptions = {}): number {
    const cut = { session: this.keyOf(session), reason, now: this.#clock, ...(upTo === undefined ? {} : { upTo }) };
    let removed = 0;
    const work = cutSession(this.#db, this.#sealer, cut);
    for (let step = 0; step < steps; step++) {
      const { done, value } = work.next();
      removed = value;
      if (done) break;
    }
    return removed;
  }

  /** Erases the text of the entry at a position, when there is one that was not cut. */
  erase(position: number): void {
    const gone = this.#db.prepare(
      "SELECT 1 FROM tombstone WHERE up_to >= ?1 AND session = (SELECT session FROM entry WHERE position = ?1)",
    );
    const there = this.#db.prepare("SELECT 1 FROM entry WHERE position = ?").get(position);
    if (there === undefined || gone.get(position) !== undefined) return;
    for (const _ of eraseEntry(this.#db, this.#sealer, { position, now: this.#clock, onLogKept: () => {} }));
  }

  reopen({ resume = true } = {}): void {
    this.#db.close();
    this.#db = this.#open();
    if (resume) for (const _ of resumeCuts(this.#db));
    this.#sealer = new Sealer(this.#db, { key: this.key, file: this.sealFile });
    this.#insert = this.#prepare();
    this.#position = this.#highest();
  }

  async verify(options: Partial<VerifyOptions> = {}): Promise<Verification> {
    return verifyLedger(this.path, { publicKey: this.key.publicKey, sealFile: this.sealFile, ...options });
  }

  keyOf(session: number): number {
    const [protocol, name] = SOURCES[session % SOURCES.length] ?? SOURCES[0];
    this.#db.prepare("INSERT OR IGNORE INTO source (protocol, name) VALUES (?, ?)").run(protocol, name);
    const source = this.#db.prepare("SELECT key FROM source WHERE protocol = ? AND name = ?").get(protocol, name)?.["key"] ?? 0;
    this.#db.prepare("INSERT OR IGNORE INTO session (source, id) VALUES (?, ?)").run(source, `session ${session}`);
    return Number(this.#db.prepare("SELECT key FROM session WHERE source = ? AND id = ?").get(source, `session ${session}`)?.["key"]);
  }

  [Symbol.dispose](): void {
    if (this.#db.isOpen) this.#db.close();
  }

  #open(): DatabaseSync {
    const { db } = openLedgerFile(this.path);
    db.exec("PRAGMA synchronous = OFF"); // nobody pulls the plug here
    return db;
  }

  #prepare(): StatementSync {
    return this.#db.prepare("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  }

  #highest(): number {
    const sql =
      "SELECT max(position) AS p FROM (SELECT position FROM entry UNION SELECT up_to FROM tombstone UNION SELECT up_to FROM seal)";
    return Number(this.#db.prepare(sql).get()?.["p"] ?? 0);
  }

  #headOf(key: number, session: number): Buffer {
    const last = this.#db
      .prepare(
        "SELECT position, hash FROM entry WHERE session = ?1 UNION ALL SELECT up_to, head FROM tombstone WHERE session = ?1 ORDER BY 1 DESC LIMIT 1",
      )
      .get(key);
    const [protocol, name] = SOURCES[session % SOURCES.length] ?? SOURCES[0];
    return last?.["hash"] instanceof Uint8Array ? Buffer.from(last["hash"]) : chainSeed(protocol, name, `session ${session}`);
  }
}

export interface CutOptions {
  readonly upTo?: number;
  readonly reason?: CutReason;
  readonly steps?: number;
}
