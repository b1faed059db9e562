import { describe, expect, test } from "vitest";
import { judgeRecording } from "../testing/judge-recording.ts";
import type { JsonObject } from "./json.ts";
import { PROTOCOLS } from "./protocols.ts";
import type { Severity } from "./rule.ts";

/** Severities that no passing example may have. The shortest AAEP sessions omit much that is only recommended. */
const UNTOLD: Readonly<Record<string, readonly Severity[]>> = {
  aaep: ["error"],
  aep: ["error", "warning"],
  aop: ["error", "warning"],
};

describe.each(Object.values(PROTOCOLS))("the examples of $name", (protocol) => {
  test.each(Object.entries(protocol.rules))("%s holds in one and is broken in the other", (id, rule) => {
    const { passes, fails } = rule.examples();
    if (rule.decided === "live") {
      expect([passes, fails]).toEqual([{ told: expect.any(String) }, { told: expect.any(String) }]);
      return;
    }
    const clean = judgeRecording(protocol, passes as readonly JsonObject[]);
    expect(clean.filter((told) => UNTOLD[protocol.name]?.includes(told.severity) === true || told.rule === id)).toEqual([]);
    const broken = judgeRecording(protocol, fails as readonly JsonObject[]);
    expect(broken.map((told) => told.rule)).toContain(id);
    const others = broken.filter((told) => told.rule !== id && told.severity === "error");
    if (protocol.name !== "aaep") expect(others).toEqual([]); // one mistake in a session of AAEP often breaks a second rule
  });
});
