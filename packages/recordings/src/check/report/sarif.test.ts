import { describe, expect, it } from "vitest";
import { renderSarif } from "./sarif.ts";
import {
  BROKEN_FILE,
  CONTEXT,
  HOSTILE_CONTEXT,
  hostileReport,
  OBEYED_CHARACTERS,
  SAMPLE_REPORT,
  sampleFile,
  sampleProblem,
  sampleReport,
} from "./testing/sample-report.ts";

const run = (text: string) => JSON.parse(text).runs[0];

describe("the SARIF report", () => {
  const log = JSON.parse(renderSarif(SAMPLE_REPORT, CONTEXT));
  const [{ tool, results, invocations }] = log.runs;

  it("has what the 2.1.0 schema requires", () => {
    expect(log.version).toBe("2.1.0");
    expect(log.runs).toHaveLength(1);
    expect(tool.driver).toMatchObject({ name: "Earshot", version: "1.2.3" });
    expect(invocations[0].executionSuccessful).toBe(true);
    for (const notification of invocations[0].toolExecutionNotifications) expect(notification.message.text).toBeTypeOf("string");
    for (const result of results) {
      expect(result.message.text).toBeTypeOf("string");
      expect(["error", "warning", "note"]).toContain(result.level);
      expect(tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId);
      expect(result.locations[0].physicalLocation.region.startLine).toBeGreaterThanOrEqual(1);
    }
  });

  it("describes each rule cited, once", () => {
    expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual([
      "NOT_JSON",
      "aaep/tool-completed-needs-invoked",
      "aaep/unknown-type",
      "aaep/summary-short",
      "aaep/irreversible-default-reject",
    ]);
    expect(tool.driver.rules[0]).toMatchObject({
      shortDescription: { text: "The text is not JSON" },
      defaultConfiguration: { level: "error" },
    });
    expect(tool.driver.rules[2]).toEqual({
      id: "aaep/unknown-type",
      shortDescription: { text: "Types outside the specification carry a prefix." },
      fullDescription: { text: "Types outside the specification carry a prefix. Specification: §3.1." },
      help: { text: "Prefix the type with a domain of yours. More: earshot check explain aaep/unknown-type" },
      defaultConfiguration: { level: "note" },
      properties: { section: "§3.1" },
    });
  });

  it("places each problem in its file and in its event", () => {
    expect(results[1]).toEqual({
      ruleId: "aaep/tool-completed-needs-invoked",
      ruleIndex: 1,
      level: "error",
      message: {
        text: 'agent.tool.completed names the call "call_9", which was never invoked. Send `tool.invoked` with the same call id first.',
      },
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: "recording.jsonl" }, region: { startLine: 14 } },
          logicalLocations: [{ name: "tool_call_id", fullyQualifiedName: "/tool_call_id", kind: "value" }],
        },
      ],
      relatedLocations: [
        {
          id: 1,
          physicalLocation: { artifactLocation: { uri: "recording.jsonl" }, region: { startLine: 9 } },
          message: { text: "The earlier event concerned." },
        },
      ],
      partialFingerprints: { "earshotProblem/v1": expect.stringMatching(/^[0-9a-f]{32}:1$/) },
      suppressions: [],
      properties: { code: "SEQUENCE_BROKEN", eventId: "evt_14", sessionId: "ses_1" },
    });
  });

  it("lists accepted problems as suppressed, with the reason", () => {
    expect(results.at(-1).suppressions).toEqual([{ kind: "external", status: "accepted", justification: "The vendor mends it in May." }]);
    expect(results).toHaveLength(BROKEN_FILE.problems.length + 1);
  });

  it("shows a problem of the whole file at its first line", () => {
    const [result] = run(
      renderSarif(sampleReport({ files: [sampleFile({ problems: [sampleProblem("aaep/summary-short", 0)] })] }), CONTEXT),
    ).results;
    expect(result.locations[0].physicalLocation.region.startLine).toBe(1);
  });

  it("keeps fingerprints when lines move and words change, and tells equal problems apart", () => {
    const fingerprints = (problems: readonly ReturnType<typeof sampleProblem>[]) =>
      run(renderSarif(sampleReport({ files: [sampleFile({ problems })] }), CONTEXT)).results.map(
        (result: { partialFingerprints: Record<string, string> }) => result.partialFingerprints["earshotProblem/v1"],
      );
    const one = sampleProblem("aaep/summary-short", 4, { eventId: "evt_a" });
    const before = fingerprints([one, one, sampleProblem("aaep/summary-short", 5)]);
    const moved = { ...one, line: 90, message: "Other words." };
    expect(fingerprints([moved, moved, sampleProblem("aaep/summary-short", 5)])).toEqual(before);
    expect(new Set(before).size).toBe(3);
  });

  it("carries hostile text without controls, links or broken URIs", () => {
    const text = renderSarif(hostileReport(), HOSTILE_CONTEXT);
    expect(text).not.toMatch(OBEYED_CHARACTERS);
    for (const { message, locations } of run(text).results) {
      expect(message.text).not.toMatch(/(?<!\\)\]\(/);
      expect(locations[0].physicalLocation.artifactLocation.uri).toMatch(/^dir\/[\w%.~!'()*-]+(\/[\w%.~!'()*-]+)*$/);
    }
  });
});
