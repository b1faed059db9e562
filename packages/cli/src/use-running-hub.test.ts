import { PassThrough } from "node:stream";
import type { CommandIo } from "@earshot/terminal/io";
import { describe, expect, it } from "vitest";
import type { RunningHub } from "./running-hub.ts";
import { useRunningHub } from "./use-running-hub.ts";

const OLDER: RunningHub = { url: "http://127.0.0.1:4747", pid: 7, version: "0.0.1", startedAt: "", startedWith: [] };

/** A person at a terminal who types something, or nobody. */
async function meet(hub: RunningHub, typed?: string) {
  const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  if (typed !== undefined) stdin.end(typed);
  let out = "";
  const write = (text: string) => {
    out += text;
  };
  const io: CommandIo = { stdin, out: write, err: write, terminal: { out: true, err: typed !== undefined, colour: false, width: 80 } };
  let restarts = 0;
  const restart = async () => {
    restarts += 1;
    return 0;
  };
  expect(await useRunningHub(hub, io, { greet: async () => {}, hasFlags: false, restart })).toBe(0);
  return { out, restarts };
}

describe("a newer command that meets an older hub", () => {
  it.each([
    ["y\n", 1],
    ["Yes\n", 1],
    ["\n", 0],
    ["no\n", 0],
    ["yesterday\n", 0],
    ["", 0],
  ])("asks a person, and takes %j for what it is", async (typed, expected) => {
    const { out, restarts } = await meet(OLDER, typed);
    expect([out.includes("Restart it now? [y/N]"), restarts]).toEqual([true, expected]);
  });

  it("asks nobody where nobody is, and tells the command", async () => {
    const { out, restarts } = await meet(OLDER);
    expect([out.includes("[y/N]"), restarts]).toEqual([false, 0]);
    expect(out).toContain("To use the new version: earshot hub restart");
  });
});

describe("a command of the same or an older version", () => {
  it("offers nothing, and explains the way back", async () => {
    expect((await meet({ ...OLDER, version: "99.0.0" }, "y\n")).restarts).toBe(0);
    expect((await meet({ ...OLDER, version: "99.0.0" })).out).toContain("does not open it and does not touch it");
  });
});
