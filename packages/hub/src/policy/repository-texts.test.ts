import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLifecycle } from "../intake/lifecycle.ts";
import { openSqliteLedger } from "../ledger/sqlite/open-ledger.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { createPolicyLanguage } from "./policy-language.ts";
import { PolicyStore } from "./policy-store.ts";

const DENY = "rules:\n  - name: no-deploy\n    match: { tool: Bash, command: deploy }\n    answer: deny\n";
const DENY_MORE = `${DENY}  - name: no-push\n    match: { tool: Bash, command: git push }\n    answer: deny\n`;

interface Opened extends AsyncDisposable {
  readonly told: readonly string[];
  readonly repository: string;
  readonly file: string;
  readonly inside: string;
  readonly fileInside: string;
  store: PolicyStore;
  openStore(path: string): Promise<PolicyStore>;
  write(text: string, file?: string): void;
  remove(): void;
  later(): void;
  judge(command: string, cwd?: string): string;
  restart(): Promise<void>;
}

/** A hub's rules, and a repository with its own rules. */
async function openRepository(): Promise<Opened> {
  const folder = temporaryTestFolder();
  const clock = { now: 0 };
  const told: string[] = [];
  const lifecycle = createLifecycle({ strict: false });
  const openLedger = () => openSqliteLedger(folder.file("ledger.db"), { lifecycle, now: () => 1_790_000_000_000 });
  let ledger = openLedger();
  const openStore = (path = folder.file("policy.yaml")) =>
    PolicyStore.open({
      path,
      language: createPolicyLanguage("policy.yaml", {}),
      ledger,
      now: () => 1_790_000_000_000,
      monotonic: () => clock.now,
      log: (message) => told.push(message),
      onFailure: (error) => {
        throw error;
      },
    });
  const repository = folder.file("repository");
  const inside = join(repository, "packages", "one");
  mkdirSync(inside, { recursive: true });
  const opened: Opened = {
    told,
    inside,
    repository,
    file: join(repository, ".earshot", "policy.yaml"),
    fileInside: join(inside, ".earshot", "policy.yaml"),
    store: await openStore(),
    openStore,
    write(text: string, file = opened.file) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      clock.now += 1000;
    },
    remove() {
      rmSync(join(repository, ".earshot"), { recursive: true });
      clock.now += 1000;
    },
    later: () => {
      clock.now += 1000;
    },
    judge: (command: string, cwd = inside) => opened.store.judge({ moment: "action", tool: "Bash", command, cwd }).behaviour,
    async restart() {
      await ledger.head();
      await opened.store.close();
      await ledger.close();
      ledger = openLedger();
      opened.store = await openStore();
    },
    async [Symbol.asyncDispose]() {
      await opened.store.close();
      await ledger.close();
      folder[Symbol.dispose]();
    },
  };
  return opened;
}

describe("the rules of a repository", () => {
  it("count as soon as they are there, for what is done inside it, and can only tighten", async () => {
    await using rules = await openRepository();
    expect(rules.judge("deploy")).toBe("abstain");
    rules.write(`${DENY}  - name: all\n    match: { tool: Bash }\n    answer: allow\n`);
    expect(rules.judge("deploy")).toBe("deny");
    expect(rules.judge("ls")).toBe("abstain");
    expect(rules.judge("deploy", dirname(rules.repository))).toBe("abstain");
    expect(rules.judge("deploy", "/no/such/folder")).toBe("abstain");
    rules.write(DENY_MORE);
    expect(rules.judge("git push")).toBe("deny");
    expect(rules.told).toEqual([]);
  });

  it.each([
    ["removed", (rules: Opened) => rules.remove()],
    ["loosened", (rules: Opened) => rules.write("rules: []\n")],
    ["spoilt", (rules: Opened) => rules.write("rules: [")],
    ["hidden behind looser ones further in", (rules: Opened) => rules.write("rules: []\n", rules.fileInside)],
    ["hidden behind nonsense further in", (rules: Opened) => rules.write("x: [", rules.fileInside)],
    [
      "turned into a folder",
      (rules: Opened) => {
        rules.remove();
        mkdirSync(rules.file, { recursive: true });
      },
    ],
  ])("that were %s stay, also after a restart", async (_name, change) => {
    await using rules = await openRepository();
    rules.write(DENY);
    expect(rules.judge("deploy", rules.repository)).toBe("deny");
    change(rules);
    expect(rules.judge("deploy", rules.repository)).toBe("deny");
    expect(rules.judge("deploy", rules.inside)).toBe("deny");
    await rules.restart();
    expect(rules.judge("deploy", rules.repository)).toBe("deny");
    expect(rules.judge("deploy", rules.inside)).toBe("deny");
  });

  it("that would let more through wait for an approver, who names exactly those", async () => {
    await using rules = await openRepository();
    rules.write(DENY_MORE);
    expect(rules.judge("git push")).toBe("deny");
    rules.write(DENY);
    expect(rules.judge("git push")).toBe("deny");
    expect(rules.told).toEqual([expect.stringContaining("wait for an approver")]);
    const [pending] = rules.store.view().pendingRepositories;
    expect(pending).toMatchObject({ path: rules.file, text: DENY, loosens: [expect.stringContaining("no-push")] });
    await expect(rules.store.accept("another", "ann")).rejects.toThrow();
    expect(await rules.store.accept(pending?.hash ?? "", "ann")).toMatchObject({ pendingRepositories: [], repositories: [{ text: DENY }] });
    expect([rules.judge("git push"), rules.judge("deploy")]).toEqual(["abstain", "deny"]);
    await rules.restart();
    expect([rules.judge("git push"), rules.judge("deploy")]).toEqual(["abstain", "deny"]);
    rules.remove();
    const [gone] = rules.store.view().pendingRepositories;
    await rules.store.accept(gone?.hash ?? "", "ann");
    expect(rules.judge("deploy")).toBe("abstain");
    await rules.restart();
    expect(rules.judge("deploy")).toBe("abstain");
  });

  it("are not forgotten for many others, and not looked past for a file with an older date", async () => {
    await using rules = await openRepository();
    rules.write(DENY);
    expect(rules.judge("deploy")).toBe("deny");
    for (let index = 0; index < 300; index++) {
      const other = join(rules.repository, `r${index}`);
      rules.write(DENY, join(other, ".earshot", "policy.yaml"));
      expect(rules.judge("deploy", other)).toBe("deny");
    }
    rules.write("rules: []\n");
    utimesSync(rules.file, 0, 0);
    rules.later();
    expect(rules.judge("deploy")).toBe("deny");
    await rules.restart();
    expect(rules.judge("deploy")).toBe("deny");
  });

  it("are not the person's own, wherever those stand", async () => {
    await using rules = await openRepository();
    const own = join(dirname(rules.repository), ".earshot", "policy.yaml");
    rules.write(DENY, own);
    const store = await rules.openStore(own);
    expect(store.judge({ moment: "action", tool: "Bash", command: "deploy", cwd: rules.inside })).toMatchObject({ behaviour: "deny" });
    expect(store.view()).toMatchObject({ text: DENY, repositories: [] });
  });

  it("say nothing about a folder that is gone", async () => {
    await using rules = await openRepository();
    rules.write(DENY);
    expect(rules.judge("deploy")).toBe("deny");
    rmSync(rules.repository, { recursive: true });
    rules.later();
    expect(rules.store.view().pendingRepositories).toEqual([]);
    expect(rules.told).toEqual([]);
  });
});
