import { describe, expect, it } from "vitest";
import { renderJson } from "./json.ts";
import { CONTEXT, HOSTILE_CONTEXT, HOSTILE_TEXT, hostileReport, OBEYED_CHARACTERS, SAMPLE_REPORT } from "./testing/sample-report.ts";

const NINE = ["severity", "code", "rule", "line", "eventId", "sessionId", "pointer", "message", "hint"];

describe("the JSON report", () => {
  const text = renderJson(SAMPLE_REPORT, CONTEXT);
  const json = JSON.parse(text);

  it("has its members in a fixed order, the promised ones first", () => {
    expect(Object.keys(json)).toEqual(["ok", "protocol", "files", "catalogue", "strict", "coverage", "notes", "generator"]);
    for (const file of json.files) {
      const more = ["protocol", "messages", "counts", "omitted", "cases", "accepted", "notes"];
      expect(Object.keys(file)).toEqual(["file", "ok", "events", "sessions", "problems", ...more]);
      for (const problem of file.problems) expect(Object.keys(problem)).toEqual(NINE);
      for (const problem of file.accepted) expect(Object.keys(problem)).toEqual([...NINE, "reason"]);
    }
  });

  it("says null where there is nothing to say", () => {
    expect(json.files[0].problems[0]).toEqual({
      severity: "error",
      code: "NOT_JSON",
      rule: null,
      line: 3,
      eventId: null,
      sessionId: null,
      pointer: null,
      message: "Unexpected token ' at column 2.",
      hint: "Write one JSON object per line.",
    });
  });

  it("keeps what the report says", () => {
    expect(json).toMatchObject({ ok: false, protocol: "aaep", strict: false, catalogue: { version: "1", date: "2026-11-15" } });
    expect(json.files.map(({ ok, events, sessions }: Record<string, unknown>) => [ok, events, sessions])).toEqual([
      [false, 120, 4],
      [true, 120, 4],
    ]);
    expect(json.coverage[0].notExercised).toEqual(["aaep/irreversible-default-reject"]);
    expect(json.generator).toMatchObject({ name: "earshot", version: "1.2.3" });
    expect(json.generator.statement).toContain("not a certificate");
  });

  it("is indented by two spaces and ends with one newline", () => {
    expect(text).toMatch(/^\{\n {2}"ok": false,\n/);
    expect(text).toMatch(/[^\n]\n$/);
  });

  it("carries hostile text unchanged to a parser and unread to a terminal", () => {
    const hostile = renderJson(hostileReport(), HOSTILE_CONTEXT);
    expect(hostile).not.toMatch(OBEYED_CHARACTERS);
    expect(hostile.isWellFormed()).toBe(true);
    const [file] = JSON.parse(hostile).files;
    expect(file.file).toBe(`dir/${HOSTILE_TEXT}.jsonl`);
    expect(file.problems[0]).toMatchObject({
      message: HOSTILE_TEXT,
      hint: HOSTILE_TEXT,
      eventId: HOSTILE_TEXT,
      pointer: `/${HOSTILE_TEXT}`,
    });
    expect(file.accepted[0].reason).toBe(HOSTILE_TEXT);
  });
});
