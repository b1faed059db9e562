import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { conformanceRecording } from "../packages/protocol/testing/conformance.ts";
import { EARSHOT } from "../tools/built-command.ts";
import { type HubProcess, startHub } from "./hub/hub-process.ts";

/** `earshot diff` with real files, a real hub and two runs of the demo. */
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "earshot-diff-"));
  for (const name of ["whole-session", "whole-session-declined"]) {
    writeFileSync(join(folder, `${name}.jsonl`), conformanceRecording(`aaep/valid/${name}`));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function earshot(args: readonly string[], input = "") {
  const env = { ...process.env, EARSHOT_HOME: join(folder, "no-home"), EARSHOT_URL: "" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [EARSHOT, ...args], { cwd: folder, encoding: "utf8", input, env });
  return { status, lines: stdout.split("\n"), stdout, stderr };
}

describe("Recordings", () => {
  it("tells where a transfer that was declined parts from one that was not", () => {
    const { status, lines } = earshot(["diff", "whole-session.jsonl", "whole-session-declined.jsonl"]);
    expect(status).toBe(1);
    expect(lines[0]).toMatch(/^They part ways at step 3 of 10 in A and step 2 of 6 in B: A first calls fetch_balance; /);
    const asked = lines.indexOf("~ A 5, B 3, changed: Asks for confirmation: Move 500 euros to the savings account.");
    expect(lines.slice(asked + 1, asked + 3)).toEqual(["  Answer in A: accept", "  Answer in B: reject"]);
  });

  it("takes one from a pipe", () => {
    const { status, lines } = earshot(["diff", "-", "whole-session.jsonl"], conformanceRecording("aaep/valid/whole-session"));
    expect([status, lines[0]]).toEqual([0, "They are alike: all 10 steps are the same."]);
  });

  it("ends with 2 and says what to do when one is missing", () => {
    const { status, stdout, stderr } = earshot(["diff", "whole-session.jsonl", "sess_nobody"]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain('There is no file "sess_nobody", and no hub answers');
  });
});

describe("Two plays of the demo in one hub", () => {
  it("are alike, whatever their ids and times, until one step is taken out", async () => {
    await using hub = await startHub();
    await play(hub);
    await play(hub);
    const leads = sessionsOf(hub).filter((id) => id.startsWith("demo-lead-"));
    const [first = "", second = ""] = leads;
    expect(leads).toHaveLength(2);

    const alike = hub.earshot("diff", first, second);
    expect(alike.stdout.split("\n")[0]).toBe("They are alike: all 27 steps are the same.");
    expect(alike.stdout).toContain("27 steps in 3 sessions");
    expect(alike.status).toBe(0);

    const scout = first.replace("lead", "price-scout");
    const recorded = hub.earshot("export", scout).stdout;
    const shorter = join(folder, "shorter.jsonl");
    writeFileSync(
      shorter,
      recorded
        .split("\n")
        .filter((line) => !line.includes('"loop5"'))
        .join("\n"),
    );
    const differing = hub.earshot("diff", scout, shorter, "--context", "0");
    expect(differing.status).toBe(1);
    expect(differing.stdout.match(/^[-+~].*/gm)).toEqual([
      "- only A 11: Call fetch_page, failed: https://greenleaf.example/prices. Error: 403: not for robots.",
    ]);
  });
});

/** Stopped after the research agents, because the next one would wait for a person. */
async function play(hub: HubProcess): Promise<void> {
  const before = endedLeads(hub);
  const env = { ...process.env, EARSHOT_HOME: hub.home, EARSHOT_URL: "" };
  const demo = spawn(process.execPath, [EARSHOT, "demo", "--speed", "500"], { env, stdio: "ignore" });
  const ended = once(demo, "exit");
  while (endedLeads(hub) === before && demo.exitCode === null) await new Promise((done) => setTimeout(done, 100));
  demo.kill("SIGTERM");
  await ended;
}

function endedLeads(hub: HubProcess): number {
  return (hub.earshot("sessions", "--status", "completed", "--agent", "paper-buyer", "--json").stdout.match(/"demo-lead-/g) ?? []).length;
}

function sessionsOf(hub: HubProcess): readonly string[] {
  const { items } = JSON.parse(hub.earshot("sessions", "--json").stdout) as { readonly items: readonly { readonly id: string }[] };
  return items.map(({ id }) => id);
}
