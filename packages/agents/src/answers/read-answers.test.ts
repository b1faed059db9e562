import { describe, expect, it } from "vitest";
import { readAgentAnswers } from "./read-answers.ts";

const HEAD = "schema_version: earshot.answers/v1\nagent: test\ngate: none\n";
const hook = (lines: string) => `${HEAD}hooks:\n  - on: Pre\n    moment: before_action\n    ${lines.replaceAll("\n", "\n    ")}\n`;

function said(text: string): readonly string[] {
  const read = readAgentAnswers(text);
  return (read.ok ? read.warnings : read.troubles).map(({ severity, line, column, message }) => `${severity} ${line}:${column} ${message}`);
}

describe("a file of answers", () => {
  it("is read into plain data", () => {
    const read = readAgentAnswers(
      hook("silence: asks\ndeny: { exit: 2, stderr: $reason }\nallow: { as: abstain, why: it grants nothing, stdout: {} }"),
    );
    expect(read.ok && read.value).toEqual({
      agent: "test",
      gate: "none",
      neutral: {},
      limits: { message: 10_000, context: 10_000 },
      hooks: [
        {
          hooks: ["Pre"],
          moment: "before_action",
          silence: "asks",
          replies: { allow: { stdout: {}, as: "abstain", why: "it grants nothing" }, deny: { exit: 2, stderr: "$reason" } },
        },
      ],
    });
  });

  it.each<[string, string]>([
    ["schema_version: other\nagent: a\ngate: none", 'error 1:1 "other" is not read here.'],
    ["schema_version: earshot.answers/v1\nagent: a\ngate: open", 'error 3:1 "open" is not known here.'],
    [`${HEAD}limits: { message: 5 }`, "error 4:11 A number of characters, at least 100, is asked for here."],
    [`${HEAD}hooks: [{ moment: observe }]`, "error 4:9 `on` is missing."],
    [`${HEAD}hooks: [{ on: A, moment: later }]`, 'error 4:18 "later" is not known here.'],
    [`${HEAD}hooks: [{ on: A, moment: observe }, { on: [B, A], moment: observe }]`, 'error 4:1 "A" is there twice.'],
    [hook("permit: {}"), "error 7:5 `permit` is not known here."],
    [hook("silence: sleeps"), 'error 7:5 "sleeps" is not known here.'],
    [hook("deny: { exit: 300 }"), "error 7:13 An exit code is asked for here."],
    [hook("deny: { exit: on }"), "error 7:13 An exit code is asked for here."],
    [hook("allow: { as: abstain }"), "error 7:5 `as` and `why` belong together."],
    [hook("allow: { headless: yes }"), "error 7:14 true or false is asked for here."],
    [hook("updated_input: { with: [allow] }"), "error 7:5 `stdout` is missing."],
    [hook("updated_input: { with: [perhaps], stdout: {} }"), 'error 7:22 "perhaps" is not known here.'],
  ])("%s\nis told: %s", (text, expected) => {
    expect(said(text)).toContain(expected);
    expect(readAgentAnswers(text).ok).toBe(false);
  });
});
