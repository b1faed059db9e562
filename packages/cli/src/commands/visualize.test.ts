import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { CommandIo } from "@earshot/terminal/io";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gardenDay } from "../../../recordings/src/visualize/testing/recording.ts";
import { aopSessionEvents, openStoryHub } from "../story/testing/story-hub.ts";
import { visualizeCommand } from "./visualize.ts";

let folder = "";
let recording = "";
const NO_HUB = {
  open: () => {
    throw new Error("nobody asked for a hub");
  },
  now: Date.now,
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "earshot-visualize-"));
  recording = join(folder, "garden.jsonl");
  writeFileSync(recording, lines(gardenDay()));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function lines(events: readonly object[]): string {
  return `${events.map((event) => JSON.stringify(event)).join("\n")}\n`;
}

async function run(argv: readonly string[], stdin = "", isTerminal = false) {
  let out = "";
  const io: CommandIo = {
    stdin: Readable.from([Buffer.from(stdin)]),
    out: (text) => {
      out += text;
    },
    err: () => {},
    terminal: { out: isTerminal, err: false, colour: false, width: isTerminal ? 80 : 0 },
  };
  return { code: await visualizeCommand(argv, io, NO_HUB), out };
}

describe("earshot visualize", () => {
  it("prints sentences in a pipe and lanes on a terminal, unless a list is asked for", async () => {
    expect((await run([recording])).out).toContain("3 tool calls, up to 2 at once, 1 failed.");
    expect((await run([recording], "", true)).out).toMatch(/^State {6}\.+c+w+c+o+$/m);
    expect((await run([recording, "--list"], "", true)).out).not.toMatch(/^State {6}/m);
  });

  it("takes the format from the ending of the file it writes", async () => {
    for (const [ending, begins] of [
      ["svg", "<?xml"],
      ["html", "<!doctype html>"],
      ["mmd", "---\ntitle"],
      ["txt", "Trace of"],
    ] as const) {
      const path = join(folder, `garden.${ending}`);
      const { code, out } = await run([recording, "-o", path]);
      expect(code).toBe(0);
      expect(readFileSync(path, "utf8").startsWith(begins)).toBe(true);
      expect(out).toBe(`No rule is broken. The trace is in ${path}.\n`);
    }
    const { out } = await run([recording, "--format", "svg"]);
    expect(out.startsWith("<?xml")).toBe(true);
  });

  it("reads standard input, and gives the trace as JSON", async () => {
    const { out } = await run(["-", "--json"], lines(gardenDay()));
    expect(JSON.parse(out)).toMatchObject({ title: "standard input", events: 15, messages: 1, sections: [{ session: "sess_0001" }] });
  });

  it("exits with 1 only when asked to be strict and a rule is broken", async () => {
    const broken = lines(gardenDay().slice(0, -1));
    expect((await run(["-"], broken)).code).toBe(0);
    expect((await run(["-", "--strict"], broken)).code).toBe(1);
    expect((await run([recording, "--strict"])).code).toBe(0);
  });

  it("refuses what it cannot use, and says what to try", async () => {
    await expect(run([])).rejects.toThrow("Name one recording or one session.");
    await expect(run([recording, "other"])).rejects.toThrow("Unexpected argument");
    await expect(run([recording, "--format", "png"])).rejects.toThrow('--format cannot be "png".');
    await expect(run([recording, "--format", "svg", "--json"])).rejects.toThrow("contradict");
    await expect(run([join(folder, "none.jsonl")])).rejects.toThrow("There is no file");
    await expect(run([folder])).rejects.toThrow("is a folder");
    await expect(run(["-"], "")).rejects.toThrow("There is no event in it.");
    await expect(run([recording, "-o", join(folder, "no", "such", "folder.svg")])).rejects.toThrow("cannot be written");
    await expect(run([recording, "--session", "sess_9"])).rejects.toThrow('no session "sess_9"');
  });

  it("never overwrites the recording", async () => {
    await expect(run([recording, "-o", recording])).rejects.toThrow("would overwrite the recording");
    expect(existsSync(recording)).toBe(true);
    expect(readFileSync(recording, "utf8")).toBe(lines(gardenDay()));
  });
});

describe("a session of the hub", () => {
  it("is drawn with those that work for it", async () => {
    await using hub = await openStoryHub();
    const parent = aopSessionEvents("sess-run", "planner");
    const child = aopSessionEvents("sess-child", "digger");
    const ofParent = { parent_session_id: "sess-run" };
    await hub.say(
      parent("session.started", { goal: "Plan the beds" }),
      parent("operation.agent_spawn", { child_session_id: "sess-child", child_agent_id: "digger", goal: "Dig" }),
      child("session.started", { goal: "Dig" }, ofParent),
      child("session.ended", { outcome: "completed" }, ofParent),
      parent("session.ended", { outcome: "completed" }),
      aopSessionEvents("sess-other", "stranger")("session.started", {}),
    );
    const { out, code } = await hub.run(visualizeCommand, "sess-run");
    expect(code).toBe(0);
    expect(out).toContain("Trace of sess-run");
    expect(out).toContain("Agent planner, session sess-run, AOP");
    expect(out).toContain("Subagent digger, session sess-child, AOP");
    expect(out).not.toContain("stranger");
    expect((await hub.run(visualizeCommand, "--session", "sess-child")).out).toContain("One agent is drawn.");
    await expect(hub.run(visualizeCommand, "sess-none")).rejects.toThrow('No session "sess-none" was heard.');
  });
});
