import { EarshotError } from "@earshot/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLifecycle } from "../intake/lifecycle.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { openSqliteLedger } from "../ledger/sqlite/open-ledger.ts";
import { type TemporaryFolder, temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { RuleTrials } from "./rule-trials.ts";

let folder: TemporaryFolder;
let ledger: Ledger;
let trials: RuleTrials;

beforeEach(() => {
  folder = temporaryTestFolder();
  const lifecycle = createLifecycle({ strict: false });
  ledger = openSqliteLedger(folder.file("ledger.db"), { lifecycle, now: Date.now });
  trials = new RuleTrials({ places: {}, ledgerAt: folder.file("ledger.db") });
});
afterEach(async () => {
  await trials.close();
  await ledger.close();
  folder[Symbol.dispose]();
});

const text = { file: "policy.yaml", text: "rules:\n  - name: a\n    answer: ask\n" };

describe("questions about rules", () => {
  it("answers several at once, each what it asked", async () => {
    const tried = trials.ask("tryOut", { text, accepted: null, limit: 10 });
    const checked = trials.ask("check", { text, accepted: null });
    const explained = trials.ask("explain", {
      asked: { moment: "action", tool: "Bash", command: "ls" },
      own: text,
      granted: [],
      repositories: [],
    });
    expect(await tried).toMatchObject({ asks: 0, isAll: true });
    expect(await checked).toMatchObject({ ok: true, rules: 1 });
    expect(await explained).toMatchObject({ ruling: { behaviour: "ask", rule: { name: "a" } } });
  });

  it("lets go who has gone, and goes on for the others", async () => {
    const gone = new AbortController();
    const left = trials.ask("tryOut", { text, accepted: null, limit: 10 }, gone.signal);
    gone.abort();
    await expect(left).rejects.toSatisfy(EarshotError.is);
    expect(await trials.ask("tryOut", { text, accepted: null, limit: 10 })).toMatchObject({ asks: 0 });
  });

  it("rejects the questions that wait when it is closed", async () => {
    const waits = trials.ask("check", { text, accepted: null });
    const refused = expect(waits).rejects.toMatchObject({ problem: { code: "OVERLOADED" } });
    await trials.close();
    await refused;
  });
});
