import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { respell } from "../../testing/aop.ts";
import { NO_FINDINGS } from "../finding.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { findSecret } from "../secrets.ts";
import { AOP_TYPES, readAmount, readField } from "./aliases.ts";
import { aopSchemas } from "./events.ts";
import { readAop, recogniseAop } from "./read.ts";
import { unwrapStream } from "./stream-frame.ts";

const FACTS = { depth: 1, bodyHash: 0, unsafeInteger: undefined, firstNull: undefined, sizeBytes: 0 };
const EVENT: JsonObject = {
  spec: "aop/1.0",
  session_id: "s1",
  agent_id: "researcher",
  sequence: 2,
  timestamp: "2026-03-01T10:00:00.000Z",
  type: "cognition.thought",
  payload: { content: "Hm." },
};
const read = (members: Readonly<Record<string, JsonValue>>) => readAop({ ...EVENT, ...members }, FACTS);
const rules = (members: Readonly<Record<string, JsonValue>>) => read(members).findings.map(({ rule }) => rule);

describe("recognising", () => {
  test("a whole event is certain, and one lacking any member is still recognised", () => {
    expect(recogniseAop(EVENT)).toBe(100);
    for (const member of Object.keys(EVENT)) {
      const { [member]: _, ...rest } = EVENT;
      expect(recogniseAop(rest as JsonObject)).toBeGreaterThanOrEqual(75);
    }
  });

  test("other objects are not", () => {
    expect(recogniseAop({})).toBe(0);
    expect(recogniseAop({ type: "x", timestamp: "y" })).toBeLessThan(20);
    expect(recogniseAop({ "@context": "x", event_id: "e", type: "t", timestamp: "y", session_id: "s" })).toBeLessThan(30);
  });

  test("messages of a collector's stream are unwrapped", () => {
    const wrapped = { kind: "event", data: EVENT };
    expect(unwrapStream(wrapped)).toBe(EVENT);
    expect(unwrapStream(EVENT)).toBe(EVENT);
    expect(recogniseAop(wrapped)).toBe(100);
    expect(readAop(wrapped, FACTS)).toEqual(readAop(EVENT, FACTS));
    const alert = { kind: "alert", data: { session_id: "s1", type: "loop", message: "m", severity: "warning", created_at: "t" } };
    const greeting = { type: "connected", timestamp: "2026-03-01T10:00:00.000Z" };
    for (const frame of [alert, greeting]) {
      expect(unwrapStream(frame)).toBeUndefined();
      expect(recogniseAop(frame)).toBeGreaterThanOrEqual(50);
      expect(readAop(frame, FACTS)).toMatchObject({ kind: "message", findings: [] });
    }
  });
});

describe("what is no message of a stream", () => {
  test.each(["spec", "session_id", "sequence", "aep_version", "@context", "agent", "id"])("an object with %s", (member) => {
    for (const frame of [
      { kind: "event", data: EVENT },
      { kind: "alert", data: {} },
      { type: "connected", timestamp: "2026-03-01T10:00:00.000Z" },
    ]) {
      for (const said of ["x", null]) {
        const value = { ...frame, [member]: said } as JsonObject;
        expect(unwrapStream(value)).toBe(value);
        expect(readAop(value, FACTS).kind).toBe("event");
      }
      expect(recogniseAop({ ...frame, [member]: "x" } as JsonObject)).toBeLessThan(50);
    }
  });

  test.each(["agent_id", "payload", "event_id", "data", "kind", "x"])("a greeting with %s", (member) => {
    const value: JsonObject = { type: "connected", timestamp: "2026-03-01T10:00:00.000Z", [member]: null };
    expect(unwrapStream(value)).toBe(value);
    expect(recogniseAop(value)).toBeLessThan(60);
  });
});

