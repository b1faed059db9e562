import { SECRET_SHAPES } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import { isSlow, LINEAR_GROWTH, measureCpuMs } from "../../../../tools/pattern-growth.ts";
import { findSecretsInTurns, redactJson } from "../intake/redact-json.ts";
import { redactText } from "../intake/redact-text.ts";

describe("a text that makes a pattern of a secret slow", () => {
  it("does not exist: time grows with the length", () => {
    expect(SECRET_SHAPES.map(({ pattern }) => pattern).filter((pattern) => isSlow(new RegExp(pattern)))).toEqual([]);
  });

  it("is found where a pattern backtracks", () => {
    expect(isSlow(/key=[0-9a-z=]{8,}(?![0-9a-z=]|\()/)).toBe(true);
  });

  it("leaves others their turn: an event of 1 MiB is masked in many turns of the event loop, as it would be in one", async () => {
    const value = { output: "const password = 1; // token=a1 secret: b2\n".repeat(24_000) };
    const text = JSON.stringify(value);
    let turns = 0;
    const count = () => {
      turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const found = await findSecretsInTurns(text);
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(10);
    expect(redactJson(text, value, { found })).toEqual(redactJson(text, value));
  });

  it("cannot be posted: 200 KB of unfinished assignments are masked in a time that grows with their length", () => {
    const timeOf = (bytes: number) => {
      const text = `${"password=1".repeat(bytes / 10)}(`;
      return measureCpuMs(() => expect(redactText(text).text).toHaveLength(text.length));
    };
    timeOf(50_000);
    const [small, large] = [timeOf(50_000), timeOf(200_000)];
    expect(large).toBeLessThan(Math.max(small, 25) * LINEAR_GROWTH);
  });
});
