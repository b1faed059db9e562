import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";
import { CONFORMANCE_CASES } from "../packages/protocol/testing/conformance.ts";
import { createFreshen } from "../packages/recordings/src/replay/freshen.ts";
import { readRecorded } from "../packages/recordings/src/replay/recorded.ts";
import { EARSHOT } from "../tools/built-command.ts";
import { aopEvent, freePort, type HubProcess, startHub } from "./hub/hub-process.ts";
import { recordDemo } from "./replay/demo-recording.ts";
import { pictureOf } from "./replay/picture.ts";
import { type Body, eventually, linesOf, ROLLBACK, saveLines } from "./replay/recordings.ts";

const folder = mkdtempSync(join(tmpdir(), "earshot-replay-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const save = (name: string, lines: readonly string[]) => saveLines(join(folder, name), lines);

describe("a recording that is replayed into an empty hub", () => {
  it("gives the same sessions, views and flags as it gave where it came from: the whole conformance corpus", async () => {
    // Cases share ids: each gets its own, or most would be duplicates.
    const lines = CONFORMANCE_CASES.flatMap(({ id, lines: recorded }) => {
      const freshen = createFreshen({ seed: id });
      return recorded.map((line, index) => {
        const read = readRecorded(line, index, undefined);
        return read === undefined || "damaged" in read ? line : freshen(read).text;
      });
    });
    const file = save("corpus.jsonl", lines);
    await using original = await startHub();
    const answer = (await (await original.post("/v1/events", `${lines.join("\n")}\n`, "application/x-ndjson")).json()) as Body;
    await using again = await startHub();
    const { status, stdout, stderr } = again.earshot("replay", file, "--speed", "max", "--json");
    const told = JSON.parse(stdout || stderr) as Body;
    expect([told["events"], told["stored"], told["known"], told["flagged"]]).toEqual([
      answer["events"],
      answer["stored"],
      answer["duplicates"],
      answer["flagged"],
    ]);
    expect(told["refused"]).toBe(answer["refused"]);
    expect(status).toBe(1); // the corpus has events that are refused
    const [before, after] = [await pictureOf(original), await pictureOf(again)];
    expect(Object.keys(before.sessions).length).toBeGreaterThan(400);
    expect(Object.keys(after.sessions).sort()).toEqual(Object.keys(before.sessions).sort());
    for (const [id, session] of Object.entries(before.sessions)) expect([id, after.sessions[id]]).toEqual([id, session]);
    expect(after).toEqual(before);
    expect(after.requests).toBe(0);

    // Repeated: nothing is new, and the command says so.
    const second = again.earshot("replay", file, "--speed", "max");
    expect(second.stderr).toMatch(/there already/);
    expect(second.stderr).toContain("--fresh");
    expect(await pictureOf(again)).toMatchObject({ sessions: after.sessions });
  }, 240_000);

  it("tells the same story, and asks nobody what was asked then: three agents in three protocols", async () => {
    await using original = await startHub();
    const file = save("demo.jsonl", await recordDemo(original));
    const before = await pictureOf(original);
    expect(new Set(Object.keys(before.sessions).map((id) => id.split(" ")[0]))).toEqual(new Set(["aaep", "aep", "aop"]));
    await using again = await startHub();
    const { status, stderr } = again.earshot("replay", file, "--speed", "20", "--max-gap", "2s");
    expect([status, stderr]).toEqual([0, expect.stringMatching(/^\S+ to the hub at \S+: [\d,]+ events in .*; [\d,]+ taken\.\n/)]);
    // On the hub it was recorded from, the agents' sessions already exist.
    expect(original.earshot("replay", file, "--speed", "max").stderr).toMatch(/ is there from \S+, too: .* --fresh/);
    const after = await pictureOf(again);
    expect(after.requests).toBe(0);
    const requests = async (hub: HubProcess) =>
      (await (await hub.get("/api/requests")).json()) as { readonly requests: readonly unknown[] };
    expect((await requests(original)).requests.length).toBeGreaterThan(0);
    expect((await requests(again)).requests).toEqual([]);
    const exports = (picture: typeof before) =>
      Object.fromEntries(
        Object.entries(picture.sessions).map(([name, session]) => [
          name.split(" ").slice(0, 2).join(" "),
          (session as { exported: string }).exported,
        ]),
      );
    expect(exports(after)).toEqual(exports(before));
  }, 240_000);
});

describe("a replay into a hub that dies in between", () => {
  it("goes on when the hub is back, and nothing is there twice", async () => {
    const many = Array.from({ length: 30_000 }, (_, index) => aopEvent({ session: "long", sequence: index + 1 }));
    const reply = linesOf(ROLLBACK).find((line) => line.includes("confirmation.reply")) ?? "";
    const file = save("long.jsonl", [...many.slice(0, 10_000), reply, ...many.slice(10_000)]);
    const [home, port] = [mkdtempSync(join(folder, "home-")), await freePort()];
    let hub = await startHub({ home, port });
    try {
      const env = { ...process.env, EARSHOT_HOME: home, EARSHOT_URL: "" };
      const child = spawn(process.execPath, [EARSHOT, "replay", file, "--speed", "max", "--json"], {
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const said = Promise.all([readAll(child.stdout), readAll(child.stderr), once(child, "close")]);
      const head = async () => ((await (await hub.get("/api/status")).json()) as { head: number }).head;
      await eventually(head, (stored) => stored > 2000);
      await hub.kill("SIGKILL");
      hub = await startHub({ home, port });
      const [out, err, [code]] = await said;
      expect([code, err]).toEqual([0, expect.stringContaining("waiting, the hub")]);
      const told = JSON.parse(out) as { stored: number; known: number; refused: number };
      expect([told.stored + told.known, told.refused]).toEqual([many.length + 1, 0]);
      expect(await (await hub.get("/api/export?session=long")).text()).toBe(many.map((line) => `${line}\n`).join(""));
      expect(await head()).toBe(many.length + 1);
    } finally {
      await hub.kill("SIGKILL");
    }
  }, 240_000);
});
