import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { fitEvent, spooledFiles, spoolLines, takeDroppedCount } from "./hook-spool.ts";

describe("the spool of hooks", () => {
  it("keeps lines in the order in which they were said, for nobody else to read", () => {
    using folder = temporaryTestFolder();
    const path = folder.file("spool");
    for (const at of [3, 1, 2]) spoolLines(path, [`{"at":${at}}`, "{}"], at * 1000);
    const files = spooledFiles(path);
    expect(files.map((name) => readFileSync(join(path, name), "utf8"))).toEqual(['{"at":1}\n{}\n', '{"at":2}\n{}\n', '{"at":3}\n{}\n']);
    expect([path, ...files.map((name) => join(path, name))].map((one) => statSync(one).mode & 0o077)).toEqual([0, 0, 0, 0]);
  });

  it("has bounds: the oldest give way, and are counted", () => {
    using folder = temporaryTestFolder();
    const path = folder.file("spool");
    for (let at = 1; at <= 10; at++) spoolLines(path, [`{"at":${at}}`], at, { files: 4, bytes: 1_000_000 });
    expect(spooledFiles(path)).toHaveLength(4);
    for (let at = 11; at <= 14; at++) spoolLines(path, ["x".repeat(100)], at, { files: 100, bytes: 250 });
    expect(spooledFiles(path).length).toBeLessThanOrEqual(4);
    expect(takeDroppedCount(path) + spooledFiles(path).length).toBe(14);
    expect([takeDroppedCount(path), takeDroppedCount(folder.file("none")), spooledFiles(folder.file("none"))]).toEqual([0, 0, []]);
  });
});

describe("an event that waits on disk", () => {
  it("is kept as it is, unless it is larger than the hub takes", () => {
    const small = { id: "evt_1", action: { input: { command: "ls" } } };
    expect(fitEvent(small)).toBe(small);
    const large = { id: "evt_2", action: { input: { content: "x".repeat(2_000_000), path: "/a" } }, extensions: { "x-a": 1 } };
    const fitted = fitEvent(large);
    expect(JSON.stringify(fitted).length).toBeLessThan(10_000);
    expect(fitted).toMatchObject({ id: "evt_2", action: { input: { path: "/a" } }, extensions: { "x-a": 1, "x-truncated": true } });
    const many = {
      id: "evt_3",
      type: "t",
      action: { input: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, "y".repeat(100)])) },
    };
    expect(JSON.stringify(fitEvent(many)).length).toBeLessThan(1000);
  });
});
