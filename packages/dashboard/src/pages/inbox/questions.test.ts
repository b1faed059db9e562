import { questionsIn } from "@earshot/hub/questions";
import { describe, expect, it } from "vitest";
import { type AskedPart, sampleAsked } from "../../words/testing/sample-request.ts";
import { editableValuesOf, editOf } from "./edit-input.ts";
import { NO_QUESTION_INPUT, OWN_WORDS, optionsOf, type QuestionInput, readResponse } from "./questions.ts";

const CHOICES = [
  { value: "a", label: "Staging" },
  { value: "b", label: "Production" },
];
const question = (more: AskedPart): AskedPart => ({ kind: "clarification", said: [{ name: "question", text: "Which?" }], ...more });
const read = (asked: AskedPart, ...given: readonly Partial<QuestionInput>[]) =>
  readResponse(
    questionsIn(sampleAsked(asked)),
    given.map((one) => ({ ...NO_QUESTION_INPUT, ...one })),
  );

describe("answers to questions", () => {
  it.each<[string, AskedPart, Partial<QuestionInput>, unknown]>([
    ["words", question({}), { text: "main" }, "main"],
    ["yes", question({ responds: ["yes_no"] }), { picked: ["yes"] }, true],
    ["no", question({ responds: ["yes_no"] }), { picked: ["no"] }, false],
    ["a number", question({ responds: ["numeric"] }), { text: " 4.5 " }, 4.5],
    ["a choice", question({ responds: ["multiple_choice"], choices: CHOICES }), { picked: ["1"] }, "b"],
    [
      "other words than a choice",
      question({ responds: ["multiple_choice", "freetext"], choices: CHOICES }),
      { picked: [OWN_WORDS], text: "neither" },
      "neither",
    ],
  ])("%s", (_kind, asked, given, response) => {
    expect(read(asked, given)).toEqual({ ok: true, response });
  });

  it("of a form stand under the names of its fields, and what may be left out may", () => {
    const field = { isOpen: false, isRequired: true } as const;
    const fields = [
      { ...field, name: "where", text: "Where?", kind: "choices", choices: CHOICES },
      { ...field, name: "count", text: "How many?", kind: "number" },
      { ...field, name: "sure", text: "Sure?", kind: "confirm" },
      { ...field, name: "note", text: "Note?", kind: "text", isRequired: false },
    ] as const;
    expect(read(question({ fields }), { picked: ["0", "1"] }, { text: "3" }, { picked: ["yes"] })).toEqual({
      ok: true,
      response: { where: ["a", "b"], count: 3, sure: true },
    });
  });

  it.each<[AskedPart, Partial<QuestionInput>, string]>([
    [question({}), { text: "  " }, "Enter an answer."],
    [question({ responds: ["numeric"] }), { text: "four" }, "Enter a number."],
    [question({ responds: ["yes_no"] }), {}, "Choose one first."],
    [question({ responds: ["multiple_choice", "freetext"], choices: CHOICES }), { picked: [OWN_WORDS] }, "Choose one first."],
  ])("that are missing are told: %j", (asked, given, why) => {
    expect(read(asked, given)).toEqual({ ok: false, at: 0, why });
  });

  it("are offered as they are taken", () => {
    const labels = (asked: AskedPart) => questionsIn(sampleAsked(asked)).map((one) => optionsOf(one).map(({ label }) => label));
    expect(labels(question({ responds: ["yes_no"] }))).toEqual([["Yes", "No"]]);
    expect(labels(question({ responds: ["multiple_choice", "numeric"], choices: CHOICES }))).toEqual([
      ["Staging", "Production", "A number"],
    ]);
    expect(labels(question({ responds: ["freetext", "numeric"] }))).toEqual([[]]);
    expect(labels({})).toEqual([]);
  });
});

describe("editing an input", () => {
  const asked = sampleAsked({
    input: { command: "npm test", env: { "A/B": "1", token: "[masked]" }, retries: 2, quiet: true, none: null },
    masked: [{ pointer: "/env/token" }],
  });
  const leaves = editableValuesOf(asked, ["allow", "deny"]);

  it("names what can be changed, and what holds something masked", () => {
    expect(leaves.map(({ pointer, isMasked }) => [pointer, isMasked])).toEqual([
      ["/command", false],
      ["/env/A~1B", false],
      ["/env/token", true],
      ["/retries", false],
      ["/quiet", false],
    ]);
    expect(editableValuesOf(asked, ["deny"])).toEqual([]);
    expect(editableValuesOf(sampleAsked({ facts: { moment: "prompt" } }), ["allow"])).toEqual([]);
  });

  it("is a patch of what was really changed", () => {
    const edit = editOf(leaves, { "/command": "npm test", "/env/A~1B": "2", "/env/token": "x", "/retries": "3", "/quiet": false });
    expect(edit).toEqual([
      { pointer: "/env/A~1B", value: "2" },
      { pointer: "/retries", value: 3 },
      { pointer: "/quiet", value: false },
    ]);
    expect(editOf(leaves, { "/retries": "many" })).toEqual({ wrong: "retries takes a number." });
  });
});
