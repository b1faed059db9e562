import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openRecording, Recorder } from "./recorder.ts";
import { readSideFile, type SideFile, sideFileOf, writeSideFile } from "./side-file.ts";

const folder = mkdtempSync(join(tmpdir(), "earshot-recorder-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const fresh = () => join(folder, `${++count}.jsonl`);

const SOURCE = { kind: "hub", name: "http://127.0.0.1:1" } as const;
const side = (more: Partial<SideFile> = {}): SideFile => ({
  earshotCapture: 1,
  source: SOURCE,
  state: "running",
  startedAt: "2026-11-15T12:00:00.000Z",
  savedAt: "2026-11-15T12:00:01.000Z",
  runs: 1,
  events: 1,
  bytes: 8,
  rereadFrom: 8,
  cuts: { count: 0, last: [] },
  leftOut: {},
  late: 0,
  sessionsEnded: false,
  notes: [],
  ...more,
});
const open = (path: string, redacts = false) => openRecording(path, SOURCE, { redacts });

describe("a recording that is written", () => {
  it("has one line for each event, counts its bytes, and is readable by its owner only", () => {
    const path = fresh();
    using recorder = Recorder.open(path);
    recorder.append('{"a":"é"}');
    expect(recorder.size).toBe(11);
    recorder.sync();
    expect(readFileSync(path, "utf8")).toBe('{"a":"é"}\n');
    for (let index = 0; index < 5000; index++) recorder.append("x".repeat(100));
    expect(statSync(path).size).toBeGreaterThan(250_000); // what is gathered is bounded
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("loses a last line that was not finished, and nothing that was claimed", () => {
    const path = fresh();
    writeFileSync(path, `{"a":1}\n{"b":2}\n${"torn ".repeat(40_000)}`);
    using recorder = Recorder.open(path);
    expect(recorder.mend(8)).toBe(200_000);
    recorder.append('{"c":3}');
    recorder.sync();
    expect(readFileSync(path, "utf8")).toBe('{"a":1}\n{"b":2}\n{"c":3}\n');
    using again = Recorder.open(path);
    expect(again.mend(8)).toBe(0);
  });

  it("says what to do where it cannot be written", () => {
    expect(() => Recorder.open(join(folder, "nowhere", "x.jsonl"))).toThrow("cannot be written");
  });
});

describe("a recording that is gone on with", () => {
  it("is the same source's, and as long as it was", () => {
    const path = fresh();
    writeFileSync(path, '{"a":1}\n{"b":2}\n{"c"');
    writeSideFile(path, side());
    const { recorder, before, torn } = open(path);
    recorder[Symbol.dispose]();
    expect(before).toEqual(side());
    expect(torn).toBe(4);
    expect(() => openRecording(path, { ...SOURCE, name: "http://127.0.0.1:2" }, { redacts: false })).toThrow(
      "something else: http://127.0.0.1:1",
    );
    expect(() => openRecording(path, { ...SOURCE, session: "s" }, { redacts: false })).toThrow("something else");
    expect(() => open(path, true)).toThrow("without --redact until now");
    writeSideFile(path, side({ bytes: 100 }));
    expect(() => open(path)).toThrow("shorter than when it was captured");
    writeSideFile(path, side({ pid: process.ppid }));
    expect(() => open(path)).toThrow(`process ${process.ppid}`);
  });

  it("is left alone where it is nothing that a capture wrote", () => {
    const path = fresh();
    writeFileSync(path, "mine\n");
    expect(() => open(path)).toThrow("no capture can go on with it");
    for (const text of [
      "{",
      "[]",
      '{"earshotCapture":2}',
      JSON.stringify({ ...side(), bytes: -1 }),
      JSON.stringify({ ...side(), rereadFrom: 9 }),
    ]) {
      writeFileSync(sideFileOf(path), text);
      expect(() => open(path)).toThrow("not what a capture has written");
    }
    expect(readFileSync(path, "utf8")).toBe("mine\n");
  });

  it("has a side file that is whole, always", () => {
    const path = fresh();
    expect(readSideFile(path)).toBeUndefined();
    writeSideFile(path, side());
    appendFileSync(`${sideFileOf(path)}.tmp`, "half of");
    writeSideFile(path, side({ events: 2 }));
    expect(readSideFile(path)).toEqual(side({ events: 2 }));
  });
});
