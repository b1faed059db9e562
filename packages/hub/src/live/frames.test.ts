import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { hostileText } from "../../../protocol/testing/hostile-text.ts";
import type { LedgerEntry } from "../ledger/ledger.ts";
import { liveSseFrame, toLiveJson } from "./frames.ts";

const ENTRY: LedgerEntry = {
  position: 7,
  receivedAt: Date.UTC(2026, 10, 15, 12),
  protocol: "aop",
  source: "local",
  verified: false,
  session: "session-1",
  sessionKey: 1,
  kind: "event",
  agent: "agent-1",
  type: "cognition.thought",
  sequence: null,
  text: '{"said":"so"}',
  flags: [],
  redactions: [],
};

describe("a frame", () => {
  it("carries what the ledger knows, and the event as it was said", () => {
    expect(toLiveJson({ ...ENTRY, text: '{"b":1.0,  "a":"\\u0041"}' })).toBe(
      '{"position":7,"receivedAt":"2026-11-15T12:00:00.000Z","protocol":"aop","source":"local","verified":false,"session":"session-1",' +
        '"kind":"event","type":"cognition.thought","agent":"agent-1","event":{"b":1.0,  "a":"\\u0041"}}',
    );
  });

  it("has a number, flags and redactions where there are any", () => {
    const flag = { severity: "warning", code: "EVENT_INVALID", message: "no" } as const;
    const mark = { pointer: "/a", shape: "key", length: 3 };
    expect(JSON.parse(toLiveJson({ ...ENTRY, sequence: 0, flags: [flag], redactions: [mark] }))).toMatchObject({
      sequence: 0,
      flags: [flag],
      redactions: [mark],
    });
  });

  it("cannot be forged: whatever ids and events hold, one entry is one SSE event with its own position", () => {
    const json = fc.json({ maxDepth: 3 }).chain((text) => fc.constantFrom(text, JSON.stringify(JSON.parse(text), null, "\r\n")));
    const name = fc.oneof(hostileText, fc.constantFrom("x\n\nid: 99\ndata: forged", "x\r\rdata: forged", "\nevent: closed\n\n"));
    fc.assert(
      fc.property(json, name, name, name, name, (text, session, agent, type, source) => {
        const bytes = liveSseFrame(7, toLiveJson({ ...ENTRY, text, session, agent, type, source }));
        const lines = bytes.split(/\r\n|\r|\n/);
        expect(lines).toHaveLength(4);
        expect(lines[0]).toBe("id: 7");
        expect(lines.slice(2)).toEqual(["", ""]);
        expect(JSON.parse(lines[1]?.slice("data: ".length) ?? "")).toMatchObject({
          position: 7,
          session,
          agent,
          type,
          source,
          event: JSON.parse(text),
        });
      }),
      { numRuns: propertyRuns() },
    );
  });
});
