import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AgentFiles } from "@earshot/agents/files";
import { describe, expect, it } from "vitest";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { createPolicyLanguage } from "../policy/policy-language.ts";
import { PolicyStore } from "../policy/policy-store.ts";
import { openBench, rulesFor } from "../requests/testing/engine-bench.ts";
import { bashPayload, openGate, replyTextOf } from "./testing/gate.ts";

const RULES = rulesFor({ "rm -rf": { behaviour: "deny", message: "DENIED-BY-RULE" } });
const SHIPPED = new URL("../../../agents/agents/claude/", import.meta.url);
const shipped = (name: string) => readFileSync(new URL(name, SHIPPED), "utf8");

/** Files that an agent's shell can write into `~/.earshot/agents/claude`. */
const ATTACKS: readonly (readonly [string, string, string])[] = [
  ["no gate", "answers.yaml", "schema_version: earshot.answers/v1\nagent: claude\ngate: none\nhooks: []\n"],
  [
    "a deny that reads as an allow",
    "answers.yaml",
    shipped("answers.yaml").replaceAll("permissionDecision: deny", "permissionDecision: allow"),
  ],
  [
    "a mapping with a constant input",
    "mapping.yaml",
    shipped("mapping.yaml").replace(
      "action.input: { source: /tool_input, display_style: indented_json }",
      "action.input: { value: { command: ls } }",
    ),
  ],
];

function place(folder: string, file: string, text: string, agent = "claude"): void {
  mkdirSync(join(folder, agent), { recursive: true });
  writeFileSync(join(folder, agent, file), text);
}

describe("files that change what an agent's answers mean", () => {
  it.each(ATTACKS)("%s does not count before an approver has accepted it, and is told", async (_what, file, text) => {
    using folder = temporaryTestFolder();
    const waiting: string[] = [];
    let accepted = "";
    const agents = new AgentFiles({
      folder: folder.path,
      isAccepted: (_slug, hash) => hash === accepted,
      onWaiting: (slug) => waiting.push(slug),
    });
    await using gate = await openGate(RULES, agents);
    expect(replyTextOf(await gate.ask(bashPayload("rm -rf /")))).toContain("DENIED-BY-RULE");
    place(folder.path, file, text);
    expect(replyTextOf(await gate.ask(bashPayload("rm -rf /", { tool_use_id: "call_1" })))).toContain('"permissionDecision":"deny"');
    expect(waiting).toEqual(["claude"]);
    const [pending] = await agents.waiting();
    expect(pending?.changes.length).toBeGreaterThan(0);
    accepted = pending?.hash ?? "";
    expect(replyTextOf(await gate.ask(bashPayload("rm -rf /", { tool_use_id: "call_2" })))).not.toContain('"permissionDecision":"deny"');
    // Any change needs acceptance again.
    place(folder.path, file, `${text}\n# x\n`);
    expect(replyTextOf(await gate.ask(bashPayload("rm -rf /", { tool_use_id: "call_3" })))).toContain('"permissionDecision":"deny"');
    rmSync(join(folder.path, "claude"), { recursive: true });
    expect(replyTextOf(await gate.ask(bashPayload("rm -rf /", { tool_use_id: "call_4" })))).toContain('"permissionDecision":"deny"');
  });

  it("may add an agent that does not ship", async () => {
    using folder = temporaryTestFolder();
    const agents = new AgentFiles({ folder: folder.path, isAccepted: () => false });
    place(folder.path, "mapping.yaml", shipped("mapping.yaml").replaceAll("claude", "mine"), "mine");
    expect((await agents.agent("mine"))?.slug).toBe("mine");
    expect(await agents.waiting()).toEqual([]);
  });

  it("are accepted by an approver who names exactly that text, on record and after a restart", async () => {
    using folder = temporaryTestFolder();
    await using bench = await openBench();
    const agents = new AgentFiles({ folder: folder.path, isAccepted: (slug, hash) => store.isAgentAccepted(slug, hash) });
    const ports = () => ({
      path: folder.file("policy.yaml"),
      language: createPolicyLanguage("policy.yaml", {}),
      ledger: bench.ledger,
      now: () => bench.clock.now,
      monotonic: () => bench.clock.monotonic,
      log: () => {},
      onFailure: (error: unknown) => bench.failures.push(error),
      waitingAgents: () => agents.waiting(),
    });
    let store = await PolicyStore.open(ports());
    const [, file, text] = ATTACKS[0] ?? ["", "", ""];
    place(folder.path, file, text);
    const [pending] = (await store.fullView()).pendingAgents;
    expect(pending).toMatchObject({ agent: "claude", changes: expect.arrayContaining([expect.stringContaining("gate")]) });
    await expect(store.accept("another", "Ana")).rejects.toThrow();
    expect((await store.accept(pending?.hash ?? "", "Ana")).pendingAgents).toEqual([]);
    await bench.restart();
    store = await PolicyStore.open(ports());
    expect(store.isAgentAccepted("claude", pending?.hash ?? "")).toBe(true);
    expect((await agents.agent("claude"))?.answers.answers.gate).toBe("none");
  });
});

describe("a repository's own rules", () => {
  it("cannot defer what a person's rule asks about", () => {
    const language = createPolicyLanguage("policy.yaml", {});
    const own = language.read('rules:\n  - { name: mine, match: { command: "git push *" }, answer: ask, unanswered: deny }\n');
    if (!own.ok) throw new Error(own.troubles.join());
    const repository = 'rules:\n  - { name: theirs, match: { command: "git push *" }, answer: defer }\n';
    const asked = { moment: "action", tool: "Bash", command: "git push origin main" } as const;
    expect(own.rules.judge(asked, { granted: [], repository })).toMatchObject({ behaviour: "ask", rule: { name: "mine" } });
  });
});
