import { describe, expect, it } from "vitest";
import { type LiveReport, toLiveFinding, toLiveReport } from "../live-report.ts";
import { renderLiveJson } from "../write-report.ts";
import { renderLiveHtml } from "./html.ts";
import { renderLiveText } from "./text.ts";

const HOSTILE = 'http://x/<script>alert(1)</script>\u001b[31m"&';
const report = (over: Partial<LiveReport> = {}): LiveReport => ({
  ...toLiveReport({
    role: "producer",
    peer: HOSTILE,
    transport: "sse",
    level: 2,
    strict: false,
    requiresAll: false,
    events: 12,
    durationMs: 1234,
    asked: ["aaep/timeout-default", "aaep/handoff-emitted"],
    scenarios: [
      { name: "chat", title: "It talks.", level: 1, outcome: "passed", reason: undefined, findings: [], shown: [] },
      {
        name: "timeout",
        title: "It waits.",
        level: 2,
        outcome: "failed",
        reason: undefined,
        findings: [toLiveFinding({ rule: "aaep/timeout-default", message: `Too early: ${HOSTILE}` }, { sessionId: "sess_1" })],
        shown: ["aaep/timeout-default"],
      },
      {
        name: "handoff",
        title: "It hands over.",
        level: 2,
        outcome: "not-shown",
        reason: "Nothing was handed over.",
        findings: [],
        shown: [],
      },
    ],
  }),
  ...over,
});

describe("the reports of a drive", () => {
  it("say what failed, by which rule, and what was not shown", () => {
    for (const text of [renderLiveText(report(), { colour: false, width: 0 }), renderLiveHtml(report()), renderLiveJson(report())]) {
      expect(text).toContain("aaep/timeout-default");
      expect(text).toContain("Nothing was handed over.");
      expect(text).toMatch(/[^\n]\n$/);
    }
    expect(renderLiveText(report(), { colour: false, width: 0 })).toContain("Not passed: 1 of 3 scenarios failed, 1 was not shown.");
  });

  it("say that they are no certificate and no conformance suite", () => {
    for (const text of [renderLiveText(report(), { colour: false, width: 0 }), renderLiveHtml(report()), renderLiveJson(report())]) {
      expect(text).toContain("not a certificate of the AAEP project, and not its conformance suite");
    }
  });

  it("let nothing that a peer says become markup or a command of the terminal", () => {
    expect(renderLiveHtml(report())).not.toContain("<script");
    for (const text of [renderLiveText(report(), { colour: false, width: 80 }), renderLiveHtml(report()), renderLiveJson(report())]) {
      expect(text).not.toContain("\u001b");
    }
  });

  it("have the same members in JSON for every finding", () => {
    const { scenarios, rules, ok } = JSON.parse(renderLiveJson(report()));
    expect(ok).toBe(false);
    expect(rules).toEqual({ shown: ["aaep/timeout-default"], notShown: ["aaep/handoff-emitted"] });
    expect(Object.keys(scenarios[1].findings[0])).toEqual([
      "severity",
      "rule",
      "section",
      "eventId",
      "sessionId",
      "pointer",
      "message",
      "hint",
    ]);
  });

  it("are a page that is read in order: one heading of the first level, a table with headers, links that lead somewhere", () => {
    const page = renderLiveHtml(report());
    expect(page.match(/<h1/g)).toHaveLength(1);
    expect(page).toContain('<html lang="en">');
    expect(page).toContain('scope="col"');
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${id}"`);
  });
});

describe("whether a drive passed", () => {
  const [chat, timeout, handoff] = report().scenarios;
  const drawn = (scenarios: LiveReport["scenarios"], requiresAll: boolean) =>
    toLiveReport({ ...report(), asked: [], scenarios, requiresAll }).ok;

  it("is decided by errors, and by what was not shown where that is required", () => {
    if (chat === undefined || timeout === undefined || handoff === undefined) throw new Error("The sample has three.");
    expect(drawn([chat], false)).toBe(true);
    expect(drawn([chat, timeout], false)).toBe(false);
    expect(drawn([chat, handoff], false)).toBe(true);
    expect(drawn([chat, handoff], true)).toBe(false);
  });
});
