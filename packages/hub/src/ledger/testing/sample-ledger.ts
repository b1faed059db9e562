import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { type ChainLink, chainSeed, linkHash } from "../chain.ts";
import { Checkpoints } from "../checkpoints.ts";
import { planErasure } from "../erasure.ts";
import type { CutReason } from "../ledger.ts";
import { openSealKey, type SealKey } from "../seal-key.ts";
import { openLedgerFile } from "../sqlite/open-file.ts";
import { SqliteEngine } from "../sqlite/sqlite-engine.ts";
import { type Verification, type VerifyOptions, verifyLedger } from "../verify.ts";

const SOURCES = [
  ["aep", "local"],
  ["aop", "local"],
  ["aaep", "desk"],
] as const;

/** A ledger written with plain SQL by the rules of the chain only, so that a mistake shared by ledger and verifier would be found. */
export class SampleLedger implements Disposable {
  readonly path: string;
  readonly sealFile: string;
  readonly key: SealKey;
  #db!: DatabaseSync;
  #engine!: SqliteEngine;
  #checkpoints!: Checkpoints;
  #position = 0;
  #clock = Date.UTC(2026, 0, 1);

  private constructor(folder: string) {
    this.path = join(folder, "ledger.db");
    this.sealFile = join(folder, "seals.jsonl");
    this.key = openSealKey(folder);
  }

  static async open(folder: string): Promise<SampleLedger> {
    const ledger = new SampleLedger(folder);
    await ledger.#open();
    return ledger;
  }

  get db(): DatabaseSync {
    return this.#db;
  }

  get checkpoints(): Checkpoints {
    return this.#checkpoints;
  }

  /** The ledger's clock advances a millisecond per entry. */
  get now(): number {
    return this.#clock;
  }

  /** Adds an entry to the session of this number and returns its position. */
  append(session: number, text = `{"number":${this.#position},"text":"ünïcode ${"x".repeat(this.#position % 700)}"}`): number {
    const [protocol, name] = SOURCES[session % SOURCES.length] ?? SOURCES[0];
    const key = this.keyOf(session);
    this.#position += this.#position % 7 === 0 ? 2 : 1; // positions may have gaps
    const position = this.#position;
    const link: ChainLink = {
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
    const head = this.#db.prepare("SELECT head FROM session WHERE key = ?").get(key)?.["head"];
    const hash = linkHash(head instanceof Uint8Array ? Buffer.from(head) : chainSeed(protocol, name, `session ${session}`), link);
    const { receivedAt, kind, verified, type, agent, sequence, identity, said, notes } = link;
    this.#db.exec("BEGIN");
    const insert = this.#db.prepare("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, NULL)");
    insert.run(position, key, receivedAt, kind, verified, type, agent, sequence, identity, said, notes, text, hash);
    this.#db.prepare("INSERT INTO answerable VALUES (1, ?, ?, ?, ?)").run(`name ${position}`, agent, key, position);
    this.#db.prepare("UPDATE session SET last = ?, head = ? WHERE key = ?").run(position, hash, key);
    this.#db.prepare("UPDATE ledger SET head = ?").run(position);
    this.#db.exec("COMMIT");
    return position;
  }

  seal(): Promise<string | undefined> {
    return this.#checkpoints.write(this.#clock);
  }

  /** Stops after some steps, as if the process had died. Returns the number of removed entries. */
  async cut(session: number, { upTo = Number.MAX_SAFE_INTEGER, reason = "pruned", steps = Number.POSITIVE_INFINITY }: CutOptions = {}) {
    const key = this.keyOf(session);
    const begun = await this.#engine.beginCut(key, Math.floor(upTo), (cut) => this.#checkpoints.signCut(cut, reason, this.#clock));
    let removed = 0;
    for (let step = 1; step < steps && begun !== undefined; step++) {
      const deleted = await this.#engine.deleteCut(key);
      removed += deleted;
      if (deleted === 0) break;
    }
    if (steps === Number.POSITIVE_INFINITY) await this.#engine.purge();
    return removed;
  }

  /** Erases the text of the entry at a position, unless it was cut. */
  async erase(position: number): Promise<void> {
    const there = this.#db.prepare("SELECT 1 FROM entry JOIN session ON session.key = session WHERE position = ? AND position > cut");
    if (there.get(position) === undefined) return;
    const sign = (line: Parameters<Checkpoints["signErasure"]>[0]) => this.#checkpoints.signErasure(line);
    await this.#engine.erase(position, (erasure) => planErasure(erasure, sign, this.#clock));
  }

  async reopen({ resume = true } = {}): Promise<void> {
    this.#db.close();
    await this.#open();
    if (resume) await this.resume();
  }

  /** Finishes interrupted cuts and returns the number of steps. */
  async resume(): Promise<number> {
    let steps = 0;
    for (const session of await this.#engine.unfinishedCuts()) {
      while ((await this.#engine.deleteCut(session)) > 0) steps++;
    }
    return steps;
  }

  async verify(options: Partial<VerifyOptions> = {}): Promise<Verification> {
    return verifyLedger(this.path, { publicKey: this.key.publicKey, sealFile: this.sealFile, now: this.#clock, ...options });
  }

  keyOf(session: number): number {
    const [protocol, name] = SOURCES[session % SOURCES.length] ?? SOURCES[0];
    this.#db.prepare("INSERT OR IGNORE INTO source (protocol, name) VALUES (?, ?)").run(protocol, name);
    const source = this.#db.prepare("SELECT key FROM source WHERE protocol = ? AND name = ?").get(protocol, name)?.["key"] ?? 0;
    this.#db.prepare("INSERT OR IGNORE INTO session (source, id, last) VALUES (?, ?, 0)").run(source, `session ${session}`);
    return Number(this.#db.prepare("SELECT key FROM session WHERE source = ? AND id = ?").get(source, `session ${session}`)?.["key"]);
  }

  [Symbol.dispose](): void {
    if (this.#db.isOpen) this.#db.close();
  }

  async #open(): Promise<void> {
    this.#db = openLedgerFile(this.path).db;
    this.#db.exec("PRAGMA synchronous = OFF"); // nobody pulls the plug here
    this.#engine = new SqliteEngine(this.#db);
    this.#checkpoints = await Checkpoints.open(this.#engine, { key: this.key, file: this.sealFile }, this.#clock);
    this.#position = await this.#engine.head();
  }
}

export interface CutOptions {
  readonly upTo?: number;
  readonly reason?: CutReason;
  readonly steps?: number;
}
