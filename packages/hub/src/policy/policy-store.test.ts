import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { createLifecycle } from "../intake/lifecycle.ts";
import { openSqliteLedger } from "../ledger/sqlite/open-ledger.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { createPolicyLanguage } from "./policy-language.ts";
import { PolicyStore } from "./policy-store.ts";

/** A rules file: `+word` allows a command, `-word` denies it. */
function fileOf(...words: readonly string[]): string {
  const rule = (word: string) => {
    const [name, answer] = [word.slice(1), word.startsWith("+") ? "allow" : "deny"];
    return `  - name: ${name}\n    match: { command: ${name} }\n    answer: ${answer}\n`;
  };
  return `rules:\n${words.map(rule).join("")}`;
}

async function openStore() {
  const folder = temporaryTestFolder();
  const path = folder.file("policy.yaml");
  const clock = { now: 0 };
  const told: string[] = [];
  const lifecycle = createLifecycle({ strict: false });
  const open = () => openSqliteLedger(folder.file("ledger.db"), { lifecycle, now: () => 1_790_000_000_000 });
  let ledger = open();
  const ports = () => ({
    path,
    language: createPolicyLanguage("policy.yaml", {}),
    ledger,
    now: () => 1_790_000_000_000,
    monotonic: () => clock.now,
    home: folder.path,
    log: (message: string) => told.push(message),
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
    judge: (command: string) => opened.store.judge({ moment: "action", tool: "Bash", command }).behaviour,
    async restart() {
      await opened.store.close();
      await ledger.close();
      ledger = open();
      opened.store = await PolicyStore.open(ports());
    },
    types: async () => (await ledger.read({ after: 0, limit: 100 })).entries.map(({ type, agent }) => `${type} ${agent}`),
    async [Symbol.asyncDispose]() {
      await opened.store.close();
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
    rules.write(fileOf("-rm"));
    expect(rules.judge("rm")).toBe("deny");
    rules.write(fileOf("-rm", "+test"));
    expect(rules.judge("test")).toBe("abstain");
    const { pending } = rules.store.view();
    expect(pending).toMatchObject({ loosens: [expect.stringContaining("test: Added.")] });
    expect(rules.told).toEqual([expect.stringMatching(/^Rules that allow more wait for an approver: test: Added\./)]);
    await expect(rules.store.accept("another", "ann")).rejects.toThrow();
    expect(await rules.store.accept(pending?.hash ?? "", "ann")).toMatchObject({ pending: null, text: fileOf("-rm", "+test") });
    expect(rules.judge("test")).toBe("allow");
    expect(await rules.types()).toEqual(["control.policy hub", "control.policy ann"]);
  });

  it("that have a typo, are no file, or are gone change nothing, loudly", async () => {
    await using rules = await openStore();
    rules.write(fileOf("-rm"));
    expect(rules.judge("rm")).toBe("deny");
    rules.write("rules: [");
    expect(rules.judge("rm")).toBe("deny");
    expect(rules.store.view().troubles).toEqual([expect.stringContaining("policy.yaml, line 1")]);
    expect(rules.told).toHaveLength(1);
    rmSync(rules.path);
    rules.later();
    expect(rules.judge("rm")).toBe("deny");
    expect(rules.store.view().pending).toMatchObject({ text: null, loosens: [expect.stringContaining("rm: Removed.")] });
    mkdirSync(rules.path);
    rules.later();
    expect(rules.judge("rm")).toBe("deny");
    expect(rules.store.view().troubles).toHaveLength(1);
    rmSync(rules.path, { recursive: true });
    rules.write(fileOf("-rm"));
    expect(rules.store.view()).toMatchObject({ troubles: [], pending: null });
  });

  it("that were changed while nobody ran are compared with what was accepted, which is in the ledger", async () => {
    await using rules = await openStore();
    rules.write(fileOf("-rm"));
    rules.judge("rm");
    await rules.restart();
    expect(rules.judge("rm")).toBe("deny");
    rules.write(fileOf("+rm"));
    await rules.restart();
    expect(rules.judge("rm")).toBe("deny");
    expect(rules.store.view().pending).not.toBeNull();
  });

  it("that are exchanged between looking and accepting are not accepted", async () => {
    await using rules = await openStore();
    rules.write(fileOf("+test"));
    const shown = rules.store.view().pending?.hash ?? "";
    rules.write(fileOf("+rm"));
    rules.judge("rm");
    await expect(rules.store.accept(shown, "ann")).rejects.toThrow();
    expect(rules.judge("rm")).toBe("abstain");
  });

  it("that are written and accepted at the same time are not mixed: what came first is done first", async () => {
    await using rules = await openStore();
    rules.write(fileOf("-rm", "+test"));
    const { pending } = rules.store.view();
    const base = rules.store.file().hash ?? "";
    const [written, accepted] = await Promise.allSettled([
      rules.store.write({ text: fileOf("-rm"), base }, "ann"),
      rules.store.accept(pending?.hash ?? "", "bob"),
    ]);
    expect([written.status, accepted.status]).toEqual(["fulfilled", "rejected"]);
    expect(rules.store.view()).toMatchObject({ text: fileOf("-rm"), pending: null });
    await rules.restart();
    expect(rules.store.view()).toMatchObject({ text: fileOf("-rm"), pending: null });
  });
});
