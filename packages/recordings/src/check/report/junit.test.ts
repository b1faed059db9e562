import { describe, expect, it } from "vitest";
import { renderJunit } from "./junit.ts";
import {
  CLEAN_FILE,
  CONTEXT,
  COVERAGE,
  HOSTILE_CONTEXT,
  hostileReport,
  SAMPLE_REPORT,
  sampleFile,
  sampleProblem,
  sampleReport,
} from "./testing/sample-report.ts";
import { assertWellFormed } from "./testing/well-formed.ts";

const WARNED = sampleFile({ problems: [sampleProblem("aaep/summary-short", 2)] });

describe("the JUnit report", () => {
  it("has a suite per file and a test per rule broken", () => {
    const xml = renderJunit(SAMPLE_REPORT, CONTEXT);
    assertWellFormed(xml);
    expect(xml).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="earshot check" tests="7" failures="3" errors="0" time="0">\n/,
    );
    expect(xml).toContain('<testsuite name="recording.jsonl" tests="5" failures="3" errors="0" skipped="0" time="0">');
    expect(xml).toContain(`<testcase classname="recording.jsonl" name="aaep/tool-completed-needs-invoked" time="0">
      <failure message="agent.tool.completed names the call &quot;call_9&quot;, which was never invoked." type="SEQUENCE_BROKEN">error: A tool call has \`tool.invoked\` before \`tool.completed\`.
recording.jsonl:14, event evt_14, session ses_1, at /tool_call_id
Found: agent.tool.completed names the call &quot;call_9&quot;, which was never invoked.
To do: Send \`tool.invoked\` with the same call id first.
Also at lines 22 and 31.</failure>
    </testcase>`);
  });

  it("has one passing test for a clean file", () => {
    const xml = renderJunit(sampleReport({ files: [CLEAN_FILE] }), CONTEXT);
    expect(xml).toContain('tests="1" failures="0"');
    expect(xml).toContain('<testcase classname="clean.jsonl" name="conforms" time="0">');
  });

  it("prints warnings beside passing tests", () => {
    const xml = renderJunit(sampleReport({ files: [WARNED] }), CONTEXT);
    expect(xml).toContain('tests="2" failures="0"');
    expect(xml).toContain("<system-out>warning: A summary is short enough to be spoken.");
  });

  it("fails on warnings when strict", () => {
    const xml = renderJunit(sampleReport({ strict: true, files: [{ ...WARNED, ok: false }] }), CONTEXT);
    expect(xml).toContain('tests="1" failures="1"');
    expect(xml).toContain('<failure message="What was found on line 2." type="EVENT_INVALID">warning:');
  });

  it.each([
    [
      "the error is among the problems not listed",
      sampleReport({ files: [sampleFile({ ok: false, omitted: 5, counts: { error: 1, warning: 0, info: 0 } })] }),
    ],
    ["clauses that count were never exercised", sampleReport({ ok: false, coverage: [{ ...COVERAGE, required: true }] })],
    ["nothing was checked", sampleReport({ ok: false, files: [] })],
  ])("is never green when the report is not: %s", (_, failing) => {
    const xml = renderJunit(failing, CONTEXT);
    assertWellFormed(xml);
    expect(xml).toMatch(/<testsuites [^>]*failures="1"/);
    expect(xml).toContain("<failure ");
  });

  it("stays well-formed whatever the report says", () => {
    const xml = renderJunit(hostileReport(), HOSTILE_CONTEXT);
    assertWellFormed(xml);
    expect(xml).not.toContain("<script");
    expect(xml).toContain("\\u{202e}");
  });
});
