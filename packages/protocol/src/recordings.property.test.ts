import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { propertyRuns } from "../../../tools/test-volume.ts";
import { aaepRecordings } from "../testing/aaep.ts";
import { AAEP_DEFECTS } from "../testing/aaep-defects.ts";
import { AEP_DEFECTS, AEP_SURPRISES, aepRecordings } from "../testing/aep.ts";
import { AOP_DEFECTS, aopRecordings } from "../testing/aop.ts";
import { applyOften, createPick, type Defect, type Recording } from "../testing/defect.ts";
import { disturb } from "../testing/disturb.ts";
import { judgeRecording } from "../testing/judge-recording.ts";
import { hearLive, type LiveHeard, type LiveSession, type LiveTold, NOWHERE } from "../testing/live.ts";
import { isObject, type JsonObject, readJson } from "./json.ts";
import { createJudge } from "./judge.ts";
import type { Protocol } from "./protocol.ts";
import { PROTOCOLS } from "./protocols.ts";
import type { ProtocolName, Severity } from "./rule.ts";
import { SCHEMAS } from "./schemas.ts";

interface Subject {
  /** Conforming recordings. */
  readonly recordings: fc.Arbitrary<Recording>;
  /** Severities that must not occur for a conforming recording. */
  readonly untold: readonly Severity[];
  /** Single mistakes that break a rule of error severity. */
  readonly defects: readonly Defect[];
  /** Single oddities that break one rule of warning severity and no other. */
  readonly surprises: readonly Defect[];
}

const SUBJECTS: Readonly<Record<ProtocolName, Subject>> = {
  aaep: { recordings: aaepRecordings, untold: ["error"], defects: AAEP_DEFECTS, surprises: [] },
  aep: { recordings: aepRecordings, untold: ["error"], defects: AEP_DEFECTS, surprises: AEP_SURPRISES },
  aop: { recordings: aopRecordings, untold: ["error", "warning"], defects: AOP_DEFECTS, surprises: [] },
};

/** Schemas that belong to no single type, and a message that the generator never produces. */
const NOT_GENERATED: ReadonlySet<string> = new Set(["event", "envelope", "custom", "subscription.close"]);

/** The rarest defect fits one recording in thirty. */
const SAMPLED_RECORDINGS = propertyRuns(2);
const APPLIED_DEFECTS = propertyRuns(1 / 20);
const MIN_APPLIED_DEFECTS = 3;

const toldOf = (heard: readonly LiveHeard[]) => heard.flatMap(({ told }) => told);
const toldBy = (sessions: ReadonlyMap<string, LiveSession>) => [...sessions].map(([id, { heard }]) => [id, toldOf(heard)]);

