import { describe, expect, it } from "vitest";
import { renderCheckHtml } from "./html.ts";
import { CLEAN_FILE, CONTEXT, HOSTILE_CONTEXT, hostileReport, hugeReport, SAMPLE_REPORT, sampleReport } from "./testing/sample-report.ts";

describe("the page", () => {
  it("forbids scripts and requests, and has none", () => {
    const page = renderCheckHtml(hostileReport(), HOSTILE_CONTEXT);
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    const tags = page.replaceAll(/="[^"]*"/g, '=""');
    expect(tags).not.toMatch(/<(?:script|img|link|iframe|object|svg)|<[^>]* (?:on\w+|src)=/i);
    expect(page.match(/ href="(?!#)/g)).toBeNull();
  });

  it("says what the text says, with the titles of the rules", () => {
    const page = renderCheckHtml(SAMPLE_REPORT, CONTEXT);
    for (const part of [
      "Not passed: 1 of 2 files conforms.",
      "Does not conform. 5 errors, 1 warning, 1 note in 120 events, 4 sessions (AAEP).",
      "A tool call has <code>tool.invoked</code> before <code>tool.completed</code>.",
      "agent.tool.completed names the call &quot;call_9&quot;, which was never invoked.",
      "Send <code>tool.invoked</code> with the same call id first.",
      "The vendor mends it in May.",
      "The baseline entry for aaep/gone matched nothing",
      "2 clauses exercised, 1 never exercised, 2 only a live drive can decide.",
      "AOP has no levels",
      "this is not a certificate of the AAEP project.",
      "<code>earshot check explain RULE</code>",
    ]) {
      expect(page).toContain(part);
    }
  });

  it("stays small for 100,000 problems", () => {
    const page = renderCheckHtml(hugeReport(), CONTEXT);
    expect(page.length).toBeLessThan(100_000);
    expect(page).toContain("the first 100 of 99,999");
  });

  it("says so when all is well", () => {
    const page = renderCheckHtml(sampleReport({ files: [CLEAN_FILE] }), CONTEXT);
    expect(page).toContain("<title>Passed: clean.jsonl – Earshot check</title>");
    expect(page).toContain("Passed: the file conforms.");
    expect(page).not.toContain("<article");
  });
});
