import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aaepRecordings } from "../testing/aaep.ts";
import { AAEP_DEFECTS } from "../testing/aaep-defects.ts";
import { AEP_DEFECTS, AEP_SURPRISES, aepRecordings } from "../testing/aep.ts";
import { AOP_DEFECTS, aopRecordings } from "../testing/aop.ts";
import { createPick, type Defect, type Recording } from "../testing/defect.ts";
import { disturb } from "../testing/disturb.ts";
import { hearLive, type LiveHeard, type LiveSession, type LiveTold, NOWHERE } from "../testing/live.ts";
import type { Protocol } from "./protocol.ts";
import { PROTOCOLS } from "./protocols.ts";
import type { ProtocolName } from "./rule.ts";

const RUNS = 400;

const RECORDINGS: Readonly<Record<ProtocolName, readonly [fc.Arbitrary<Recording>, readonly Defect[]]>> = {
  aaep: [aaepRecordings, AAEP_DEFECTS],
  aep: [aepRecordings, [...AEP_DEFECTS, ...AEP_SURPRISES]],
  aop: [aopRecordings, AOP_DEFECTS],
};

/** A recording may show a reply after the end of the session, and then knows better what the lack of one meant. */
const UNSEEN = "aaep/irreversible-accept-unseen";

const toldOf = (heard: readonly LiveHeard[]) => heard.flatMap(({ told }) => told);
const toldBy = (sessions: ReadonlyMap<string, LiveSession>) => [...sessions].map(([id, { heard }]) => [id, toldOf(heard)]);

describe.each(["aaep", "aep", "aop"] as const)("%s heard live", (name) => {
  const protocol = PROTOCOLS[name];

  test("gives the same findings when its state is stored and taken up again, after every event or some", () => {
    fc.assert(
      fc.property(disturb(...RECORDINGS[name]), fc.nat(), (recording, seed) => {
        const expected = toldBy(hearLive(protocol, recording));
        const pick = createPick(seed);
        expect(toldBy(hearLive(protocol, recording, () => true))).toEqual(expected);
        expect(toldBy(hearLive(protocol, recording, () => pick(4) === 0))).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
  });

  test("tells no error of a conforming recording", () => {
    fc.assert(
      fc.property(RECORDINGS[name][0], (recording) => {
        const told = [...hearLive(protocol, recording).values()].flatMap(({ heard }) => toldOf(heard));
        expect(told.filter(({ finding }) => protocol.rules[finding.rule]?.severity === "error")).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test("tells of each session what the judge of a recording tells, and nothing else after its end", () => {
    fc.assert(
      fc.property(disturb(...RECORDINGS[name]), (recording) => {
        for (const [id, { heard }] of hearLive(protocol, recording)) {
          if (id === NOWHERE) continue;
          const end = heard.findIndex(({ ended, reading }) => ended || reading.type === "session.end");
          const before = end < 0 ? heard : heard.slice(0, end + 1);
          expect(comparable(protocol, toldOf(before))).toEqual(comparable(protocol, judge(protocol, before)));
          const told = comparable(protocol, toldOf(heard)).filter((line) => !line.includes(UNSEEN));
          expect(comparable(protocol, judge(protocol, heard))).toEqual(expect.arrayContaining(told));
        }
      }),
      { numRuns: RUNS },
    );
  });
});

/** What is told of a recording of this session alone, except that it is over. */
function judge(protocol: Protocol, heard: readonly LiveHeard[]): readonly LiveTold[] {
  const told: LiveTold[] = [];
  let isOver = false;
  const recorder = protocol.createJudge({
    tell: ({ finding, at }) => {
      // Live, an action without an answer is judged when its session ends.
      if (!isOver || (protocol.name === "aaep" && heard.at(-1)?.ended === true)) told.push({ finding, at });
    },
  });
  for (const { reading, at, facts } of heard) recorder.hear(reading, at, facts);
  isOver = true;
  recorder.end();
  return told;
}

/** Told by whoever knows other sessions, or the whole recording. */
const BEYOND_ONE_SESSION: ReadonlySet<string> = new Set([
  "aaep/reply-token-unique",
  "aop/spawn-agrees",
  "aop/tree-has-no-cycle",
  "aop/spawned-child-speaks",
]);

function comparable(protocol: Protocol, told: readonly LiveTold[]): readonly string[] {
  const lines = told.flatMap(({ finding, at }) => {
    if (BEYOND_ONE_SESSION.has(finding.rule)) return [];
    // What is told once is told at its first place; a judge begins anew after the end of a session.
    return [protocol.rules[finding.rule]?.oncePerSession === true ? finding.rule : JSON.stringify([finding.rule, at, finding.since])];
  });
  return [...new Set(lines)].sort();
}