describe.each(["aaep", "aep", "aop"] as const)("%s", (name) => {
  const protocol = PROTOCOLS[name];
  const { recordings, untold, defects, surprises } = SUBJECTS[name];
  const disturbed = disturb(recordings, [...defects, ...surprises]);

  test("conforming recordings are told no error, as a file and live, and have every type", () => {
    const types = new Set<string>();
    fc.assert(
      fc.property(recordings, (recording) => {
        expect(judgeRecording(protocol, recording).filter(({ severity }) => untold.includes(severity))).toEqual([]);
        for (const { heard } of hearLive(protocol, recording).values()) {
          for (const { reading } of heard) types.add(reading.type);
          expect(toldOf(heard).filter(({ finding }) => protocol.rules[finding.rule]?.severity === "error")).toEqual([]);
        }
      }),
      { numRuns: propertyRuns() },
    );
    const named = Object.keys(SCHEMAS[name]).filter((type) => !NOT_GENERATED.has(type));
    expect(named.filter((type) => !types.has(type))).toEqual([]);
  });

  describe("a single defect is told", () => {
    let samples: readonly Recording[] = [];
    beforeAll(() => {
      samples = fc.sample(recordings, SAMPLED_RECORDINGS);
    });

    test.each(defects.map((defect) => [defect.name, defect] as const))("%s", (_, defect) => {
      for (const rule of defect.rules) expect(protocol.rules[rule]?.severity, rule).toBe("error");
      const applied = applyOften(defect, samples, APPLIED_DEFECTS, (broken) => {
        const told = judgeRecording(protocol, broken).flatMap(({ severity, rule }) => (severity === "error" ? [rule] : []));
        if (!defect.rules.some((rule) => told.includes(rule))) {
          expect.fail(`expected ${defect.rules.join(" or ")}, told ${told.join(", ") || "nothing"} of ${JSON.stringify(broken)}`);
        }
      });
      expect(applied).toBeGreaterThanOrEqual(MIN_APPLIED_DEFECTS);
    });

    test("under a name of its own", () => {
      expect(new Set(defects.map((defect) => defect.name)).size).toBe(defects.length);
    });

    test.each(surprises.map((surprise) => [surprise.name, surprise] as const))("as a warning only: %s", (_, surprise) => {
      for (const rule of surprise.rules) expect(protocol.rules[rule]?.severity, rule).toBe("warning");
      // Without redelivered copies: a changed copy would be another event with the same id.
      const unique = samples.map((items) => [...new Map(items.map((item) => [item["id"], item])).values()]);
      const applied = applyOften(surprise, unique, APPLIED_DEFECTS, (broken) => {
        const told = judgeRecording(protocol, broken);
        expect(told.map(({ rule }) => rule)).toEqual(expect.arrayContaining([...surprise.rules]));
        expect(told.filter(({ severity }) => severity === "error")).toEqual([]);
      });
      expect(applied).toBeGreaterThanOrEqual(MIN_APPLIED_DEFECTS);
    });
  });

  test("live findings are the same when the state is stored and taken up again, after every event or some", () => {
    fc.assert(
      fc.property(disturbed, fc.nat(), (recording, seed) => {
        const expected = toldBy(hearLive(protocol, recording));
        const pick = createPick(seed);
        expect(toldBy(hearLive(protocol, recording, () => true))).toEqual(expected);
        expect(toldBy(hearLive(protocol, recording, () => pick(4) === 0))).toEqual(expected);
      }),
      { numRuns: propertyRuns() },
    );
  });

  test("live findings of a session are those of its recording, and nothing else after its end", () => {
    fc.assert(
      fc.property(disturbed, (recording) => {
        for (const [id, { heard }] of hearLive(protocol, recording)) {
          if (id === NOWHERE) continue;
          const end = heard.findIndex(({ ended, reading }) => ended || reading.type === "session.end");
          const before = end < 0 ? heard : heard.slice(0, end + 1);
          expect(comparable(protocol, toldOf(before))).toEqual(comparable(protocol, judge(protocol, before)));
          const told = comparable(protocol, toldOf(heard)).filter((line) => !line.includes(UNSEEN));
          expect(comparable(protocol, judge(protocol, heard))).toEqual(expect.arrayContaining(told));
        }
      }),
      { numRuns: propertyRuns() },
    );
  });

  test("no JSON object makes recognizing, reading or judging throw", () => {
    fc.assert(
      fc.property(fc.array(anyObject(fc.sample(recordings, 20)), { maxLength: 12 }), (items) => {
        for (const item of items) {
          const score = protocol.recognise(item);
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(100);
        }
        judgeRecording(protocol, items);
        hearLive(protocol, items, () => true);
      }),
      { numRuns: propertyRuns() },
    );
  });
});

/** Objects of known and unknown members and values in any combination. */
function anyObject(samples: readonly Recording[]): fc.Arbitrary<JsonObject> {
  const items = samples.flat();
  const members = items.flatMap((item) => [item, ...Object.values(item).filter(isObject)]);
  const names = fc.oneof(fc.constantFrom(...new Set(members.flatMap((member) => Object.keys(member)))), fc.string());
  const texts = members.flatMap((member) => Object.values(member)).filter((value) => typeof value === "string");
  const values = fc.oneof(fc.constantFrom(...new Set(texts)), fc.jsonValue({ maxDepth: 2 }));
  const inner = fc.oneof(values, fc.dictionary(names, values));
  return fc
    .tuple(fc.constantFrom(...new Set(items.map((item) => item["type"]))), fc.dictionary(names, inner, { maxKeys: 12 }))
    .map(([type, object]) => JSON.stringify({ type, ...object }))
    .map((text) => (readJson(text).ok ? (JSON.parse(text) as JsonObject) : {}));
}

/** A recording may contain a reply after the end of the session, and then a missing reply has another meaning. */
const UNSEEN = "aaep/irreversible-accept-unseen";

/** The findings for a recording of this session alone, without those from its end. */
function judge(protocol: Protocol, heard: readonly LiveHeard[]): readonly LiveTold[] {
  const told: LiveTold[] = [];
  let isOver = false;
  const recorder = createJudge(protocol, {
    tell: ({ finding, at }) => {
      // Live, an unanswered action is judged when its session ends.
      if (!isOver || (protocol.name === "aaep" && heard.at(-1)?.ended === true)) told.push({ finding, at });
    },
  });
  for (const { reading, at, facts } of heard) recorder.handle(reading, at, facts);
  isOver = true;
  recorder.end();
  return told;
}

/** Rules that need other sessions, or the whole recording. */
const BEYOND_ONE_SESSION: ReadonlySet<string> = new Set([
  "aaep/reply-token-unique",
  "aop/spawn-agrees",
  "aop/tree-has-no-cycle",
  "aop/spawned-child-speaks",
]);

function comparable(protocol: Protocol, told: readonly LiveTold[]): readonly string[] {
  const lines = told.flatMap(({ finding, at }) => {
    if (BEYOND_ONE_SESSION.has(finding.rule)) return [];
    // Once-per-session findings are reported at their first position; a judge starts anew after the end of a session.
    return [protocol.rules[finding.rule]?.oncePerSession === true ? finding.rule : JSON.stringify([finding.rule, at, finding.since])];
  });
  return [...new Set(lines)].sort();
}
