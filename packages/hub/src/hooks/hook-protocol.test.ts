import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AGENT_FOLDERS } from "../../../agents/src/testing/agent-folders.ts";
import {
  isProof,
  proveAnswerLines,
  proveHub,
  REPEAT_LINE,
  readHookLines,
  readHookResume,
  writeAnswerLines,
  writeHookResume,
  writeWaitLines,
} from "./hook-protocol.ts";

describe("an answer for a shell", () => {
  it("is read back as it was written", () => {
    fc.assert(
      fc.property(fc.nat(255), fc.string(), fc.boolean(), (exitCode, text, isError) => {
        const answer = { exitCode, stdout: isError ? "" : text, stderr: isError ? text : "" };
        expect(readHookLines(writeAnswerLines(answer))).toEqual({ kind: "answer", ...answer });
      }),
    );
    expect(readHookLines(writeWaitLines("abc_-1"))).toEqual({ kind: "wait", resume: "abc_-1" });
    expect(readHookLines(REPEAT_LINE)).toEqual({ kind: "again" });
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
      "earshot again and again\n",
    ]) {
      expect([text, readHookLines(text)]).toEqual([text, undefined]);
    }
  });

  it("has one place for its text: no agent is told something on both streams", () => {
    for (const { slug, answers } of AGENT_FOLDERS) {
      const replies = [answers.neutral, ...answers.hooks.flatMap(({ replies }) => Object.values(replies))];
      expect([slug, replies.filter(({ stdout, stderr }) => stdout !== undefined && stderr !== undefined)]).toEqual([slug, []]);
      // The launcher passes on no other exit codes.
      expect([slug, replies.filter(({ exit = 0 }) => ![0, 1, 2, 49].includes(exit))]).toEqual([slug, []]);
    }
  });
});

describe("what a hook brings when it asks again", () => {
  it("is what it was given, and nothing that somebody made up", () => {
    const resume = { request: "req_1", index: 1, at: 1_790_000_000_000, ids: ["evt_1", "evt_2"], calls: ["", "call_1"] };
    expect(readHookResume(writeHookResume(resume))).toEqual(resume);
    for (const value of [
      null,
      [],
      {},
      { ...resume, at: "now" },
      { ...resume, ids: [1] },
      { ...resume, ids: Array.from({ length: 40 }, () => "x") },
      { ...resume, calls: ["x".repeat(300)] },
    ]) {
      expect(readHookResume(Buffer.from(JSON.stringify(value)).toString("base64url"))).toBeUndefined();
    }
    fc.assert(fc.property(fc.string(), (text) => readHookResume(text) === undefined || true));
  });
});

const verdict = { nonce: "n", request: "req_1", asked: '{"a":1}', answer: "earshot answer 0 out\n" };

describe("a proof", () => {
  it("is good for exactly one question, one answer, one moment and one key", () => {
    const proof = proveAnswerLines("key", verdict);
    expect(isProof(proveAnswerLines("key", { ...verdict, asked: Buffer.from(verdict.asked) }), proof)).toBe(true);
    for (const other of [{ nonce: "m" }, { request: "req_2" }, { asked: '{"a":2}' }, { answer: "earshot answer 2 err\n" }]) {
      expect(isProof(proveAnswerLines("key", { ...verdict, ...other }), proof)).toBe(false);
    }
    expect(isProof(proveAnswerLines("other key", verdict), proof)).toBe(false);
    expect([undefined, "", `${proof}x`].map((given) => isProof(proof, given))).toEqual([false, false, false]);
  });

  it("cannot be taken from one place to another", () => {
    // A relay to the real hub has another port.
    expect(proveHub("key", "n", 4747)).not.toBe(proveHub("key", "n", 4748));
    expect(proveAnswerLines("key", { ...verdict, nonce: "a", request: "bc" })).not.toBe(
      proveAnswerLines("key", { ...verdict, nonce: "ab", request: "c" }),
    );
  });
});
