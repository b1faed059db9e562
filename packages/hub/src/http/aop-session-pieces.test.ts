import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import type { LedgerEntry } from "../ledger/ledger.ts";
import { toCollectorLine } from "./aop-session-pieces.ts";

function entry(text: string): LedgerEntry {
  return {
    position: 1,
    receivedAt: 0,
    protocol: "aop",
    source: "local",
    verified: false,
    session: "s",
    sessionKey: 1,
    kind: "event",
    agent: "a",
    type: "t.x",
    sequence: 1,
    text,
    flags: [],
    redactions: [],
  };
}

const NAMES = ["spec", "session_id", "parent_session_id", "agent_id", "agent_version", "sequence", "timestamp", "type", "payload"];

describe("an event as it is read back", () => {
  test("has the official members in the official order, then the others", () => {
    const text = '{"x_first":1,"payload":{"b":1,"a":[2]},"type":"t.x","spec":"aop/1.7","x_last":"é"}';
    expect(toCollectorLine(entry(text))).toBe(
      '{"spec":"aop/1.7","session_id":null,"parent_session_id":null,"agent_id":null,"agent_version":null,"sequence":null,' +
        '"timestamp":null,"type":"t.x","payload":{"b":1,"a":[2]},"x_first":1,"x_last":"é"}',
    );
  });

  test("keeps every digit, and stands in one line", () => {
    const text = '{\r\n "payload" : {\n"n": 12345678901234567890.10 },\n "sequence": 7\n}';
    const line = toCollectorLine(entry(text));
    expect(line).toContain('"n": 12345678901234567890.10 }');
    expect(line).toContain('"sequence":7,');
    expect(line).not.toMatch(/[\r\n]/);
  });

  test("has an empty payload where there was none", () => {
    expect(toCollectorLine(entry('{"spec":"aop/1.0","payload":null}'))).toContain('"payload":{}');
    expect(toCollectorLine(entry("{}"))).toContain('"payload":{}');
  });

  test("knows a member whose name is written with escapes", () => {
    expect(JSON.parse(toCollectorLine(entry('{"s\\u0070ec":"aop/1.2"}')))).toMatchObject({ spec: "aop/1.2" });
  });

  test("that was damaged on disk is told by what was written beside it", () => {
    for (const text of ["", "{", '{"spec"', '{"spec":', '{"spec":"x', "[1]", '{"a":1 2}', "nonsense"]) {
      expect(JSON.parse(toCollectorLine(entry(text)))).toMatchObject({
        spec: "aop/1.0",
        session_id: "s",
        agent_id: "a",
        type: "t.x",
        payload: {},
      });
    }
  });

  test("says what JSON.parse says, for any object", () => {
    const objects = fc.dictionary(fc.oneof(fc.constantFrom(...NAMES), fc.string({ unit: "binary" })), fc.jsonValue(), {
      noNullPrototype: true,
    });
    const spaces = fc.constantFrom("", " ", "\n  ", "\t");
    fc.assert(
      fc.property(objects, spaces, (object, space) => {
        const text = JSON.stringify(object, null, space);
        const value = JSON.parse(text) as Record<string, unknown>;
        const result = JSON.parse(toCollectorLine(entry(text))) as Record<string, unknown>;
        for (const [name, member] of Object.entries(value)) {
          expect(result[name]).toEqual(name === "payload" && member === null ? {} : member);
        }
        expect(Object.keys(result).length).toBe(new Set([...NAMES, ...Object.keys(value)]).size);
      }),
      { numRuns: propertyRuns() },
    );
  });
});
