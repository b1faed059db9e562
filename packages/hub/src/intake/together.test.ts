import { describe, expect, it } from "vitest";
import { saidText } from "../http/testing/said.ts";
import { openSqliteLedger } from "../ledger/sqlite/open-ledger.ts";
import { temporaryFolder } from "../ledger/testing/temporary-folder.ts";
import type { Verdict } from "../verdict.ts";
import { Admission } from "./admission.ts";
import { createLifecycle } from "./lifecycle.ts";
import type { Piece } from "./piece.ts";
import { Together } from "./together.ts";

const ORIGIN = { name: "local", verified: false };

function pieceOf(text: string): Piece {
  return { line: 1, text, sizeBytes: text.length };
}

function openTogether() {
  const folder = temporaryFolder();
  const lifecycle = createLifecycle({ strict: false });
  const ledger = openSqliteLedger(folder.file("ledger.db"), { lifecycle, now: () => 0 });
  const admission = new Admission();
  const together = new Together({ ledger, admission, now: () => 0, redacts: () => true });
  const record = (text: string) => new Promise<Verdict>((told, failed) => together.record(pieceOf(text), ORIGIN, told, failed));
  return { folder, ledger, admission, together, record };
}

describe("events that arrive together", () => {
  it.each([3, 16, 50])("are told what became of each: %i of them", async (count) => {
    const { folder, ledger, admission, record } = openTogether();
    const texts = Array.from({ length: count }, (_, index) => (index % 3 === 1 ? "{" : saidText("aep")));
    const verdicts = await Promise.all(texts.map(record));
    expect(verdicts.map(({ ok }) => ok)).toEqual(texts.map((text) => text !== "{"));
    const { entries } = await ledger.read({ after: 0, limit: 100 });
    const stored = verdicts.flatMap((verdict, index) => (verdict.ok ? [{ position: verdict.position, text: texts[index] }] : []));
    expect(entries.map(({ position, text }) => ({ position, text }))).toEqual(stored);
    expect(admission.waitingBytes).toBe(0);
    await ledger.close();
    folder[Symbol.dispose]();
  });

  it("are kept beside the ledger when it refuses them: an id that was used for something else", async () => {
    const { folder, ledger, record } = openTogether();
    const texts = ["one", "other"].map((name) => saidText("aep", { id: "evt_twice", tool: { name, type: "native" } }));
    const verdicts = await Promise.all(texts.map(record));
    expect(verdicts).toMatchObject([{ ok: true }, { ok: false, problem: { code: "EVENT_ID_CONFLICT" } }]);
    expect(await ledger.refused({ limit: 10 })).toMatchObject([{ text: texts[1], problem: { code: "EVENT_ID_CONFLICT" } }]);
    await ledger.close();
    folder[Symbol.dispose]();
  });

  it("all hear it when they could not be stored, and leave room for others", async () => {
    const { folder, ledger, admission, record } = openTogether();
    ledger.append = () => Promise.reject(new Error("No disk."));
    const settled = await Promise.allSettled([record(saidText("aep")), record(saidText("aop"))]);
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(admission.waitingBytes).toBe(0);
    await ledger.close();
    folder[Symbol.dispose]();
  });

  it("hear the others' verdicts although one listener fails", async () => {
    const { folder, ledger, together, record } = openTogether();
    const failures: unknown[] = [];
    const failing = () => {
      throw new Error("Nobody listens any more.");
    };
    together.record(pieceOf(saidText("aep")), ORIGIN, failing, (error) => failures.push(error));
    expect(await record(saidText("aep"))).toMatchObject({ ok: true, position: 2 });
    expect(failures).toHaveLength(1);
    await ledger.close();
    folder[Symbol.dispose]();
  });
});
