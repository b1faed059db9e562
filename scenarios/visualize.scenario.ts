import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { conformanceRecording } from "../packages/protocol/testing/conformance.ts";
import { EARSHOT } from "../tools/built-command.ts";
import { startHub } from "./hub/hub-process.ts";

/** `earshot visualize` as a process with real files, a real hub and exit codes. */
const VALID = Buffer.from(conformanceRecording("aaep/valid/whole-session"));
const INVALID = conformanceRecording("aaep/invalid/appendix-a8-5");
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "earshot-visualize-"));
  writeFileSync(join(folder, "valid.jsonl.gz"), gzipSync(VALID));
  writeFileSync(join(folder, "invalid.jsonl"), INVALID);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function visualize(args: readonly string[], input: string | Buffer = "") {
  const env = { ...process.env, EARSHOT_HOME: join(folder, "home"), EARSHOT_URL: "" };
  return spawnSync(process.execPath, [EARSHOT, "visualize", ...args], { cwd: folder, env, encoding: "utf8", input });
}

describe("earshot visualize", () => {
  it("writes a picture, a page and a chart of a recording, plain or compressed", () => {
    for (const [out, holds] of [
      ["run.svg", "</svg>"],
      ["run.html", "</html>"],
      ["run.mmd", "gantt"],
    ] as const) {
      const { status, stdout, stderr } = visualize(["valid.jsonl.gz", "-o", out]);
      expect([status, stderr]).toEqual([0, ""]);
      expect(stdout).toContain(`The trace is in ${out}.`);
      expect(readFileSync(join(folder, out), "utf8")).toContain(holds);
    }
  });

  it("tells standard input in plain lines, and marks what is wrong with it", () => {
    const { status, stdout } = visualize(["-"], INVALID);
    expect(status).toBe(0);
    expect(stdout).toContain("Error 1 at line 5, agent.tool.invoked: breaks aaep/rejected-action-not-invoked.");
    expect(visualize(["-", "--strict"], INVALID).status).toBe(1);
  });

  it("exits with 2 and says what to try when there is nothing to draw", () => {
    for (const [args, input] of [
      [["none.jsonl"], ""],
      [["-"], ""],
      [["invalid.jsonl", "--format", "gif"], ""],
      [["some-session"], ""],
    ] as const) {
      const { status, stdout, stderr } = visualize(args, input);
      expect(status).toBe(2);
      expect(stdout).toBe("");
      expect(stderr).toMatch(/^earshot: .+\n.+\n$/);
      expect(stderr).not.toContain("    at ");
    }
  });

  it("does not stumble over bytes that are no recording", () => {
    const bytes = Buffer.from(Array.from({ length: 5000 }, (_none, index) => (index * 131 + (index >> 3)) % 256));
    for (const input of [
      bytes,
      gzipSync(bytes),
      Buffer.from("[[[[".repeat(1000)),
      Buffer.from('{"a":1}\n'.repeat(50)),
      gzipSync(VALID).subarray(0, 200),
    ]) {
      const { status, stderr } = visualize(["-", "--format", "svg"], input);
      expect([0, 2]).toContain(status);
      expect(stderr).not.toContain("INTERNAL");
      expect(stderr).not.toContain("Error:");
    }
  });

  it("draws a session of a running hub", async () => {
    await using hub = await startHub();
    const response = await hub.post("/v1/events", VALID, "application/x-ndjson");
    expect(response.ok).toBe(true);
    const [first = ""] = VALID.toString().split("\n");
    const { session_id: session } = JSON.parse(first) as { session_id: string };
    await hub.get(`/api/sessions?limit=1&wait=${((await response.json()) as { last: number }).last}`, hub.viewer());
    const { status, stdout, stderr } = hub.earshot("visualize", session);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`session ${session}, AAEP`);
  });
});
