import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findingsIn, recordSessions } from "../testing/recorded-session.ts";
import { MAX_EVENT_BYTES } from "./event-writer.ts";
import { runAopSession } from "./run-session.ts";
import type { Session } from "./session.ts";

describe("a session", () => {
  it("says everything the protocol can say, in its documented names", async () => {
    const { start, events, lines } = recordSessions();
    const session = start({ goal: "Find the cause.", metadata: { llm: "model" } });
    session.thought("The log may tell.", { confidence: "medium" });
    session.goal("Read the log.", "set", { parentGoal: "Find the cause." });
    session.decision("Read it all.", { alternatives: ["Search it."], reasoning: "It is short." });
    session.uncertainty("It may have been rotated.", { confidence: "low" });
    await session.tool("read_file", { path: "/var/log/x" }, () => "text", { resultSummary: (text) => `${text.length} characters` });
    session.memory("write", { key: "cause", summary: "A full disk." });
    session.external("GET", "https://user:secret@example.org/status", { statusCode: 200, durationMs: 12 });
    session.heartbeat("waiting");
    session.custom("acme.noted", { anything: true });
    await session.spawn({ agentId: "helper", goal: "Clean up." }).run((child) => child.thought("At once."));
    session.spend({ tokens: 100, costUsd: 0.5 });
    session.end({ summary: "Found." });
    expect(findingsIn(lines)).toEqual([]);
    expect(events().map(({ type, payload }) => [type, payload])).toEqual([
      ["session.started", { goal: "Find the cause.", agent_version: "1.2.3", metadata: { llm: "model" } }],
      ["cognition.thought", { content: "The log may tell.", confidence: "medium" }],
      ["cognition.goal", { goal: "Read the log.", status: "set", parent_goal: "Find the cause." }],
      ["cognition.decision", { decision: "Read it all.", alternatives: ["Search it."], reasoning: "It is short." }],
      ["cognition.uncertainty", { content: "It may have been rotated.", confidence: "low" }],
      ["operation.tool_start", { tool_name: "read_file", tool_call_id: "call_1", input: { path: "/var/log/x" } }],
      [
        "operation.tool_end",
        { tool_name: "read_file", tool_call_id: "call_1", success: true, duration_ms: expect.any(Number), result_summary: "4 characters" },
      ],
      ["operation.memory", { operation: "write", key: "cause", summary: "A full disk." }],
      ["operation.external_call", { method: "GET", url: "https://example.org/status", status_code: 200, duration_ms: 12 }],
      ["session.heartbeat", { status: "waiting", metadata: { step: 1, current_goal: "Read the log." } }],
      ["acme.noted", { anything: true }],
      ["operation.agent_spawn", { child_session_id: "sess_2", child_agent_id: "helper", goal: "Clean up." }],
      ["session.started", { goal: "Clean up." }],
      ["cognition.thought", { content: "At once." }],
      ["session.ended", { outcome: "completed", metadata: { total_steps: 0 } }],
      [
        "session.ended",
        { outcome: "completed", outcome_summary: "Found.", metadata: { total_steps: 1, total_tokens: 100, total_cost_usd: 0.5 } },
      ],
    ]);
  });

  it("numbers its events from 1 and never lets time run backwards", () => {
    const times = [5000, 4000, 6000];
    const { start, events } = recordSessions({ now: () => times.shift() ?? 7000 });
    const session = start();
    session.thought("one");
    session.thought("two");
    expect(events().map(({ sequence, timestamp }) => [sequence, Date.parse(timestamp)])).toEqual([
      [1, 5000],
      [2, 5000],
      [3, 6000],
    ]);
    expect(session.sequence).toBe(4);
  });

  it("brackets a tool that throws, and throws the same", async () => {
    const { start, ofType } = recordSessions();
    const error = new Error("no such file");
    await expect(start().tool("read_file", {}, () => Promise.reject(error))).rejects.toBe(error);
    expect(ofType("operation.tool_end")[0]?.payload).toMatchObject({ success: false, result_summary: "no such file" });
  });

  it("gives back what the tool gives, whatever the options do", async () => {
    const { start, ofType } = recordSessions();
    const options = {
      resultSummary: () => {
        throw new Error("no");
      },
      tokenSpendDelta: () => -1,
    };
    expect(await start().tool("t", "text", () => 42, options)).toBe(42);
    expect(ofType("operation.tool_start")[0]?.payload["input"]).toEqual({ value: "text" });
    expect(ofType("operation.tool_end")[0]?.payload).not.toHaveProperty("metadata");
  });

  it("adds up tokens of tools, and tells them in heartbeats and at the end", () => {
    const { start, ofType, beat } = recordSessions({ dropped: () => 3 });
    const session = start();
    session.startTool("a").succeeded({ tokenSpendDelta: 5 });
    session.startTool("b").succeeded({ tokenSpendDelta: 7, metadata: { mine: 1 } });
    beat();
    session.end({ totalCostUsd: 0.25 });
    expect(ofType("operation.tool_end")[1]?.payload["metadata"]).toEqual({ token_spend_delta: 7, mine: 1 });
    expect(ofType("session.heartbeat")[0]?.payload["metadata"]).toEqual({ step: 2, token_spend: 12, dropped_events: 3 });
    expect(ofType("session.ended")[0]?.payload["metadata"]).toMatchObject({ total_tokens: 12, total_cost_usd: 0.25 });
  });

  it("ends once, ends open calls first, and counts what is said later", () => {
    const { start, events, lines, ignored, beat } = recordSessions();
    const session = start();
    const call = session.startTool("slow");
    session.end();
    call.succeeded();
    session.end({ outcome: "failed" });
    session.thought("too late");
    session.startTool("too late").succeeded();
    beat();
    expect(events().map(({ type }) => type)).toEqual(["session.started", "operation.tool_start", "operation.tool_end", "session.ended"]);
    expect(findingsIn(lines)).toEqual([]);
    expect(ignored()).toBe(4);
  });

  it("ends as its work ends", async () => {
    const { start, ofType } = recordSessions();
    const endings: [unknown, string][] = [
      [new Error("broken"), "failed"],
      [new DOMException("stop", "AbortError"), "cancelled"],
      [new DOMException("late", "TimeoutError"), "timeout"],
      ["just text", "failed"],
    ];
    for (const [error, outcome] of endings) {
      await expect(runAopSession(start(), () => Promise.reject(error))).rejects.toBe(error);
      expect(ofType("session.ended").at(-1)?.payload["outcome"]).toBe(outcome);
    }
    const signal = AbortSignal.abort();
    await expect(runAopSession(start({ signal }), () => Promise.reject(new Error("x")))).rejects.toThrow("x");
    expect(ofType("session.ended").at(-1)?.payload).toMatchObject({ outcome: "cancelled", error_message: "x" });
    expect(await runAopSession(start(), (session) => session.end({ outcome: "timeout" }))).toBeUndefined();
    expect(ofType("session.ended").at(-1)?.payload["outcome"]).toBe("timeout");
  });

  it("is not taken for a success when it goes out of scope without an end", async () => {
    const { start, ofType } = recordSessions();
    {
      await using session = start();
      session.thought("and then …");
    }
    expect(ofType("session.ended")[0]?.payload).toMatchObject({ outcome: "failed" });
  });

  it("hands a child its ids, once", () => {
    const { start, ofType } = recordSessions();
    const parent = start();
    const child = parent.spawn({ agentId: "helper" });
    expect(child.session()).toBe(child.session());
    expect(ofType("session.started")[1]).toMatchObject({
      session_id: child.sessionId,
      parent_session_id: parent.sessionId,
      agent_id: "helper",
    });
  });

  it("writes both names where they are asked for, with the same values", async () => {
    const { start, lines, ofType } = recordSessions({ names: "both" });
    const session = start();
    session.thought("x".repeat(200_000));
    session.decision("d");
    session.uncertainty("u");
    await session.tool("t", undefined, () => 1, { resultSummary: () => "one", tokenSpendDelta: () => 3 });
    session.startTool("t").failed(new Error("broken"));
    session.memory("read");
    session.external("GET", "https://example.org/a/b?c");
    session.heartbeat();
    session.end({ totalCostUsd: 1 });
    expect(findingsIn(lines)).toEqual([]);
    expect(ofType("cognition.decision")[0]?.payload).toEqual({ decision: "d", chosen: "d" });
    expect(ofType("operation.tool_start")[0]?.payload).toMatchObject({ tool: "t", input: {} });
    expect(ofType("operation.tool_end")[0]?.payload).toMatchObject({ tool: "t", output_summary: "one", token_spend_delta: 3 });
    expect(ofType("operation.tool_end")[1]?.payload).toMatchObject({ error: "broken" });
    expect(ofType("operation.external_call")[0]?.payload).toMatchObject({ service: "example.org", endpoint: "/a/b" });
    expect(ofType("session.heartbeat")[0]?.payload).toMatchObject({ step: 2, token_spend: 3 });
    expect(ofType("session.ended")[0]?.payload).toMatchObject({ status: "completed", total_cost_usd: 1, total_steps: 2 });
  });

  it("keeps every event within what collectors take", () => {
    const { start, lines } = recordSessions({ names: "both" });
    const session = start({ goal: "€".repeat(100_000), metadata: { deep: "\u0001".repeat(100_000) } });
    for (const text of ["\u0000", "€", "😀", "\ud800", '"', "x"]) session.thought(text.repeat(300_000), { metadata: { text: [text] } });
    session.end();
    for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(MAX_EVENT_BYTES);
    expect(findingsIn(lines)).toEqual([]);
  });

  it("never throws and stays readable, whatever it is given", () => {
    const getter = {
      get confidence(): never {
        throw new Error("no");
      },
    };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    // Wrapped in functions, because fast-check inspects the values it generates.
    const hostile = [null, getter, proxy, new Proxy({}, { get: () => proxy }), () => 1, Symbol("x"), new Error("e")].map(
      (value) => () => value,
    );
    const anything: fc.Arbitrary<() => unknown> = fc.oneof(
      fc
        .anything({ withBigInt: true, withMap: true, withSet: true, withDate: true, withTypedArray: true, withNullPrototype: true })
        .map((value) => () => value),
      fc.constantFrom(...hostile),
    );
    const methods = ["thought", "goal", "decision", "uncertainty", "startTool", "memory", "external", "heartbeat", "spend", "custom"];
    fc.assert(
      fc.property(
        anything,
        fc.array(fc.tuple(fc.constantFrom(...methods), fc.array(anything, { maxLength: 4 })), { maxLength: 8 }),
        (options, calls) => {
          const { start, lines } = recordSessions();
          const session = start(options() as object);
          for (const [method, words] of calls)
            call(
              session,
              method,
              words.map((word) => word()),
            );
          call(session, "end", [options()]);
          expect(new Set(lines.map((line) => (JSON.parse(line) as { session_id: string }).session_id)).size).toBe(1);
          // Values outside an enumeration are the caller's; the checker reports them. Nothing else may be wrong.
          const own =
            /^aop\/(?:session-ended|session-heartbeat|thought|goal|uncertainty|memory|decision)-payload$|^aop\/(?:type-|cost-|goal-)/;
          expect(findingsIn(lines).filter((rule) => !own.test(rule))).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** Calls methods by name, as untyped code may. */
function call(session: Session, method: string, words: readonly unknown[]): void {
  const { [method]: called } = session as unknown as Record<string, (...words: readonly unknown[]) => unknown>;
  called?.apply(session, words as unknown[]);
}
