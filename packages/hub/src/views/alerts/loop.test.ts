import { expect, test } from "vitest";
import { activityOf, SessionTalk } from "./testing/session-talk.ts";

test("5 different tools in a row are no loop", () => {
  const talk = new SessionTalk();
  for (const tool of ["read", "grep", "write", "run", "list"]) talk.call(`call of ${tool}`, tool, "the same input", "the same result");
  expect(talk.raised).toEqual([]);
});

test("the same call with the same result, 5 times, is a loop, and is told once", () => {
  const talk = new SessionTalk();
  for (let time = 1; time <= 4; time++) talk.call(`c${time}`, "run", "npm test", "1 failed");
  expect(talk.raised).toEqual([]);
  const [alert] = talk.call("c5", "run", "npm test", "1 failed");
  expect(alert).toEqual({
    type: "loop",
    severity: "warning",
    message: 'The tool "run" was called 5 times within 8 seconds with similar input, and gave the same result each time.',
    position: 10,
    at: talk.at,
  });
  for (let time = 6; time <= 50; time++) talk.call(`c${time}`, "run", "npm test", "1 failed");
  expect(talk.raised).toHaveLength(1);
});

test("polling that makes progress is no loop", () => {
  const talk = new SessionTalk();
  for (let time = 1; time <= 50; time++) talk.call(`c${time}`, "status", "job 7", `${time} % done`);
  expect(talk.raised).toEqual([]);
});

test("different input to one tool is no loop, also when every result is the same", () => {
  const talk = new SessionTalk();
  for (let time = 1; time <= 50; time++) talk.call(`c${time}`, "write", `chapter-${time}.md`, "ok");
  expect(talk.raised).toEqual([]);
});

test("a new result ends a loop; a loop that begins again is told again", () => {
  const talk = new SessionTalk();
  for (let time = 1; time <= 6; time++) talk.call(`a${time}`, "run", "npm test", "1 failed");
  talk.call("b", "run", "npm test", "all passed");
  for (let time = 1; time <= 4; time++) talk.call(`c${time}`, "run", "npm test", "1 failed");
  expect(talk.raised).toHaveLength(1);
  talk.call("c5", "run", "npm test", "1 failed");
  expect(talk.types).toEqual(["loop", "loop"]);
});

test("calls that are far apart are no loop", () => {
  const talk = new SessionTalk();
  for (let time = 1; time <= 20; time++) talk.pass(11 * 60_000).call(`c${time}`, "run", "git status", "clean");
  expect(talk.types).not.toContain("loop");
});

test.each<[string, object, object]>([
  ["white space and case", { command: "npm  test\n" }, { command: "NPM test" }],
  ["the order of members", { path: "a", line: 1 }, { line: 1, path: "a" }],
  ["why it is done", { command: "ls", description: "look" }, { command: "ls", description: "look again" }],
  ["how long it may take", { command: "ls", timeout: 1 }, { command: "ls", timeout: 9 }],
])("inputs that differ in %s only are similar", (_, one, other) => {
  const talk = new SessionTalk({ loopCalls: 2 });
  for (const [id, input] of [
    ["a", one],
    ["b", other],
  ] as const) {
    talk.say(activityOf("tool.started", { callId: id, tool: "t", input: { ...input } as never }));
    talk.end(id, "t", "r");
  }
  expect(talk.types).toEqual(["loop"]);
});

test.each<[string, unknown, unknown]>([
  ["a number", { offset: 1 }, { offset: 2 }],
  ["a name", { a: "x" }, { b: "x" }],
  ["the far end of a long text", { text: `${"x".repeat(5000)}1` }, { text: `${"x".repeat(5000)}12` }],
  ["an item", ["a", "b"], ["a", "c"]],
])("inputs that differ in %s are not", (_, one, other) => {
  const talk = new SessionTalk({ loopCalls: 2 });
  talk.say(activityOf("tool.started", { callId: "a", tool: "t", input: one as never }));
  talk.end("a", "t", "r");
  talk.say(activityOf("tool.started", { callId: "b", tool: "t", input: other as never }));
  talk.end("b", "t", "r");
  expect(talk.raised).toEqual([]);
});

