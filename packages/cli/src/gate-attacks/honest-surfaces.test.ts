import { agentCards } from "@earshot/agents/files";
import { describe, expect, it } from "vitest";
import type { Senses } from "../agents/doctor/examine.ts";
import { type DrillResult, drillConclusion, drillLines, FAULTS } from "../agents/drill.ts";
import { commandIo } from "../agents/testing/command-io.ts";
import { temporaryInstallation } from "../agents/testing/temporary-installation.ts";
import { doctor } from "../commands/doctor.ts";
import { status } from "../commands/status.ts";
import { VERSION } from "../version.ts";

const NOW = Date.parse("2026-11-15T12:00:00Z");
const running = { url: "http://127.0.0.1:4747", pid: 42, version: VERSION, startedAt: "", startedWith: [] };
const well: Senses = {
  hub: async () => ({ running, isOurs: true, clock: { hub: NOW, here: NOW } }),
  heardAt: async () => NOW,
  programs: () => [],
};

describe("doctor", () => {
  it("never says that all is well where no hooks are registered", async () => {
    using machine = temporaryInstallation();
    for (const name of ["viewer.token", "producer.token"]) machine.write(`.earshot/${name}`, "a".repeat(43));
    const io = commandIo();
    expect(await doctor([], io, machine, well)).toBe(1);
    expect(io.heard.out).toContain("No agent's hooks are registered, so that nothing is held.");
    expect(io.heard.out).not.toContain("All is well");
  });
});

describe("the drill", () => {
  const [agent] = agentCards();
  const result = (name: string, effect: DrillResult["verdict"]["effect"]): DrillResult => {
    const fault = FAULTS.find((one) => one.name === name);
    if (agent === undefined || fault === undefined) throw new Error(name);
    return { agent, host: agent.name, fault, verdict: { effect, why: "" } };
  };

  it("concludes what its table shows", () => {
    const results = [result("launcher missing", "ran"), result("hub down", "blocked"), result("hub says deny", "blocked")];
    expect(drillLines(results)).toContain("ran");
    expect(drillConclusion(results)).toContain("With a broken launcher it ran 1 times, in 1 of 1");
    expect(drillConclusion(results)).toContain("nothing ran that the rules refuse");
    expect(drillConclusion([result("hub down", "ran")])).toContain("1 ran although the rules refuse it");
  });
});

describe("status", () => {
  it("says that nobody can be asked where no hub runs, and not that nothing waits", async () => {
    using machine = temporaryInstallation();
    const io = commandIo();
    expect(await status([], io, machine.env)).toBe(1);
    expect(io.heard.out).toContain("nobody can be asked");
    expect(io.heard.out).not.toContain("Nothing waits");
  });
});
