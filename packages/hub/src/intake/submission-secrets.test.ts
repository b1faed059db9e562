import { describe, expect, it } from "vitest";
import { readSubmission } from "./submission.ts";

const SECRET_RULE = "aop/payload-without-secrets";

/** The rules told about a thought whose content is written as given, as JSON. */
function rulesOf(content: string): readonly string[] {
  const text = `{"spec":"aop/1.0","session_id":"s","agent_id":"a","sequence":1,"timestamp":"2026-07-01T00:00:00.000Z","type":"cognition.thought","payload":{"content":${content}}}`;
  const read = readSubmission(text, Buffer.byteLength(text), { name: "local", verified: false }, { receivedAt: 1, redacts: () => true });
  if (!read.ok) throw new Error(read.problem.message);
  return read.submission.reading.findings.map(({ rule }) => rule);
}

describe("a text that was looked through for secrets", () => {
  it("is not told about when there is none", () => {
    expect(rulesOf('"nothing to see\\n"')).toEqual([]);
  });

  it("is still told about when escapes move a password away from its address", () => {
    const password = "\\u4e2d".repeat(100);
    expect(rulesOf(`"https://ana:${password}@example.org"`)).toEqual([SECRET_RULE]);
  });

  it("is still told about when slashes are written twice", () => {
    const password = "\\\\".repeat(160);
    expect(rulesOf(`"https://ana:${password}@example.org"`)).toEqual([SECRET_RULE]);
  });
});
