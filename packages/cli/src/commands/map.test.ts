import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { CommandIo } from "@earshot/terminal/io";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mapCommand } from "./map.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "earshot-map-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function run(input: unknown, ...argv: readonly string[]) {
  let written = "";
  let complained = "";
  const text = typeof input === "string" ? input : JSON.stringify(input);
  const io: CommandIo = {
    // In two parts, like a pipe.
    stdin: Readable.from([Buffer.from(text).subarray(0, 5), Buffer.from(text).subarray(5)]),
    out: (more) => {
      written += more;
    },
    err: (more) => {
      complained += more;
    },
    terminal: { out: false, err: false, colour: false, width: 0 },
  };
  const code = await mapCommand(argv, io, { EARSHOT_HOME: home });
  const events = written
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as { readonly type: string; readonly id: string });
  return { code, written, complained, events };
}

const STOP = { hook_event_name: "Stop", session_id: "s", last_assistant_message: "Done — ✓" };

describe("earshot map", () => {
  it("prints the events of a payload, one a line, each with an id of its own", async () => {
    const { code, events, written, complained } = await run(STOP, "claude");
    expect([code, complained]).toEqual([0, ""]);
    expect(written.trimEnd().split("\n").length).toBe(2);
    expect(events.map(({ type }) => type)).toEqual(["model.response", "agent.stop"]);
    expect(events[0]).toMatchObject({ session: { id: "s" }, content: [{ text: "Done — ✓" }] });
    expect(new Set(events.map(({ id }) => id)).size).toBe(2);
  });

  it("takes the hook's name from beside the payload, and an agent by its other names", async () => {
    const payload = { sessionId: "s", timestamp: 1_780_000_000_000, toolName: "bash", toolArgs: '{"command":"ls"}' };
    expect((await run(payload, "copilot-cli", "--hook", "preToolUse")).events[0]).toMatchObject({
      type: "action.requested",
      agent: { slug: "github" },
    });
  });

  it("prints nothing for a hook that means nothing, and says why, with 0", async () => {
    expect(await run({ hook_event_name: "Setup" }, "claude")).toMatchObject({
      code: 0,
      written: "",
      complained: "earshot: Setup of Claude Code is left out: it prepares the machine, before any session\n",
    });
    expect((await run([1], "claude")).complained).toBe("earshot: The payload is not a JSON object.\n");
    expect((await run({ hook_event_name: "\u001b[2J" }, "claude")).complained).not.toContain("\u001b");
  });

  it("says what it could not fill in, and whose payload it rather is", async () => {
    const { complained, code } = await run({ agent_action_name: "PreToolUse", tool_name: 7 }, "claude");
    expect(complained).toContain("this looks like a payload of windsurf");
    expect(code).toBe(0);
    expect((await run({ hook_event_name: "Notification" }, "claude")).complained).toContain("content[notification]: There is no text.");
  });

  it("refuses what is no JSON, is too large, or names no agent", async () => {
    await expect(run("{", "claude")).rejects.toThrow("Not JSON at character 2.");
    await expect(run('{"a":1,"a":2}', "claude")).rejects.toThrow("written twice");
    await expect(run(`"${"x".repeat(17 * 1024 * 1024)}"`, "claude")).rejects.toThrow("too large");
    await expect(run({}, "clade")).rejects.toMatchObject({ problem: { hint: "Did you mean claude, cline?" } });
    await expect(run({}, "../../etc")).rejects.toThrow("There is no agent");
    await expect(run({})).rejects.toThrow("Name one agent.");
    await expect(run({}, "claude", "codex")).rejects.toThrow("Name one agent.");
  });

  it("maps by a person's own file, and tells what is wrong with it", async () => {
    mkdirSync(join(home, "agents", "claude"), { recursive: true });
    const path = join(home, "agents", "claude", "mapping.yaml");
    writeFileSync(
      path,
      "schema_version: aep.mapping/v1\nagent: claude\nevents: [{ id: a, source_event: Stop, canonical_event: session.end }]\nextra: 1\n",
    );
    const { events, complained } = await run(STOP, "claude");
    expect(events.map(({ type }) => type)).toEqual(["session.end"]);
    expect(complained).toContain(`${path}:4:1 warning: \`extra\` is not known here.`);
  });

  it("prints the tables that are in the documents", async () => {
    const { written } = await run({}, "--coverage");
    expect(readFileSync("docs/agents.md", "utf8").endsWith(written)).toBe(true);
    expect((await run({}, "--coverage", "claude")).written).not.toContain("## Codex");
    const parsed = JSON.parse((await run({}, "--coverage", "codex", "--json")).written) as readonly { readonly slug: string }[];
    expect(parsed.map(({ slug }) => slug)).toEqual(["codex"]);
  });
});