describe("reading", () => {
  test("a clean event shares the empty list and keeps its value", () => {
    const reading = readAop(EVENT, FACTS);
    expect(reading.findings).toBe(NO_FINDINGS);
    expect(reading.value).toBe(EVENT);
    expect(reading).toMatchObject({ kind: "event", type: "cognition.thought", sessionId: "s1", agentId: "researcher" });
  });

  test.each([
    [{ spec: "aop/1.0.3" }, []],
    [{ spec: "aop/1.7" }, ["aop/spec-minor"]],
    [{ spec: "aop/1" }, ["aop/spec-minor"]],
    [{ spec: "aop/10.0" }, ["aop/spec-major"]],
    [{ spec: "" }, ["aop/envelope-spec"]],
    [{ payload: null }, ["aop/payload-present", "aop/thought-payload"]],
    [{ type: "session.started", payload: null }, ["aop/payload-present"]],
    [{ payload: { reasoning: "Hm." } }, ["aop/alias-used"]],
    [{ payload: { content: "Hm.", reasoning: "Hm." } }, []],
    [{ payload: { content: "Hm.", reasoning: "Ha." } }, ["aop/alias-agrees"]],
    [{ payload: { content: 1, reasoning: "Ha." } }, ["aop/thought-payload", "aop/alias-agrees"]],
    [{ payload: { content: "Hm.", reasoning: { steps: 2 } } }, ["aop/alias-agrees"]],
    [
      { type: "operation.tool_end", payload: { tool: "t", tool_call_id: "c", success: false, error: { code: 1 } } },
      ["aop/alias-used", "aop/alias-used"],
    ],
    [{ type: "operation.external_call", payload: { method: "GET", service: "s" } }, ["aop/external-call-payload"]],
    [{ type: "operation.external_call", payload: { method: "GET", service: "s", endpoint: "/" } }, ["aop/alias-used"]],
    [
      { type: "session.ended", payload: { status: "failed", total_cost_usd: -1 } },
      ["aop/alias-used", "aop/alias-used", "aop/cost-not-negative"],
    ],
    [{ type: "session.ended", payload: { status: "crashed" } }, ["aop/session-ended-payload", "aop/alias-used"]],
    [{ type: "session.started", agent_version: "1", payload: { agent_version: "2" } }, ["aop/alias-agrees"]],
    [{ parent_session_id: null, agent_version: null }, []],
    [{ sequence: 0 }, []],
    [{ sequence: -0 }, ["aop/envelope-sequence"]],
    [{ timestamp: "2026-03-01T10:00:00Z" }, ["aop/timestamp-utc-milliseconds"]],
    [{ timestamp: "2026-03-01T10:00:00.000+00:00" }, []],
    [{ timestamp: "2026-13-01T10:00:00.000Z" }, ["aop/envelope-timestamp"]],
    [{ type: "cognition.tought" }, ["aop/type-known"]],
    [{ type: "aop.something" }, ["aop/type-known"]],
    [{ type: "tool_start" }, ["aop/type-namespaced"]],
    [{ type: "Acme.Thing" }, ["aop/type-namespaced"]],
    [{ type: "acme.thing" }, []],
  ] as const)("%j tells %j", (members, expected) => {
    expect(rules(members as Readonly<Record<string, JsonValue>>)).toEqual(expected);
  });

  test("hints name the documented field and the nearest type", () => {
    expect(read({ payload: { reasoning: "Hm." } }).findings[0]?.hint).toContain("`content`");
    expect(read({ type: "session.end", payload: {} }).findings[0]?.hint).toContain("`session.ended`");
    expect(read({ type: "tool_start", payload: {} }).findings[0]?.hint).toContain("`operation.tool_start`");
  });

  test("ids past any reasonable length do not name a session", () => {
    expect(read({ session_id: "s".repeat(300) }).sessionId).toBeUndefined();
    expect(rules({ session_id: "s".repeat(300) })).toEqual(["aop/envelope-session-id"]);
  });

  test("fields are read under their documented names first, costs from metadata first", () => {
    expect(readField("operation.tool_start", { tool_name: "a", tool: "b" }, "tool_name")).toBe("a");
    expect(readField("operation.tool_start", { tool: "b" }, "tool_name")).toBe("b");
    expect(readField("operation.tool_end", { error: "x" }, "result_summary")).toBe("x");
    expect(readField("session.ended", { total_cost_usd: 2, metadata: { total_cost_usd: 1 } }, "total_cost_usd")).toBe(1);
    expect(readField("session.heartbeat", { step: 3 }, "step")).toBe(3);
    expect(readField("operation.external_call", { service: "shop", endpoint: "/p" }, "url")).toBe("shop /p");
    expect(readAmount("session.ended", { total_tokens: -4 }, "total_tokens")).toBeUndefined();
  });
});

describe("credentials", () => {
  const key = `ghp_${"a1B2".repeat(9)}`;
  test.each([
    { input: { headers: [{ authorization: `Bearer ${key}` }] } },
    { content: `see https://x.example/?token=${key}&y=1 for more` },
    { content: `${"word ".repeat(50)}${key}` },
    { content: "-----BEGIN RSA PRIVATE KEY-----\nMII" },
  ])("are found in %j", (payload) => {
    expect(findSecret(payload)).toBeDefined();
    const told = JSON.stringify(read({ payload: { content: "", ...payload } }).findings);
    expect(told).toContain("payload-without-secrets");
    expect(told).not.toContain("a1B2");
  });

  test.each([
    "f47ac10b-58cc-4372-a567-0e02b2c3d479",
    "risk-assessment-of-the-whole-thing-2026",
    "/usr/local/share/doc/readme.txt",
    "=".repeat(500),
  ])("are not seen in %s", (content) => {
    expect(findSecret({ content })).toBeUndefined();
  });

  test("are looked for in time proportional to the text", () => {
    // With a backtracking search, this test would exceed its time limit.
    for (const unit of ["sk-", "eyJ", "a", "a ", "AKIA", "eyJaaaaaaaaa."])
      expect(findSecret({ content: unit.repeat(300_000) })).toBeUndefined();
  });
});

describe("the schemas", () => {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  const compiled = new Map(Object.entries(aopSchemas).map(([name, schema]) => [name, ajv.compile(JSON.parse(JSON.stringify(schema)))]));

  test("agree in Ajv with the reader on what is wrong", () => {
    const values = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom("completed", "read", "low", "set", 1, true, null));
    const names = fc.constantFrom(
      "outcome",
      "status",
      "content",
      "reasoning",
      "tool",
      "tool_name",
      "duration_ms",
      "latency_ms",
      "operation",
      "action",
      "url",
      "metadata",
      "tool_call_id",
      "success",
      "method",
      "goal",
      "confidence",
    );
    fc.assert(
      fc.property(fc.constantFrom(...AOP_TYPES), fc.dictionary(names, values), (type, payload) => {
        const event = { ...EVENT, type, payload: payload as JsonObject };
        const own = readAop(event, FACTS).findings.every(({ rule }) => !rule.endsWith("-payload") && rule !== "aop/cost-is-a-number");
        expect(own).toBe(compiled.get(type)?.(event));
        expect(respell([event], "documented")).toEqual([event]);
      }),
      { numRuns: propertyRuns() },
    );
  });
});
