import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AGENT_FOLDERS } from "../../../agents/src/testing/agent-folders.ts";
import { readHookLines, writeAnswer, writeWait } from "./hook-lines.ts";
import { readResume, writeResume } from "./resume-token.ts";

describe("an answer for a shell", () => {
  it("is read back as it was written", () => {
    fc.assert(
      fc.property(fc.nat(255), fc.string(), fc.boolean(), (exitCode, text, isError) => {
        const answer = { exitCode, stdout: isError ? "" : text, stderr: isError ? text : "" };
        expect(readHookLines(writeAnswer(answer))).toEqual({ kind: "answer", ...answer });
      }),
    );
    expect(readHookLines(writeWait("abc_-1"))).toEqual({ kind: "wait", resume: "abc_-1" });
  });

  it("is nothing else", () => {
    for (const text of [
      "",
      "earshot",
      "earshot answer",
      "earshot answer x out\n",
      "earshot answer 0\n{}",
      " earshot answer 0 out\n",
      '{"decision":"allow"}',
      "earshot wait a b\n",
    ]) {
      expect([text, readHookLines(text)]).toEqual([text, undefined]);
    }
  });

  it("has one place for its text: no agent is told something on both streams", () => {
    for (const { slug, answers } of AGENT_FOLDERS) {
      const replies = [answers.neutral, ...answers.hooks.flatMap(({ replies }) => Object.values(replies))];
      expect([slug, replies.filter(({ stdout, stderr }) => stdout !== undefined && stderr !== undefined)]).toEqual([slug, []]);
      // The shim passes on no other.
      expect([slug, replies.filter(({ exit = 0 }) => ![0, 1, 2, 49].includes(exit))]).toEqual([slug, []]);
    }
  });
});

describe("what a hook brings when it asks again", () => {
  it("is what it was given, and nothing that somebody made up", () => {
    const resume = { request: "req_1", index: 1, at: 1_790_000_000_000, ids: ["evt_1", "evt_2"], calls: ["", "call_1"] };
    expect(readResume(writeResume(resume))).toEqual(resume);
    for (const value of [
      null,
      [],
      {},
      { ...resume, at: "now" },
      { ...resume, ids: [1] },
      { ...resume, ids: Array.from({ length: 40 }, () => "x") },
      { ...resume, calls: ["x".repeat(300)] },
    ]) {
      expect(readResume(Buffer.from(JSON.stringify(value)).toString("base64url"))).toBeUndefined();
    }
    fc.assert(fc.property(fc.string(), (text) => readResume(text) === undefined || true));
  });
});
