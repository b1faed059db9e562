import { expect, test } from "vitest";
import { readAop } from "./read.ts";
import { judgeTypeName } from "./type-name.ts";

const FACTS = { depth: 1, bodyHash: 0, unsafeInteger: undefined, firstNull: undefined, sizeBytes: 0 };

test("the form of a name is looked at up to the length that a name may have", () => {
  const longest = `a${".a".repeat(63)}b`;
  expect(longest).toHaveLength(128);
  expect(judgeTypeName(longest)).toBeUndefined();
  expect(judgeTypeName(longest.toUpperCase())?.rule).toBe("aop/type-namespaced");
  expect(judgeTypeName(`${longest}B`)).toBeUndefined();
});

test.each(["a", "session", "A"])("millions of parts after %s are one finding about the length, not a crash", (first) => {
  const event = {
    spec: "aop/1.0",
    session_id: "s1",
    agent_id: "a",
    sequence: 1,
    timestamp: "2026-03-01T10:00:00.000Z",
    type: first + ".a".repeat(3_500_000),
    payload: {},
  };
  const { findings } = readAop(event, FACTS);
  expect(findings.map(({ rule }) => rule)).toContain("aop/envelope-type");
  for (const { message } of findings) expect(message.length).toBeLessThan(300);
});

test.each(["spec", "session_id", "agent_id", "timestamp", "type"])("a huge %s is told, not crashed upon", (member) => {
  const event = {
    spec: "aop/1.0",
    session_id: "s1",
    agent_id: "a",
    sequence: 1,
    timestamp: "2026-03-01T10:00:00.000Z",
    type: "acme.x",
    payload: {},
  };
  for (const text of [`2026-03-01T10:00:00.${"1".repeat(7_000_000)}`, `aop/1.${".1".repeat(3_500_000)}`, "é.".repeat(3_500_000)]) {
    expect(readAop({ ...event, [member]: text }, FACTS).findings).not.toEqual([]);
  }
});
