import { describe, expect, it } from "vitest";
import type { FileProblem } from "../report.ts";
import {
  BROKEN_FILE,
  CLEAN_FILE,
  CONTEXT,
  COVERAGE,
  HOSTILE_CONTEXT,
  hostileReport,
  hugeReport,
  OBEYED_CHARACTERS,
  SAMPLE_REPORT,
  sampleFile,
  sampleProblem,
  sampleReport,
} from "./testing/sample-report.ts";
import { renderCheckText } from "./text.ts";

describe("the report for people", () => {
  it("tells what was found, where, and what to do, errors first", () => {
    expect(
      renderCheckText(SAMPLE_REPORT, CONTEXT),
    ).toBe(`recording.jsonl: does not conform. 5 errors, 1 warning, 1 note in 120 events, 4 sessions (AAEP).

error: NOT_JSON
  recording.jsonl:3
  Found: Unexpected token ' at column 2.
  To do: Write one JSON object per line.

error: aaep/tool-completed-needs-invoked, 3 times (specification: §4.5.2, A.7.3)
  recording.jsonl:14, event evt_14, session ses_1, at /tool_call_id, compare line 9
  Found: agent.tool.completed names the call "call_9", which was never invoked.
  To do: Send \`tool.invoked\` with the same call id first.
  Also at lines 22 and 31.

error: aaep/irreversible-default-reject (specification: §7.3)
  recording.jsonl:40, event evt_40, session ses_1, at /confirmation/default_decision
  Found: The action cannot be undone, yet its default is accept.
  To do: Set \`default_decision\` to "reject".

warning: aaep/summary-short (specification: §4.6)
  recording.jsonl:18, event evt_18, session ses_1, at /summary
  Found: The summary has 4,210 characters.
  To do: Keep the summary below 200 characters.

note: aaep/unknown-type, at line 15: The type "banana" is not in the specification.

Accepted by the baseline, not counted: 1 problem.
  aaep/summary-short, line 60: The vendor mends it in May.

The baseline entry for aaep/gone matched nothing and can be deleted.

clean.jsonl: conforms. 120 events, 4 sessions (AAEP).

Level 2 of AAEP (Interactive): 2 clauses exercised, 1 never exercised, 2 only a live drive can decide.
  Never exercised:
    irreversible-default-reject
  Only a live drive can decide:
    heartbeat-interval, resume-after-reconnect

AOP has no levels; its events were left out of the coverage.

Not passed: 1 of 2 files conforms.
\`earshot check explain RULE\` tells more about a rule and shows an example that passes.
Checked by Earshot's own rule catalogue 1 (2026-11-15); this is not a certificate of the AAEP project.
`);
  });

  it("says little about what conforms, and does not claim a certificate", () => {
    expect(renderCheckText(sampleReport({ files: [CLEAN_FILE] }), CONTEXT)).toBe(
      "clean.jsonl: conforms. 120 events, 4 sessions (AAEP).\n\n" +
        "Checked by Earshot's own rule catalogue 1 (2026-11-15); this is not a certificate of the AAEP project.\n",
    );
  });

  it("gives clean files a line each", () => {
    const text = renderCheckText(sampleReport({ files: [CLEAN_FILE, sampleFile({ file: "other.jsonl", messages: 7 })] }), CONTEXT);
    expect(text).toMatch(
      /^clean\.jsonl: conforms.*\nother\.jsonl: conforms. 120 events, 7 other messages, 4 sessions \(AAEP\)\.\n\nPassed: 2 of 2 files conform\.\n/,
    );
  });

  it("stays short for 100,000 problems", () => {
    const text = renderCheckText(hugeReport(), CONTEXT);
    expect(text.split("\n").length).toBeLessThan(15);
    expect(text).toContain("Also at lines 2, 3, 4, 5 and 99,995 more.");
  });

  it("shortens all but the first twenty kinds of problems", () => {
    const problems = Array.from({ length: 200 }, (_, index) => sampleProblem(`aaep/rule-${index}`, index + 1));
    const text = renderCheckText(sampleReport({ files: [sampleFile({ problems })] }), CONTEXT);
    expect(text).toContain("error: aaep/rule-19\n  recording.jsonl:20,");
    expect(text).toContain("\nerror: aaep/rule-20, at line 21: What was found on line 21.\n");
    expect(text.split("\n").length).toBeLessThan(310);
  });

  it("says when problems were counted but not kept, and promises no exact number then", () => {
    const problems = Array.from({ length: 10 }, (_, index) => sampleProblem("aaep/tool-completed-needs-invoked", index + 1));
    const text = renderCheckText(
      sampleReport({ files: [sampleFile({ problems, omitted: 90, counts: { error: 100, warning: 0, info: 0 } })] }),
      CONTEXT,
    );
    expect(text).toContain("100 errors in");
    expect(text).toContain("error: aaep/tool-completed-needs-invoked, at least 10 times (");
    expect(text).toContain("Also at lines 2, 3, 4, 5 and at least 5 more.");
    expect(text).toContain("90 further problems are counted but not listed.");
  });

  it("explains why a file with warnings only does not pass", () => {
    const problems = [sampleProblem("aaep/summary-short", 2)];
    const text = renderCheckText(sampleReport({ strict: true, files: [sampleFile({ ok: false, problems })] }), CONTEXT);
    expect(text).toMatch(/^recording\.jsonl: does not pass, since warnings count \(strict\)\. 1 warning in 120 events/);
  });

  it("says that a file could not be checked when there was nothing in it", () => {
    const unreadable: FileProblem = {
      severity: "error",
      code: "FILE_UNREADABLE",
      line: 0,
      message: "There is no such file.",
      hint: "Check the path.",
    };
    const text = renderCheckText(
      sampleReport({ protocol: "none", files: [sampleFile({ problems: [unreadable], events: 0, sessions: 0, protocol: "none" })] }),
      CONTEXT,
    );
    expect(text).toContain(
      "recording.jsonl: could not be checked. 1 error.\n\nerror: FILE_UNREADABLE\n  recording.jsonl\n  Found: There is no such file.",
    );
    expect(text).not.toContain("explain");
    expect(text).toContain("not a certificate of a protocol's own project.");
  });

  it("names missing coverage as the reason when it counts", () => {
    const text = renderCheckText(sampleReport({ ok: false, files: [CLEAN_FILE], coverage: [{ ...COVERAGE, required: true }] }), CONTEXT);
    expect(text).toContain("What was never exercised counts against the result.");
    expect(text).toContain("Not passed: the file conforms; 1 clause of level 2 of AAEP never exercised.");
  });

  it("mentions several places on one line as such", () => {
    const problems = [
      sampleProblem("aaep/summary-short", 2),
      sampleProblem("aaep/summary-short", 2),
      sampleProblem("aaep/summary-short", 2),
    ];
    expect(renderCheckText(sampleReport({ files: [sampleFile({ problems })] }), CONTEXT)).toContain("Also 2 more times on this line.");
  });

  it("fits the terminal, draws nothing, and says how to learn more once", () => {
    const text = renderCheckText(SAMPLE_REPORT, { ...CONTEXT, width: 72 });
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(72);
    expect(text).not.toMatch(/[\u2500-\u259f\u2800-\u28ff\r]/);
    expect(text.split("earshot check explain").length).toBe(2);
  });

  it("adds nothing but colour when colour is asked for", () => {
    const coloured = renderCheckText(SAMPLE_REPORT, { ...CONTEXT, colour: true, width: 72 });
    expect(coloured).toContain("\u001b[31merror\u001b[39m: NOT_JSON");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escapes are what is removed
    expect(coloured.replace(/\u001b\[\d+m/g, "")).toBe(renderCheckText(SAMPLE_REPORT, { ...CONTEXT, width: 72 }));
  });

  it.each([0, 80])("prints no control character and no forged line, whatever the report says (width %d)", (width) => {
    const text = renderCheckText(hostileReport(), { ...HOSTILE_CONTEXT, width });
    expect(text).not.toMatch(OBEYED_CHARACTERS);
    expect(text).not.toMatch(/^ok: conforms/m);
    expect(text).toContain("👩‍💻");
  });

  it("stays short when a single id is huge", () => {
    const problems = [sampleProblem("aaep/summary-short", 2, { eventId: "x".repeat(1_000_000), message: "y".repeat(1_000_000) })];
    expect(renderCheckText(sampleReport({ files: [sampleFile({ problems })] }), CONTEXT).length).toBeLessThan(2_000);
  });

  it("lists accepted kinds with their lines and cuts a long list short", () => {
    const accepted = Array.from({ length: 40 }, (_, index) => ({
      ...sampleProblem(`aaep/rule-${index % 20}`, index + 1),
      reason: "Known.",
    }));
    const text = renderCheckText(sampleReport({ files: [{ ...BROKEN_FILE, accepted }] }), CONTEXT);
    expect(text).toContain("Accepted by the baseline, not counted: 40 problems.\n  aaep/rule-0, lines 1 and 21: Known.");
    expect(text).toContain("  and 10 more kinds.");
  });
});
