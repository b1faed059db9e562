import { isObject, type JsonValue, PROTOCOLS, type ProtocolName, readJson, ruleOf } from "@earshot/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aaepRecordings } from "../../../protocol/testing/aaep.ts";
import { aepRecordings } from "../../../protocol/testing/aep.ts";
import { aopRecordings } from "../../../protocol/testing/aop.ts";
import { CAPTURE_LEVELS, type CaptureLevel, reduceToLevel } from "./capture.ts";

const RECORDINGS = { aaep: aaepRecordings, aep: aepRecordings, aop: aopRecordings } as const;
const NAMES = ["aaep", "aep", "aop"] as const satisfies readonly ProtocolName[];

function reduced(value: JsonValue, level: CaptureLevel, protocol: ProtocolName): JsonValue {
  const text = JSON.stringify(value);
  const less = reduceToLevel(text, value, level, protocol);
  if (less === undefined) return value;
  expect(JSON.parse(less.text)).toEqual(less.value);
  return less.value;
}

function errorsIn(value: JsonValue, protocol: ProtocolName): readonly string[] {
  const read = readJson(JSON.stringify(value));
  if (!read.ok || !isObject(read.value)) throw new Error("Not readable");
  const { findings } = PROTOCOLS[protocol].read(read.value, read.facts);
  return findings.map(({ rule }) => rule).filter((rule) => ruleOf(rule)?.severity === "error");
}

describe.each(NAMES)("what is kept of %s", (protocol) => {
  test.each(CAPTURE_LEVELS)("reads without a new error at the level %s, and is not reduced twice", (level) => {
    fc.assert(
      fc.property(RECORDINGS[protocol], (recording) => {
        for (const item of recording) {
          const once = reduced(item, level, protocol);
          const before = errorsIn(item, protocol);
          expect(errorsIn(once, protocol).filter((rule) => !before.includes(rule))).toEqual([]);
          expect(reduced(once, level, protocol)).toEqual(once);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("has the same type, session, agent and id at every level", () => {
    fc.assert(
      fc.property(RECORDINGS[protocol], fc.constantFrom(...CAPTURE_LEVELS), (recording, level) => {
        for (const item of recording) {
          const names = (value: JsonValue): unknown => {
            const read = readJson(JSON.stringify(value));
            if (!read.ok || !isObject(read.value)) throw new Error("Not readable");
            const { type, kind, eventId, sessionId, agentId } = PROTOCOLS[protocol].read(read.value, read.facts);
            return { type, kind, eventId, sessionId, agentId };
          };
          expect(names(reduced(item, level, protocol))).toEqual(names(item));
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("full", () => {
  test("changes nothing", () => {
    expect(reduceToLevel('{"a":"b"}', { a: "b" }, "full", "aop")).toBeUndefined();
  });
});

describe("summary", () => {
  const keep = (content: string) => reduced({ spec: "aop/1.0", type: "cognition.thought", payload: { content } }, "summary", "aop");

  test.each([
    ["x".repeat(280), "x".repeat(280)],
    ["x".repeat(281), `${"x".repeat(280)} … (1 characters not kept)`],
    ["👩".repeat(280), "👩".repeat(280)],
    ["👩".repeat(300), `${"👩".repeat(280)} … (20 characters not kept)`],
  ])("counts code points: %s", (said, kept) => {
    expect(keep(said)).toEqual({ spec: "aop/1.0", type: "cognition.thought", payload: { content: kept } });
  });

  test("leaves what has no long text as it is", () => {
    expect(reduceToLevel('{"a":"b"}', { a: "b" }, "summary", "aop")).toBeUndefined();
  });
});

describe("minimal", () => {
  test("keeps structure, and of texts only how long they were", () => {
    const event = {
      aep_version: "0.1",
      id: "evt_1",
      type: "action.requested",
      time: "2026-05-09T12:00:00.000Z",
      agent: { slug: "claude", display_name: "Claude Code" },
      session: { id: "s1", permission_mode: "plan" },
      workspace: { cwd: "/home/ana/secret-project", roots: ["/home/ana"] },
      action: { type: "tool_call", id: "call_1", input: { command: "rm -rf build", timeout: 5, force: true, none: null } },
      tool: { name: "Bash", type: "native" },
      content: [{ type: "prompt", text: "Please clean up.", style: "markdown" }],
    };
    expect(reduced(event, "minimal", "aep")).toEqual({
      ...event,
      workspace: { cwd: "(24 characters not kept)", roots: ["(9 characters not kept)"] },
      action: { type: "tool_call", id: "call_1", input: { command: "(12 characters not kept)", timeout: 5, force: true, none: null } },
      content: [{ type: "prompt", text: "(16 characters not kept)", style: "markdown" }],
    });
  });

  test("does not believe that a text is a code because of its name", () => {
    const event = { spec: "aop/1.0", type: "shop.ordered", payload: { action: "Ana wants to buy flowers", status: "open" } };
    expect(reduced(event, "minimal", "aop")).toMatchObject({ payload: { action: "(24 characters not kept)", status: "open" } });
  });

  test("keeps numbers as they were written", () => {
    const text = '{"spec":"aop/1.0", "payload": {"x": 1.0, "y":12345678901234567890,"z":"a text"}}';
    expect(reduceToLevel(text, JSON.parse(text), "minimal", "aop")?.text).toBe(
      '{"spec":"aop/1.0", "payload": {"x": 1.0, "y":12345678901234567890,"z":"(6 characters not kept)"}}',
    );
  });
});
