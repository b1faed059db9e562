import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { agentCards, readShippedAgent } from "@earshot/agents/files";
import { VERSION } from "@earshot/terminal/version";
import { describe, expect, it } from "vitest";
import type { DoctorSources } from "../agents/doctor/examine.ts";
import { type DrillResult, drillConclusion, drillLines, type HubState, isGateBroken, registeredLines } from "../agents/drill.ts";
import { possibleTargets } from "../agents/installation.ts";
import { Record } from "../agents/record.ts";
import { hookMomentOf } from "../agents/registrations.ts";
import { commandIo } from "../agents/testing/command-io.ts";
import { temporaryInstallation } from "../agents/testing/temporary-installation.ts";
import { doctorCommand } from "../commands/doctor.ts";
import { statusCommand } from "../commands/status.ts";

const NOW = Date.parse("2026-11-15T12:00:00Z");
const running = { url: "http://127.0.0.1:4747", pid: 42, version: VERSION, startedAt: "", startedWith: [] };
const well: DoctorSources = {
  hub: async () => ({ running, isOurs: true, clock: { hub: NOW, here: NOW } }),
  heardAt: async () => NOW,
  programs: () => [],
};

describe("doctor", () => {
  it("never says that all is well where no hooks are registered", async () => {
    using machine = temporaryInstallation();
    for (const name of ["viewer.token", "producer.token"]) machine.write(`.earshot/${name}`, "a".repeat(43));
    const io = commandIo();
    expect(await doctorCommand([], io, machine, well)).toBe(1);
    expect(io.heard.out).toContain("No agent's hooks are registered, so no action is held.");
    expect(io.heard.out).not.toContain("All is well");
  });
});

describe("the drill", () => {
  const [card] = agentCards();
  const result = (hub: HubState, stdout: string, more: Partial<DrillResult> = {}): DrillResult => {
    if (card === undefined) throw new Error("No agents.");
    const line = { card, path: "/home/ana/settings.json", hook: "PreToolUse", command: "/x/bin/earshot-hook" };
    return { line, hub, run: { kind: "ended", code: 0, stdout, stderr: "" }, refuses: stdout !== "", leaks: false, ...more };
  };

  it("shows what the agent is told, and concludes what it shows", () => {
    const held = [result("up", "no"), result("stopped", "no")];
    expect(drillLines(held)).toContain("refuses  exit 0: no");
    expect(drillConclusion(held)).toContain("denied in every state");
    expect(held.some(isGateBroken)).toBe(false);
    const open = [...held, result("replaced", "", { leaks: true })];
    expect(drillLines(open)).toContain("DOES NOT REFUSE  exit 0, without a word");
    expect(drillConclusion(open)).toContain("at PreToolUse with stranger in its place");
    expect(drillConclusion(open)).toContain("received the producer token");
    expect(open.map(isGateBroken)).toEqual([false, false, true]);
  });

  it("finds nothing to drill where no hooks are registered, and says so", async () => {
    using machine = temporaryInstallation();
    const io = commandIo();
    expect(await doctorCommand(["--drill"], io, machine, well)).toBe(1);
    expect(io.heard.out).toContain("nothing to drill");
  });

  it.each(agentCards().map((one) => one.name))("has a payload for every line that init registers for %s before actions", (name) => {
    using machine = temporaryInstallation();
    const cards = agentCards().filter((one) => one.name === name);
    for (const target of possibleTargets(machine, new Record(machine.env["EARSHOT_HOME"] ?? ""), { cards, scopes: ["user"] })) {
      const added = target.part.add("");
      if (!added.ok) throw new Error(added.why);
      mkdirSync(dirname(target.path), { recursive: true });
      writeFileSync(target.path, added.text);
    }
    const lines = registeredLines(machine, cards);
    const gates = cards.some((one) => one.user !== undefined && one.hooks.some((hook) => hookMomentOf(one, hook) === "before_action"));
    expect(lines.length > 0).toBe(gates);
    for (const { card: agent, hook } of lines)
      expect([hook, readShippedAgent(agent.slug)?.payloads?.[hook]]).toEqual([hook, expect.anything()]);
  });
});

describe("status", () => {
  it("says that no request can be approved where no hub runs, and not that nothing waits", async () => {
    using machine = temporaryInstallation();
    const io = commandIo();
    expect(await statusCommand([], io, machine.env)).toBe(1);
    expect(io.heard.out).toContain("no request can be approved");
    expect(io.heard.out).not.toContain("Nothing waits");
  });
});