test("results that come after all calls, in another order, or before their calls are joined with them", () => {
  const ids = ["a", "b", "c", "d", "e"];
  const orders: (readonly (readonly ["call" | "end", string])[])[] = [
    [...ids.map((id) => ["call", id] as const), ...ids.toReversed().map((id) => ["end", id] as const)],
    [...ids.map((id) => ["end", id] as const), ...ids.toReversed().map((id) => ["call", id] as const)],
  ];
  for (const order of orders) {
    const talk = new SessionTalk();
    for (const [what, id] of order) {
      if (what === "call") talk.call(id, "run", "npm test");
      else talk.end(id, "run", "1 failed");
    }
    expect(talk.types).toEqual(["loop"]);
    expect(talk.raised[0]?.position).toBe(10);
  }
});

test("a result that is reported twice is counted a single time", () => {
  const talk = new SessionTalk();
  for (let time = 1; time <= 4; time++) {
    talk.call(`c${time}`, "run", "npm test", "1 failed");
    talk.end(`c${time}`, "run", "1 failed");
    talk.say(activityOf("tool.requested", { callId: `c${time}`, tool: "run", input: { command: "npm test" } }));
  }
  expect(talk.raised).toEqual([]);
});

test("without ids, an end belongs to the last call of its tool", () => {
  const talk = new SessionTalk();
  for (let time = 1; time <= 5; time++) talk.call(undefined, "run", "npm test", "1 failed");
  expect(talk.types).toEqual(["loop"]);
});

test("where nobody says what was given, or what came of it, nothing is claimed", () => {
  const talk = new SessionTalk({ failures: 0 });
  for (let time = 1; time <= 20; time++) {
    talk.say(activityOf("tool.started", { callId: `a${time}`, tool: "t" }));
    talk.end(`a${time}`, "t", "r");
    talk.call(`b${time}`, "u", "x");
    talk.say(activityOf("tool.ended", { callId: `b${time}`, tool: "u", outcome: "succeeded" }));
    talk.call(`c${time}`, "sleep", "10", "");
  }
  expect(talk.raised).toEqual([]);
});

test("failing and being denied again and again is a loop, also without words", () => {
  for (const outcome of ["failed", "denied", "timeout"] as const) {
    const talk = new SessionTalk({ failures: 0 });
    for (let time = 1; time <= 5; time++) {
      talk.call(`c${time}`, "t", "x");
      talk.say(activityOf("tool.ended", { callId: `c${time}`, tool: "t", outcome }));
    }
    expect(talk.types).toEqual(["loop"]);
  }
});

test("a circle of several calls is told once", () => {
  const talk = new SessionTalk();
  for (let time = 1; time <= 20; time++) {
    talk.call(`a${time}`, "read", "a.ts", "text of a");
    talk.call(`b${time}`, "run", "npm test", "1 failed");
    talk.call(`c${time}`, "read", "b.ts", "text of b");
  }
  expect(talk.types).toEqual(["loop"]);
});

test("a loop that goes on while something else is new is told once", () => {
  const talk = new SessionTalk();
  for (let time = 1; time <= 30; time++) {
    talk.call(`a${time}`, "run", "npm test", "1 failed");
    talk.call(`b${time}`, "write", "a.ts", `attempt ${time}`);
  }
  expect(talk.types).toEqual(["loop"]);
});

test("the end of the session ends the loop", () => {
  const talk = new SessionTalk();
  for (let time = 1; time <= 4; time++) talk.call(`a${time}`, "run", "npm test", "1 failed");
  talk.say(activityOf("session.closed", { outcome: "completed" }));
  talk.call("a5", "run", "npm test", "1 failed");
  expect(talk.raised).toEqual([]);
});

test("the collector's rule looks at calls alone, and repeats itself", () => {
  const talk = new SessionTalk({ loopRule: "aop-collector" });
  for (let time = 1; time <= 50; time++) talk.call(`c${time}`, "status", "job 7", `${time} % done`);
  expect(talk.types).toHaveLength(10);
  expect(talk.raised[0]).toMatchObject({
    type: "loop",
    message: 'The tool "status" was called 5 times within 60 seconds with similar inputs.',
  });
  const slow = new SessionTalk({ loopRule: "aop-collector" });
  for (let time = 1; time <= 50; time++) slow.pass(15_000).call(`c${time}`, "status", "job 7");
  expect(slow.raised).toEqual([]);
});

test("zero turns it off", () => {
  const talk = new SessionTalk({ loopCalls: 0 });
  for (let time = 1; time <= 20; time++) talk.call(`c${time}`, "run", "npm test", "1 failed");
  expect(talk.raised).toEqual([]);
});
