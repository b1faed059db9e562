import type { AskedCard } from "@earshot/hub";
import { describe, expect, it } from "vitest";
import { parseEdit, readReply } from "./read-reply.ts";
import { type SampleParts, sampleRequest } from "./testing/sample-request.ts";

const CHOICES = [
  { value: "st", label: "Staging" },
  { value: "pr", label: "Production" },
];

function question(responds: AskedCard["responds"], choices?: AskedCard["choices"]): SampleParts {
  const kind = responds === undefined ? {} : { responds };
  return {
    asked: { kind: "clarification", said: [{ name: "question", text: "Where?" }], ...kind, ...(choices === undefined ? {} : { choices }) },
    terms: { answers: ["respond"] },
  };
}

const FORM: SampleParts = {
  asked: {
    kind: "clarification",
    title: "AskUserQuestion",
    fields: [
      { name: "Which database?", text: "Which database?", kind: "choice", choices: CHOICES, isOpen: true, isRequired: true },
      {
        name: "extras",
        text: "Extras",
        kind: "choices",
        choices: [
          { value: "Logs", label: "Logs" },
          { value: "Metrics", label: "Metrics" },
        ],
        isOpen: false,
        isRequired: false,
      },
      { name: "count", text: "How many?", kind: "number", isOpen: false, isRequired: true },
      { name: "sure", text: "Sure?", kind: "confirm", isOpen: false, isRequired: true },
    ],
  },
  terms: { answers: ["respond", "deny"] },
};

describe("what a person answers", () => {
  it.each<[SampleParts, readonly string[], unknown]>([
    [question(["multiple_choice"], CHOICES), ["2"], { answer: "respond", response: "pr" }],
    [question(["multiple_choice"], CHOICES), ["staging"], { answer: "respond", response: "st" }],
    [question(["multiple_choice", "freetext"], CHOICES), ["somewhere", "else"], { answer: "respond", response: "somewhere else" }],
    [question(["yes_no"]), ["Yes"], { answer: "respond", response: true }],
    [question(["yes_no"]), ["no"], { answer: "respond", response: false }],
    [question(["numeric"]), ["-2.5"], { answer: "respond", response: -2.5 }],
    [question(undefined), ["1"], { answer: "respond", response: "1" }],
    [{}, ["stop"], { answer: "stop" }],
    [{ asked: { kind: "handoff" }, terms: { answers: ["take-over", "decline"] } }, ["take-over"], { answer: "take-over" }],
    [
      FORM,
      ["2", "1, metrics", "3", "yes"],
      { answer: "respond", response: { "Which database?": "pr", extras: ["Logs", "Metrics"], count: 3, sure: true } },
    ],
    [FORM, ["Neither", "", "3", "no"], { answer: "respond", response: { "Which database?": "Neither", count: 3, sure: false } }],
    [FORM, ["deny"], { answer: "deny" }],
  ])("%j and %j", (parts, values, reply) => {
    expect(readReply(sampleRequest(parts), values)).toEqual(reply);
  });

  it.each<[SampleParts, readonly string[], RegExp]>([
    [question(["multiple_choice"], CHOICES), ["3"], /not an answer/],
    [question(["yes_no"]), ["perhaps"], /not an answer/],
    [question(["numeric"]), ["1e999"], /not an answer/],
    [{}, ["perhaps"], /not a question/],
    [{}, ["Allow"], /not a question/],
    [FORM, ["1"], /4 questions, and 1 answer/],
    [FORM, ["1", "Traces", "3", "yes"], /"Traces" is not an answer to "Extras"/],
    [FORM, ["1", "1", "many", "yes"], /"many" is not an answer/],
    [FORM, ["", "1", "3", "yes"], /"" is not an answer/],
  ])("refuses what is no answer: %j and %j", (parts, values, message) => {
    expect(() => readReply(sampleRequest(parts), values)).toThrow(message);
  });
});

describe("--edit", () => {
  it("reads a pointer and a JSON value", () => {
    expect(parseEdit('/command="a=b"')).toEqual({ pointer: "/command", value: "a=b" });
    expect(parseEdit('={"command":"ls"}')).toEqual({ pointer: "", value: { command: "ls" } });
  });

  it.each(["/command", "command=1", "/command=ls", '/command={"a":1,"a":2}'])("refuses %s", (text) => {
    expect(() => parseEdit(text)).toThrow();
  });
});
