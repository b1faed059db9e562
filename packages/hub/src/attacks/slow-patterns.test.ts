import { AgentFiles } from "@earshot/agents/files";
import { SECRET_SHAPES } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import { isSlow, LINEAR_GROWTH, measureCpuMs } from "../../../../tools/pattern-growth.ts";
import { bashHookCall, bashPayload } from "../gate-attacks/testing/gate.ts";
import { NativeHooks } from "../hooks/native-hooks.ts";
import { findSecretsInTurns, redactJson } from "../intake/redact-json.ts";
import { redactText } from "../intake/redact-text.ts";
import { openBench, rulesFor } from "../requests/testing/engine-bench.ts";

/** Turns of the event loop while something runs. */
async function countTurns(run: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const count = () => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  await run();
  clearImmediate(timer);
  return turns;
}

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
    let found: Awaited<ReturnType<typeof findSecretsInTurns>>;
    const turns = await countTurns(async () => {
      found = await findSecretsInTurns(text);
    });
    expect(turns).toBeGreaterThan(10);
    expect(redactJson(text, value, { found })).toEqual(redactJson(text, value));
  });

  it("leaves others their turn in a hook too", async () => {
    await using bench = await openBench(rulesFor({}));
    const native = new NativeHooks(new AgentFiles(), bench.hooks);
    const command = "echo password=a1b2c3d4 token=x\n".repeat(10_000);
    await native.ask(bashHookCall(bashPayload("ls")), 0);
    expect(await countTurns(() => native.ask(bashHookCall(bashPayload(command)), 0))).toBeGreaterThan(10);
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
