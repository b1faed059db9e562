import type { ProtocolName } from "@earshot/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CONFORMANCE_CASES, type PlayableCase } from "../../../protocol/testing/conformance.ts";
import { createFreshen } from "../replay/freshen.ts";
import { readRecorded } from "../replay/recorded.ts";
import { canSay } from "./compare-lanes.ts";
import { compareRuns } from "./compare-runs.ts";
import { isAlike } from "./describe-verdict.ts";
import { RunReader } from "./run-reader.ts";
import type { RecordedRun } from "./step.ts";
import { NOTHING_EXCLUDED } from "./testing/read-run.ts";

function readLines(lines: readonly string[]): RecordedRun | undefined {
  const reader = new RunReader();
  for (const line of lines) reader.handle(line);
  return reader.end("corpus", NOTHING_EXCLUDED);
}

function read(cases: readonly PlayableCase[]): RecordedRun | undefined {
  return readLines(cases.flatMap(({ lines }) => lines));
}

/** Several recordings in one: many sessions, several protocols, content that is invalid within a session. */
const someCases = fc.array(fc.constantFrom(...CONFORMANCE_CASES), { minLength: 1, maxLength: 5 });

describe("Recordings of the corpus", () => {
  it("are each like themselves", () => {
    for (const each of CONFORMANCE_CASES) {
      const [one, other] = [read([each]), read([each])];
      if (one !== undefined && other !== undefined) expect(isAlike(compareRuns(one, other)), each.id).toBe(true);
    }
  });

  it("are like themselves with other ids and at another time", () => {
    for (const { id, lines } of CONFORMANCE_CASES) {
      const freshen = createFreshen({ seed: "other", firstAtMs: Date.UTC(2001, 1, 3) });
      let spoken: ProtocolName | undefined;
      const fresh = lines.map((text, index) => {
        const recorded = readRecorded(text, index + 1, spoken);
        if (recorded === undefined || "damaged" in recorded) return text;
        spoken = recorded.protocol;
        return freshen(recorded).text;
      });
      const [one, other] = [readLines(lines), readLines(fresh)];
      if (one !== undefined && other !== undefined) expect(isAlike(compareRuns(one, other)), id).toBe(true);
    }
  });

  it("put together at random lose no session and no step that can be compared, and are mirrored the other way round", () => {
    fc.assert(
      fc.property(someCases, someCases, fc.boolean(), (casesA, others, isNear) => {
        const [a, b] = [read(casesA), read(isNear ? [...casesA.slice(1), ...others.slice(0, 1)] : others)];
        if (a === undefined || b === undefined) return;
        const [there, back] = [compareRuns(a, b), compareRuns(b, a)];
        expect(there.lanes.flatMap((pair) => [pair.a ?? [], pair.b ?? []].flat())).toHaveLength(a.lanes.length + b.lanes.length);
        for (const pair of there.lanes) {
          for (const [side, other] of [
            ["a", pair.b],
            ["b", pair.a],
          ] as const) {
            const lane = pair[side];
            const compared = (lane?.steps ?? []).flatMap(({ kind }, index) =>
              other === undefined || other.protocol === lane?.protocol || canSay(other.protocol, kind) ? [index] : [],
            );
            expect(pair.rows.flatMap((row) => row[side] ?? [])).toEqual(compared);
          }
        }
        const { "only-a": onlyA, "only-b": onlyB, ...counts } = there.counts;
        expect(back.counts).toEqual({ ...counts, "only-a": onlyB, "only-b": onlyA });
        expect(back.parting?.lane).toBe(there.parting?.lane);
      }),
      { numRuns: 150 },
    );
  });
});
