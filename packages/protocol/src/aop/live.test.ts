import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { AOP_DEFECTS, aopRecordings } from "../../testing/aop.ts";
import type { Recording } from "../../testing/defect.ts";
import { disturb } from "../../testing/disturb.ts";
import { hearLive, type LiveSession } from "../../testing/live.ts";
import { readItem } from "../../testing/read-item.ts";
import type { JsonObject } from "../json.ts";
import type { ProtocolReading } from "../protocol.ts";
import { AOP } from "./aop.ts";
import { boundAopReading } from "./in-brief.ts";
import { readAop } from "./read.ts";
import { closeReceivedSession, openReceivedSession, type ReceivedSession, receiveIntoSession } from "./session.ts";

const time = (sequence: number) => new Date(Date.UTC(2026, 2, 1, 10) + sequence * 100).toISOString();
const event = (sequence: number, type: string, payload: object = {}): JsonObject =>
  ({ spec: "aop/1.0", session_id: "s1", agent_id: "a", sequence, timestamp: time(sequence), type, payload }) as JsonObject;
const start = (sequence: number, id = "x") => event(sequence, "operation.tool_start", { tool_name: "search", tool_call_id: id, input: {} });
const end = (sequence: number, id = "x") => event(sequence, "operation.tool_end", { tool_name: "search", tool_call_id: id, success: true });
const think = (sequence: number, content = "Why.") => event(sequence, "cognition.thought", { content });
const started = event(1, "session.started");
const ended = (sequence: number) => event(sequence, "session.ended", { outcome: "completed" });

const hearOne = (recording: Recording) => hearLive(AOP, recording).get("s1") as LiveSession;
const rules = (recording: Recording) =>
  hearOne(recording).heard.flatMap(({ told }) => told.map(({ finding, at }) => `${finding.rule} ${at}`));
const sizeOf = ({ state }: LiveSession) => JSON.stringify(state).length;

function* calls(count: number): Generator<JsonObject> {
  yield started;
  for (let index = 0; index < count; index++) {
    const sequence = 2 + index * 3;
    yield think(sequence, "x".repeat(300));
    yield start(sequence + 1, `3f1c2d3e-0b1c-4d3e-9a8b-${index}`);
    yield end(sequence + 2, `3f1c2d3e-0b1c-4d3e-9a8b-${index}`);
  }
}

describe("a session heard live", () => {
  test("tells a number that was used before, and that a call is open at the end", () => {
    expect(rules([started, think(2), think(2, "Another.")])).toEqual(["aop/sequence-unique 3"]);
    expect(rules([started, think(2), start(3), ended(4)])).toEqual(["aop/tool-ends 3"]);
  });

  test("tells each other spelling once", () => {
    const spoken = (sequence: number) => event(sequence, "cognition.thought", { reasoning: "Why." });
    expect(rules([started, spoken(2), spoken(3)])).toEqual(["aop/alias-used 2"]);
  });

  test("says nothing about what may still be on its way", () => {
    expect(rules([end(4), start(3)])).toEqual([]);
    expect(rules([started, think(2), end(4)])).toEqual([]);
    expect(rules([started, think(2), start(3), ended(5)])).toEqual([]);
  });

  test("is small while events wait that carry much", () => {
    const late = Array.from({ length: 32 }, (_, index) => {
      const payload = { tool_name: "t".repeat(9000), tool_call_id: `c${index}`, input: { text: "x".repeat(100_000) } };
      return event(index + 3, "operation.tool_start", payload);
    });
    const session = hearOne([started, ...late]);
    expect(JSON.stringify(session.state)).toContain("operation.tool_start");
    expect(sizeOf(session)).toBeLessThan(20_000);
  });

  test("is bounded after thousands of calls, and small after its end", () => {
    const session = hearOne([...calls(5000)]);
    expect(session.heard.flatMap(({ told }) => told)).toEqual([]);
    expect(sizeOf(session)).toBeLessThan(60_000);
    const over = hearOne([...calls(5000), ended(15_002)]);
    expect(AOP.live.hasEnded(over.state)).toBe(true);
    expect(sizeOf(over)).toBeLessThan(1200);
    expect(rules([...calls(2), ended(8), end(9)])).toEqual(["aop/nothing-after-ended 9"]);
  });

  test("gives up on the oldest of too many open calls, and claims nothing about them", () => {
    const open = [started, think(2), ...Array.from({ length: 3000 }, (_, index) => start(index + 3, `c${index}`))];
    const session = hearOne(open);
    expect(sizeOf(session)).toBeLessThan(60_000);
    expect(rules([...open, end(3003, "c0")])).toEqual([]);
  });
});

describe("a reading in brief", () => {
  test("is judged as the reading itself, in whatever order it arrives", () => {
    fc.assert(
      fc.property(disturb(aopRecordings, AOP_DEFECTS), (recording) => {
        expect(judge(recording, boundAopReading)).toEqual(judge(recording, (reading) => reading));
      }),
      { numRuns: propertyRuns() },
    );
  });

  test("in brief is the same", () => {
    fc.assert(
      fc.property(disturb(aopRecordings, AOP_DEFECTS), (recording) => {
        for (const item of recording) {
          const once = boundAopReading(read(item));
          expect(boundAopReading(once)).toEqual(once);
        }
      }),
      { numRuns: propertyRuns() },
    );
  });
});

function read(item: JsonObject): ProtocolReading {
  const { value, facts } = readItem(item);
  return readAop(value, facts);
}

function judge(recording: Recording, shorten: (reading: ProtocolReading) => ProtocolReading): unknown {
  const sessions = new Map<string, ReceivedSession>();
  const told: unknown[] = [];
  recording.forEach((item, at) => {
    const reading = read(item);
    if (reading.sessionId === undefined) return;
    const session = sessions.get(reading.sessionId) ?? openReceivedSession();
    sessions.set(reading.sessionId, session);
    told.push(...receiveIntoSession(session, shorten(reading), at, false));
  });
  for (const session of sessions.values()) told.push(...closeReceivedSession(session));
  return told;
}
