import { describe, expect, it } from "vitest";
import { readSubmission } from "./submission.ts";

/** A thought with this JSON as content: the stored text, and the violated rules. */
function submit(content: string): { readonly text: string; readonly rules: readonly string[] } {
  const text = `{"spec":"aop/1.0","session_id":"s","agent_id":"a","sequence":1,"timestamp":"2026-07-01T00:00:00.000Z","type":"cognition.thought","payload":{"content":${content}}}`;
  const read = readSubmission(text, Buffer.byteLength(text), { name: "local", verified: false }, { receivedAt: 1, redacts: () => true });
  if (!read.ok) throw new Error(read.problem.message);
  return { text: read.submission.text, rules: read.submission.reading.findings.map(({ rule }) => rule) };
}

describe("a text that was looked through for secrets", () => {
  it("breaks no rule when there is none", () => {
    expect(submit('"nothing to see\\n"').rules).toEqual([]);
  });

  it.each([
    ["escapes move a password away from its address", "\\u4e2d".repeat(100)],
    ["slashes are written twice", "\\\\".repeat(160)],
  ])("is kept without it when %s", (_when, password) => {
    const { text, rules } = submit(`"https://ana:${password}@example.org"`);
    expect(text).toMatch(/"https:\/\/ana:█+@example\.org"/);
    expect(rules).toEqual([]);
  });
});
