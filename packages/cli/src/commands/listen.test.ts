import { Readable } from "node:stream";
import type { CommandIo } from "@earshot/terminal/io";
import { describe, expect, it } from "vitest";
import type { ListenPorts } from "../listen/run-listen.ts";
import { listenCommand } from "./listen.ts";

function run(...words: readonly string[]) {
  const printed: string[] = [];
  const io: CommandIo = {
    stdin: Readable.from([]),
    out: (text) => printed.push(text),
    err: (text) => printed.push(text),
    terminal: { out: false, err: false, colour: false, width: 80 },
  };
  const ports: ListenPorts = {
    io,
    open: () => Promise.reject(new Error("There is no hub.")),
    signal: AbortSignal.abort(),
    wait: async () => {},
    now: () => 0,
    wallNow: () => 0,
  };
  return { done: listenCommand(words, io, ports), printed };
}

describe("earshot listen", () => {
  it.each([
    [["--rate", "10"], "--rate cannot be"],
    [["--rate", "fast"], "--rate cannot be"],
    [["--verbosity", "loud"], "--verbosity cannot be"],
    [["--load", "no"], "--load cannot be"],
    [["--lang", "../de"], "--lang cannot be"],
    [["--lang", "$(reboot)"], "--lang cannot be"],
    [["--voice", "no-such-voice"], "was not found"],
    [["--voice", "./voice"], "was not found"],
    [["--lines", "--voice", "x"], "contradict"],
  ])("%j is refused", async (words, why) => {
    await expect(run(...words).done).rejects.toThrow(why);
  });

  it("tells its options, and says nothing before there is a hub", async () => {
    const help = run("--help");
    expect(await help.done).toBe(0);
    const without = run("--lines");
    await expect(without.done).rejects.toThrow("There is no hub.");
    expect(without.printed).toEqual([]);
  });
});
