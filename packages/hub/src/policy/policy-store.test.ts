import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { createLifecycle } from "../intake/lifecycle.ts";
import { openSqliteLedger } from "../ledger/sqlite/open-ledger.ts";
import { temporaryFolder } from "../ledger/testing/temporary-folder.ts";
import { rulesFor } from "../requests/testing/engine-bench.ts";
import type { PolicyLanguage } from "./policy-language.ts";
import { PolicyStore } from "./policy-store.ts";

/** One word per line: `+word` allows, `-word` denies, anything else is a typo. */
const LANGUAGE: PolicyLanguage = {
  read(text) {
    const lines = (text ?? "").split("\n").filter((line) => line !== "");
    const wrong = lines.filter((line) => !/^[+-]\w+$/.test(line));
    if (wrong.length > 0) return { ok: false, troubles: wrong.map((line) => `${line} is no rule.`) };
    const table = lines.map((line) => [line.slice(1), { behaviour: line.startsWith("+") ? "allow" : "deny" }] as const);
    const rules = rulesFor(Object.fromEntries(table));
    return { ok: true, rules: { judge: (asked) => rules.judge(asked) } };
  },
  loosens(before, after) {
    const [was, is] = [(before ?? "").split("\n"), (after ?? "").split("\n")];
    return [
      ...is.filter((line) => line.startsWith("+") && !was.includes(line)).map((line) => `${line.slice(1)} is allowed.`),
      ...was.filter((line) => line.startsWith("-") && !is.includes(line)).map((line) => `${line.slice(1)} is not refused any more.`),
    ];
  },
};

async function openStore() {
  const folder = temporaryFolder();
  const path = folder.file("policy.yaml");
  const clock = { now: 0 };
  const told: string[] = [];
  const lifecycle = createLifecycle({ strict: false });
  const open = () => openSqliteLedger(folder.file("ledger.db"), { lifecycle, now: () => 1_790_000_000_000 });
  let ledger = open();
  const ports = () => ({
    path,
    language: LANGUAGE,
    ledger,
    now: () => 1_790_000_000_000,
    monotonic: () => clock.now,
    home: folder.path,
    tell: (message: string) => told.push(message),
    onFailure: (error: unknown) => {
      throw error;
    },
  });
  const opened = {
    store: await PolicyStore.open(ports()),
    told,
    path,
    write(text: string) {
      writeFileSync(path, text);
      clock.now += 1000;
    },
    later: () => {
      clock.now += 1000;
    },
    judge: (command: string) => opened.store.judge({ moment: "action", command }).behaviour,
    async restart() {
      await ledger.close();
      ledger = open();
      opened.store = await PolicyStore.open(ports());
    },
    types: async () => (await ledger.read({ after: 0, limit: 100 })).entries.map(({ type, agent }) => `${type} ${agent}`),
    async [Symbol.asyncDispose]() {
      await ledger.close();
      folder[Symbol.dispose]();
    },
  };
  return opened;
}

describe("rules in a file", () => {
  it("are told with where the file is, and with the home folder, in which it has a shorter name", async () => {
    await using rules = await openStore();
    expect(rules.store.view()).toMatchObject({ path: rules.path, home: dirname(rules.path) });
  });

  it("that tighten are in force at once; those that allow more wait for an approver who names them", async () => {
    await using rules = await openStore();
    expect(rules.judge("rm")).toBe("abstain");
    rules.write("-rm\n");
    expect(rules.judge("rm")).toBe("deny");
    rules.write("-rm\n+test\n");
    expect(rules.judge("test")).toBe("abstain");
    const { pending } = rules.store.view();
    expect(pending).toMatchObject({ loosens: ["test is allowed."] });
    expect(rules.told).toEqual(["Rules that allow more wait for an approver: test is allowed."]);
    await expect(rules.store.accept("another", "ann")).rejects.toThrow();
    expect(await rules.store.accept(pending?.hash ?? "", "ann")).toMatchObject({ pending: null, text: "-rm\n+test\n" });
    expect(rules.judge("test")).toBe("allow");
    expect(await rules.types()).toEqual(["control.policy hub", "control.policy ann"]);
  });

  it("that have a typo, are no file, or are gone change nothing, loudly", async () => {
    await using rules = await openStore();
    rules.write("-rm\n");
    expect(rules.judge("rm")).toBe("deny");
    rules.write("-rm\nallow everything\n");
    expect(rules.judge("rm")).toBe("deny");
    expect(rules.store.view().troubles).toEqual(["allow everything is no rule."]);
    expect(rules.told).toHaveLength(1);
    rmSync(rules.path);
    rules.later();
    expect(rules.judge("rm")).toBe("deny");
    expect(rules.store.view().pending).toMatchObject({ text: null, loosens: ["rm is not refused any more."] });
    mkdirSync(rules.path);
    rules.later();
    expect(rules.judge("rm")).toBe("deny");
    expect(rules.store.view().troubles).toHaveLength(1);
    rmSync(rules.path, { recursive: true });
    rules.write("-rm\n");
    expect(rules.store.view()).toMatchObject({ troubles: [], pending: null });
  });

  it("that were changed while nobody ran are compared with what was accepted, which is in the ledger", async () => {
    await using rules = await openStore();
    rules.write("-rm\n");
    rules.judge("rm");
    await rules.restart();
    expect(rules.judge("rm")).toBe("deny");
    rules.write("+rm\n");
    await rules.restart();
    expect(rules.judge("rm")).toBe("deny");
    expect(rules.store.view().pending).not.toBeNull();
  });

  it("that are exchanged between looking and accepting are not accepted", async () => {
    await using rules = await openStore();
    rules.write("+test\n");
    const shown = rules.store.view().pending?.hash ?? "";
    rules.write("+rm\n");
    rules.judge("rm");
    await expect(rules.store.accept(shown, "ann")).rejects.toThrow();
    expect(rules.judge("rm")).toBe("abstain");
  });

  it("that are written and accepted at the same time are not mixed: what came first is done first", async () => {
    await using rules = await openStore();
    rules.write("-rm\n+test\n");
    const { pending } = rules.store.view();
    const base = rules.store.file().hash ?? "";
    const [written, accepted] = await Promise.allSettled([
      rules.store.write({ text: "-rm\n", base }, "ann"),
      rules.store.accept(pending?.hash ?? "", "bob"),
    ]);
    expect([written.status, accepted.status]).toEqual(["fulfilled", "rejected"]);
    expect(rules.store.view()).toMatchObject({ text: "-rm\n", pending: null });
    await rules.restart();
    expect(rules.store.view()).toMatchObject({ text: "-rm\n", pending: null });
  });
});
