import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { conformanceRecording } from "../packages/protocol/testing/conformance.ts";
import { EARSHOT } from "../tools/built-command.ts";

/** `earshot check` as a process of the built command. Its findings are tested in `commands/check.test.ts`. */
const VALID = conformanceRecording("aaep/valid/whole-session");
const INVALID = conformanceRecording("aaep/invalid/appendix-a8-5");
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "earshot-check-"));
  writeFileSync(join(folder, "valid.jsonl"), VALID);
  writeFileSync(join(folder, "invalid.jsonl"), INVALID);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function earshot(args: readonly string[], input: string | Buffer = "") {
  return spawnSync(process.execPath, [EARSHOT, ...args], { cwd: folder, encoding: "utf8", input, maxBuffer: 1 << 28 });
}

describe("the process", () => {
  it.each([
    [0, "a recording that conforms", ["check", "valid.jsonl"]],
    [1, "an error", ["check", "invalid.jsonl"]],
    [2, "a file that is not there", ["check", "nowhere.jsonl"]],
    [2, "a wrong option", ["check", "--level", "4", "valid.jsonl"]],
    [2, "an unknown command", ["chekc"]],
  ] as const)("ends with %i for %s", (status, _name, args) => {
    const run = earshot(args);
    expect(run.status).toBe(status);
    expect(run.stderr + run.stdout).not.toMatch(/at .*:\d+:\d+/);
  });

  it.each([
    ["lines", VALID],
    ["gzip", gzipSync(VALID)],
  ] as const)("reads %s from standard input", (_name, input) => {
    const run = earshot(["check", "--json", "-"], input);
    expect(run.status).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: true, protocol: "aaep", files: [{ file: "(standard input)" }] });
  });

  it("writes a whole report into a pipe, and into a file", () => {
    const { stdout } = earshot(["check", "--format", "html", "invalid.jsonl"]);
    expect(stdout).toMatch(/^<!doctype html>.*<\/html>\s*$/s);
    expect(earshot(["check", "--format", "html", "--out", "report.html", "invalid.jsonl"]).stdout).toContain(
      "Report written to report.html",
    );
    expect(readFileSync(join(folder, "report.html"), "utf8")).toBe(stdout);
  });

  it("checks several large recordings in threads", () => {
    const many = Array.from({ length: 1500 }, (_, index) =>
      VALID.replaceAll("sess_0001", `sess_${index}`).replaceAll("evt_", `evt_${index}x`).replaceAll("rpl_0001", `rpl_${index}`),
    ).join("");
    for (const name of ["one.jsonl", "two.jsonl", "three.jsonl"]) writeFileSync(join(folder, name), many);
    writeFileSync(join(folder, "two.jsonl"), many + INVALID);
    const run = earshot(["check", "--json", "one.jsonl", "two.jsonl", "three.jsonl"]);
    expect(JSON.parse(run.stdout)).toMatchObject({
      files: [
        { file: "one.jsonl", ok: true, sessions: 1500 },
        { file: "two.jsonl", ok: false, sessions: 1501 },
        { file: "three.jsonl", ok: true, sessions: 1500 },
      ],
    });
  });

  it("tells the version of the package, and helps itself", () => {
    const { version } = JSON.parse(readFileSync("packages/cli/package.json", "utf8")) as { readonly version: string };
    expect(earshot(["--version"]).stdout.trim()).toBe(version);
    expect(earshot(["check", "--help"]).stdout).toMatch(/^Usage: earshot/);
  });
});
