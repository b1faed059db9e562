import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mapPayload } from "../mapping/map-payload.ts";
import { AGENT_FOLDERS } from "../testing/agent-folders.ts";
import type { LocatedProblem } from "../text/read-yaml.ts";
import { AgentFiles } from "./agent-files.ts";
import { readShippedAgent } from "./shipped-agents.ts";

let folder = "";
let clock = 1_000;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "earshot-agents-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Gives each version of the file a distinct modification time. */
function write(slug: string, name: string, text: string): void {
  mkdirSync(join(folder, slug), { recursive: true });
  const path = join(folder, slug, name);
  writeFileSync(path, text);
  utimesSync(path, ++clock, clock);
}

const mapping = (type: string, agent = "claude") =>
  `schema_version: aep.mapping/v1\nagent: ${agent}\nevents: [{ id: own, source_event: Stop, canonical_event: ${type} }]\n`;

async function typeOf(files: AgentFiles, name = "claude"): Promise<string | undefined> {
  const agent = await files.agent(name);
  if (agent === undefined) return "unknown";
  const { events } = mapPayload(agent.mapping, { hook_event_name: "Stop" }, { now: 0, ids: () => "evt_1" });
  return events[0]?.event.type;
}

describe("the agents that ship with Earshot", () => {
  it("are read from their folders", () => {
    for (const { slug, file, answers } of AGENT_FOLDERS) expect(readShippedAgent(slug)).toMatchObject({ mapping: file.mapping, answers });
    expect(readShippedAgent("nobody")).toBeUndefined();
  });

  it("are found by their other names", async () => {
    const files = new AgentFiles();
    const names = ["claude-code", "Codex-CLI", "copilot-cli", "vscode-agent", "gemini-cli", "augment", "factory", "qwen-code"];
    expect(await Promise.all(names.map(async (name) => (await files.agent(name))?.slug))).toEqual([
      "claude",
      "codex",
      "github",
      "github",
      "gemini",
      "auggie",
      "droid",
      "qwen",
    ]);
    for (const name of ["", "nobody", "../claude", "claude.json", "/etc/passwd", "CLAUDE\u0000", "__proto__"])
      expect(await files.agent(name), name).toBeUndefined();
  });
});

describe("a person's own files", () => {
  it("count before ours, as soon as they are there, changed or gone", async () => {
    const files = new AgentFiles({ folder });
    expect(await typeOf(files)).toBe("agent.stop");
    write("claude", "mapping.yaml", mapping("session.end"));
    expect(await typeOf(files)).toBe("session.end");
    write("claude", "mapping.yaml", mapping("agent.error"));
    expect(await typeOf(files)).toBe("agent.error");
    rmSync(join(folder, "claude"), { recursive: true });
    expect(await typeOf(files)).toBe("agent.stop");
  });

  it("are left alone for a while where somebody wants that, and looked at again then", async () => {
    let now = 0;
    const files = new AgentFiles({ folder, restMs: 500, monotonic: () => now });
    expect(await typeOf(files)).toBe("agent.stop");
    write("claude", "mapping.yaml", mapping("session.end"));
    now = 499;
    expect(await typeOf(files)).toBe("agent.stop");
    now = 500;
    expect(await typeOf(files)).toBe("session.end");
    now = 1100;
    expect(await typeOf(files)).toBe("session.end");
    write("claude", "mapping.yaml", mapping("agent.error"));
    now = 1500;
    expect(await typeOf(files)).toBe("session.end");
    now = 1600;
    expect(await typeOf(files)).toBe("agent.error");
  });

  it("leave things as they were while they cannot be read, and say so once, with line and column", async () => {
    const told: [string, readonly LocatedProblem[]][] = [];
    const files = new AgentFiles({ folder, onTrouble: (path, troubles) => told.push([path, troubles]) });
    write("claude", "mapping.yaml", "schema_version: [");
    expect(await typeOf(files)).toBe("agent.stop");
    write("claude", "mapping.yaml", mapping("session.end"));
    expect(await typeOf(files)).toBe("session.end");
    write("claude", "mapping.yaml", `${mapping("session.end")}evnets: 1\nschema_version: 3\n`);
    expect([await typeOf(files), await typeOf(files)]).toEqual(["session.end", "session.end"]);
    expect(told.map(([path]) => path)).toEqual([join(folder, "claude", "mapping.yaml"), join(folder, "claude", "mapping.yaml")]);
    expect(told[1]?.[1].map(({ severity, line }) => `${severity} ${line}`)).toEqual(["warning 5", "warning 4", "error 5"]);
  });

  it("may describe an agent that Earshot does not know: it is watched, and told nothing", async () => {
    write("mine", "mapping.yaml", mapping("session.end", "mine"));
    const files = new AgentFiles({ folder });
    expect(await typeOf(files, "mine")).toBe("session.end");
    expect((await files.agent("mine"))?.answers.answers).toMatchObject({ gate: "none", hooks: [] });
  });

  it("may change the answers alone", async () => {
    write("claude", "answers.yaml", "schema_version: earshot.answers/v1\nagent: claude\ngate: none\n");
    const agent = await new AgentFiles({ folder }).agent("claude");
    expect([agent?.answers.answers.gate, agent?.mapping.mapping.entries.length]).toEqual([
      "none",
      readShippedAgent("claude")?.mapping.entries.length,
    ]);
  });

  it("speak for the agent in whose folder they are", async () => {
    write("claude", "mapping.yaml", mapping("session.end", "cursor"));
    expect((await new AgentFiles({ folder }).agent("claude"))?.mapping.mapping.agent).toBe("claude");
  });
});
