import { describe, expect, it } from "vitest";
import { RENDERERS } from "./render.ts";
import { CONTEXT, HOSTILE_CONTEXT, hostileReport, OBEYED_CHARACTERS, SAMPLE_REPORT, sampleReport } from "./testing/sample-report.ts";

describe.each(Object.entries(RENDERERS))("the format %s", (_, render) => {
  it("ends with a newline, also when there was nothing to check", () => {
    for (const value of [SAMPLE_REPORT, sampleReport({ files: [], protocol: "none" })]) expect(render(value, CONTEXT)).toMatch(/[^\n]\n$/);
  });

  it("gives the same bytes for the same report", () => {
    expect(render(SAMPLE_REPORT, CONTEXT)).toBe(render(SAMPLE_REPORT, CONTEXT));
  });

  it("says that it is no certificate", () => {
    expect(render(SAMPLE_REPORT, CONTEXT)).toContain("this is not a certificate of the AAEP project");
  });

  it("sends nothing to a terminal that it would obey", () => {
    expect(render(hostileReport(), HOSTILE_CONTEXT)).not.toMatch(OBEYED_CHARACTERS);
  });
});
