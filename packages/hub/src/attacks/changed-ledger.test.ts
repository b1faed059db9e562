import { readFileSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { createLifecycle } from "../intake/lifecycle.ts";
import { readSubmission } from "../intake/submission.ts";
import type { Submission } from "../ledger/ledger.ts";
import { readPublicSealKey } from "../ledger/seal-key.ts";
import { openSqliteLedger } from "../ledger/sqlite/open-ledger.ts";
import { recomputeChain } from "../ledger/testing/tamper.ts";
import { type TemporaryFolder, temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { verifyLedger } from "../ledger/verify.ts";

const START = Date.UTC(2026, 0, 2);
const MINUTE = 60_000;
const lifecycle = createLifecycle({ strict: false });
const REQUEST = { kind: "permission", deadlineAt: START + MINUTE, card: '{"run":"rm -rf /"}', digest: "d" } as const;

/** A ledger in which a person allowed one request and extended another, unanswered one. */
class Victim implements Disposable {
  readonly folder: TemporaryFolder = temporaryTestFolder();
  readonly path = this.folder.file("ledger.db");
  readonly sealFile = this.folder.file("seals.jsonl");
  now = START;

  open() {
    const alarms: string[] = [];
    const ledger = openSqliteLedger(this.path, { lifecycle, now: () => this.now, onAlarm: (message) => alarms.push(message) });
    return { ledger, alarms };
  }

  async record(seconds: number): Promise<void> {
    const { ledger } = this.open();
    await ledger.append([this.#ask("r1"), this.#ask("r2")]);
    await ledger.settle({ requestId: "r1", state: "answered-by-person", digest: "d", by: "ann", answer: '"allow"' });
    await ledger.settle({ requestId: "r2", state: "open", digest: "d", by: "ann", deadlineAt: START + 2 * MINUTE });
    for (let second = 0; second < seconds; second += 10) {
      this.now += 10_000;
      await ledger.append([this.#event()]);
    }
    await ledger.close();
  }

  edit(...statements: readonly string[]): void {
    using db = new DatabaseSync(this.path);
    for (const sql of statements) db.exec(sql);
  }

  /** Recomputes the hash chain, as an attacker could. */
  relink(): void {
    using db = new DatabaseSync(this.path);
    for (const { key } of db.prepare("SELECT key FROM session").all()) recomputeChain({ db }, Number(key));
    db.exec("UPDATE session SET head = (SELECT hash FROM entry WHERE position = last)");
  }

  dropSeals(): void {
    this.edit("DELETE FROM seal");
    rmSync(this.sealFile);
  }

  verify(now = this.now) {
    return verifyLedger(this.path, { publicKey: readPublicSealKey(this.folder.path), sealFile: this.sealFile, now });
  }

  [Symbol.dispose](): void {
    this.folder[Symbol.dispose]();
  }

  #ask(id: string): Submission {
    return { ...this.#event(), source: { protocol: "aop", name: "local", verified: true }, request: { id, ...REQUEST } };
  }

  #event(): Submission {
    const text = JSON.stringify({
      spec: "aop/1.0",
      session_id: "s",
      agent_id: "a",
      sequence: this.now,
      timestamp: new Date(this.now).toISOString(),
      type: "cognition.thought",
      payload: { n: Math.random() },
    });
    const read = readSubmission(text, text.length, { name: "local", verified: true }, { receivedAt: this.now, redacts: () => true });
    if (!read.ok) throw new Error(read.problem.message);
    return read.submission;
  }
}

describe("held: with the hub stopped, a program", () => {
  it("edits a row, recomputes the chain and deletes the seals: it does not verify, the next start raises an alarm, and signs it as late", async () => {
    using victim = new Victim();
    await victim.record(120);
    expect(await victim.verify()).toMatchObject({ ok: true, unsealed: 0 });
    victim.edit("UPDATE entry SET agent = 'b' WHERE position = 2");
    victim.relink();
    victim.dropSeals();
    victim.now += 2 * MINUTE;
    expect((await victim.verify()).firstBreak).toMatchObject({ what: "unsigned", position: 1 });
    const { ledger, alarms } = victim.open();
    await ledger.close();
    expect(alarms).toEqual([expect.stringContaining("had no signature for longer than a minute")]);
    expect((await victim.verify()).firstBreak).toMatchObject({ what: "unsigned", position: 1 });
  });

  it("does the same to what a killed hub had not signed: the next start raises an alarm, and verifying says what it cannot prove", async () => {
    using victim = new Victim();
    await victim.record(20);
    victim.edit("UPDATE entry SET agent = 'b' WHERE position = 2");
    victim.relink();
    victim.dropSeals();
    victim.now += 2 * MINUTE;
    const { ledger, alarms } = victim.open();
    await ledger.close();
    expect(alarms).toHaveLength(1);
    const { ok, notProven } = await victim.verify();
    expect({ ok, notProven }).toEqual({
      ok: true,
      notProven: [expect.stringContaining("killed before it had signed"), expect.stringContaining("seal-key.pem")],
    });
  });

  it("cuts off the newest entries and their seals: the copy of the seals has more, and the next start raises an alarm", async () => {
    using victim = new Victim();
    await victim.record(20);
    const before = readFileSync(victim.sealFile, "utf8");
    const { ledger } = victim.open();
    await ledger.settle({ requestId: "r2", state: "answered-by-person", digest: "d", by: "ann", answer: '"deny"' });
    await ledger.close();
    expect(readFileSync(victim.sealFile, "utf8").length).toBeGreaterThan(before.length);
    victim.edit(
      "DELETE FROM seal WHERE number = (SELECT max(number) FROM seal)",
      "DELETE FROM entry WHERE position = (SELECT max(position) FROM entry)",
      "UPDATE request SET state = 'open', settled_by = NULL WHERE id = 'r2'",
      "UPDATE session SET last = (SELECT max(position) FROM entry); UPDATE ledger SET head = (SELECT max(position) FROM entry)",
    );
    victim.relink();
    expect((await victim.verify()).firstBreak).toMatchObject({ what: "seal-missing" });
    const again = victim.open();
    await again.ledger.close();
    expect(again.alarms).toEqual([expect.stringContaining("the ledger has seals up to")]);
    expect(await victim.verify()).toMatchObject({ ok: false });
  });

  it.each([
    "UPDATE request SET state = 'open', settled_by = NULL WHERE id = 'r1'",
    "UPDATE request SET state = 'withdrawn' WHERE id = 'r1'",
    "UPDATE request SET settled_by = 1 WHERE id = 'r1'",
    "UPDATE request SET state = 'answered-by-person', settled_by = 3 WHERE id = 'r2'",
    "UPDATE request SET card = '{\"run\":\"ls\"}' WHERE id = 'r2'",
    "UPDATE request SET digest = 'e' WHERE id = 'r2'",
    "UPDATE request SET deadline_at = NULL WHERE id = 'r2'",
    "UPDATE request SET deadline_at = deadline_at - 60000 WHERE id = 'r2'",
    "UPDATE request SET kind = 'handoff' WHERE id = 'r2'",
    "UPDATE request SET opened_at = 1 WHERE id = 'r2'",
    "UPDATE request SET position = 1 WHERE id = 'r2'",
    "UPDATE request SET id = 'r3' WHERE id = 'r2'",
    "DELETE FROM request WHERE id = 'r1'",
    "DELETE FROM request WHERE id = 'r2'",
    "INSERT INTO request SELECT 'r3', kind, position, session, opened_at, deadline_at, state, card, digest, settled_by FROM request WHERE id = 'r2'",
  ])("edits the table of requests, which is compared with the entries: %s", async (sql) => {
    using victim = new Victim();
    await victim.record(10);
    expect(await victim.verify()).toMatchObject({ ok: true });
    victim.edit(sql);
    expect((await victim.verify()).firstBreak).toMatchObject({ what: "request-changed" });
  });
});

describe("not held: with the hub stopped, a program", () => {
  it("edits a row, recomputes the chain, and signs it with seal-key.pem at the time that the entries have: it verifies, and only a copy of the seals elsewhere shows it", async () => {
    using victim = new Victim();
    await victim.record(20);
    const elsewhere = readFileSync(victim.sealFile, "utf8");
    victim.edit("UPDATE entry SET agent = 'b' WHERE position = 2");
    victim.relink();
    victim.dropSeals();
    const { ledger, alarms } = victim.open();
    await ledger.close();
    expect(alarms).toEqual([]);
    const { ok, notProven } = await victim.verify(victim.now + 60 * MINUTE);
    expect({ ok, notProven }).toEqual({
      ok: true,
      notProven: [expect.stringContaining("Compare seals.jsonl with a copy that you keep elsewhere")],
    });
    expect(readFileSync(victim.sealFile, "utf8")).not.toBe(elsewhere);
  });
});
