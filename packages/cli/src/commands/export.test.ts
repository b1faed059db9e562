import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { aopSessionEvents, openStoryHub } from "../story/testing/story-hub.ts";
import { exportCommand } from "./export.ts";

describe("earshot export", () => {
  it("writes a session, all sessions, and continues until the session ends", async () => {
    await using hub = await openStoryHub();
    const folder = mkdtempSync(join(tmpdir(), "earshot-export-"));
    const [one, other] = [aopSessionEvents("run-one"), aopSessionEvents("other")];
    const said = [one("session.started"), other("session.started"), one("cognition.thought", { content: "So." })];
    await hub.say(...said);
    const lines = (...events: readonly (object | undefined)[]) => events.map((event) => JSON.stringify(event));

    expect((await hub.run(exportCommand, "run-one")).lines).toEqual(lines(said[0], said[2]));
    expect((await hub.run(exportCommand, "run")).lines).toEqual(lines(said[0], said[2])); // the beginning of the id is enough
    expect((await hub.run(exportCommand, "--all")).lines).toEqual(lines(...said));

    let out = "";
    const print = (text: string) => {
      out += text;
    };
    const io = { stdin: Readable.from([]), out: print, err: () => {}, terminal: NO_TERMINAL };
    const following = exportCommand(["run-one", "--follow"], io, { ...hub.ports, signal: new AbortController().signal });
    await vi.waitFor(() => expect(out).toContain("So."));
    const end = one("session.ended", { outcome: "completed" });
    await hub.say(other("cognition.thought", { content: "Elsewhere." }), end);
    expect(await following).toBe(0);
    expect(out.trim().split("\n")).toEqual(lines(said[0], said[2], end));

    const path = join(folder, "run.jsonl");
    expect((await hub.run(exportCommand, "--follow", "run-one", "-o", path)).out).toBe("");
    expect(readFileSync(path, "utf8")).toBe(out);
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
    await expect(hub.run(exportCommand, "run-one", "-o", path)).rejects.toThrow("exists already");
    rmSync(folder, { recursive: true });
  });

  it("refuses what makes no sense, and a session that it does not know", async () => {
    await using hub = await openStoryHub();
    for (const [words, says] of [
      [[], "Name one session, or say --all"],
      [["--all", "x"], "Name one session, or say --all"],
      [["x", "--from-now"], "--from-now is for --follow"],
      [["x", "--for", "3s"], "--for is for --follow"],
      [["nobody"], 'No session "nobody" was heard'],
    ] as const)
      await expect(hub.run(exportCommand, ...words), words.join(" ")).rejects.toThrow(says);
  });
});

const NO_TERMINAL = { out: false, err: false, colour: false, width: 0 };
