import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { conformanceRecording } from "../../../protocol/testing/conformance.ts";
import { type CheckFileOptions, checkRecordingFile } from "./check-file.ts";
import { CONTEXT } from "./report/testing/sample-report.ts";
import { renderCheckText } from "./report/text.ts";

const OPTIONS: CheckFileOptions = { protocol: "auto", level: undefined, strict: false, requireCoverage: false, baseline: [] };
const recording = (id: string) =>
  conformanceRecording(id)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
const VALID = { name: "session", valid: true, findings: [], recording: recording("aaep/valid/whole-session") };
const BREAKS_RULE = { rule: "aaep/rejected-action-not-invoked", severity: "error" };
const INVALID = { name: "broken", valid: false, findings: [BREAKS_RULE], recording: recording("aaep/invalid/appendix-a8-5") };
const NOT_JSON = { name: "half", valid: false, findings: [{ rule: "NOT_JSON", severity: "error" }], recording: ['{"a":'] };

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "earshot-cases-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function check(cases: unknown, options: Partial<CheckFileOptions> = {}, indent = 2) {
  const path = join(folder, "cases.json");
  writeFileSync(path, JSON.stringify({ description: "Cases.", protocol: "aaep", cases }, null, indent));
  return checkRecordingFile("cases.json", path, { ...OPTIONS, ...options });
}

describe("a conformance document", () => {
  it.each([0, 2])("passes if each case is judged as it expects, also one with a raw line (indented by %i)", async (indent) => {
    const { report, unreadable } = await check([VALID, INVALID, NOT_JSON], {}, indent);
    expect(report).toMatchObject({ ok: true, protocol: "aaep", cases: { total: 3, asExpected: 3 }, problems: [], sessions: 2 });
    expect(unreadable).toBe(false);
  });

  it("judges each case without the state of the one before", async () => {
    expect((await check([VALID, { ...VALID, name: "again" }])).report.ok).toBe(true);
  });

  it("names each case that differs and the line where it begins", async () => {
    const { report } = await check([{ ...VALID, findings: [BREAKS_RULE] }, { ...INVALID, valid: true, findings: [] }, NOT_JSON]);
    expect(report).toMatchObject({ ok: false, cases: { total: 3, asExpected: 1 }, counts: { error: 2 } });
    const [missing, unexpected] = report.problems;
    expect(missing).toMatchObject({ code: "CASE_DIFFERS", rule: BREAKS_RULE.rule, case: "session", line: 6 });
    expect(missing?.message).toContain(`${BREAKS_RULE.rule} is expected (error), but was not found`);
    expect(unexpected).toMatchObject({ code: "CASE_DIFFERS", rule: BREAKS_RULE.rule, case: "broken" });
    expect(unexpected?.message).toContain(`no error is expected, but line 5 has ${BREAKS_RULE.rule}`);
  });

  it("shows cases that differ by the same rule one by one", async () => {
    const { report } = await check([INVALID, { ...INVALID, name: "second" }].map((one) => ({ ...one, valid: true, findings: [] })));
    const text = renderCheckText(
      {
        ok: false,
        protocol: "aaep",
        catalogue: { version: "1", date: "2026-11-15" },
        strict: false,
        files: [report],
        coverage: [],
        notes: [],
      },
      CONTEXT,
    );
    expect(text).toContain("cases.json: does not pass. 0 of 2 cases judged as expected");
    expect(text).toContain("Case broken: ");
    expect(text).toContain("Case second: ");
  });

  it("expects the severity too", async () => {
    const { report } = await check([{ ...INVALID, findings: [{ ...BREAKS_RULE, severity: "warning" }] }]);
    expect(report.ok).toBe(false);
  });

  it("expects some error of an invalid case that names none", async () => {
    expect((await check([{ ...INVALID, findings: [] }])).report.ok).toBe(true);
    expect((await check([{ ...VALID, valid: false }])).report.problems[0]?.message).toContain("an error is expected");
  });

  it("can have differences that a baseline accepts", async () => {
    const baseline = [{ rule: BREAKS_RULE.rule, reason: "Being fixed." }];
    const { report, usedEntries } = await check([{ ...VALID, findings: [BREAKS_RULE] }], { baseline });
    expect(report).toMatchObject({ ok: true, problems: [], accepted: [{ case: "session", reason: "Being fixed." }] });
    expect(usedEntries).toEqual([0]);
  });

  it("counts for the coverage of a level", async () => {
    const [aaep] = (await check([VALID], { level: 1 })).protocols;
    expect(aaep?.coverage?.exercised).toContain("aaep/tool-completes");
  });

  it.each([
    ["no name", { ...VALID, name: undefined }],
    ["no verdict", { ...VALID, valid: undefined }],
    ["no recording", { ...VALID, recording: undefined }],
    ["a finding without a severity", { ...VALID, findings: [{ rule: "aaep/size" }] }],
    ["null", null],
  ])("with a case that has %s cannot be read, and says which", async (_name, broken) => {
    const { report, unreadable } = await check([VALID, broken]);
    expect(unreadable).toBe(true);
    expect(report.problems).toMatchObject([{ code: "FILE_UNREADABLE", message: expect.stringContaining("Case 2 needs") }]);
  });

  it("is told from a recording whose first event has a member of that name", async () => {
    const [first, ...rest] = VALID.recording as Record<string, unknown>[];
    const events = [{ ...first, extensions: { "x-own": { cases: [1] } } }, ...rest];
    const path = join(folder, "recording.jsonl");
    writeFileSync(path, events.map((event) => JSON.stringify(event)).join("\n"));
    expect((await checkRecordingFile("recording.jsonl", path, OPTIONS)).report).toMatchObject({ sessions: 1 });
    writeFileSync(path, JSON.stringify(events[0], null, 2));
    expect((await checkRecordingFile("recording.jsonl", path, OPTIONS)).report).toMatchObject({ events: 1 });
  });
});
