import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  AOP_DEFECTS,
  aopRecordings,
  type HeardFinding,
  hearAop,
  jumble,
  orderedAopRecordings,
  respell,
  severeRules,
} from "../../testing/aop.ts";
import { createPick, type Recording } from "../../testing/defect.ts";
import { isObject, type JsonObject, readJson } from "../json.ts";
import { AOP } from "./aop.ts";
import { readAop } from "./read.ts";
import { closeHeardSession, type HeardSession, hearSession, openHeardSession } from "./session.ts";

const RUNS = 2000;
const seeds = fc.integer();

const severe = (heard: readonly HeardFinding[]) =>
  heard
    .filter(({ severity }) => severity !== "info")
    .map(({ rule, at, sessionId }) => `${rule} ${at} ${sessionId}`)
    .sort();

/** Recordings with, at times, one mistake in them. */
const maybeBroken = fc.tuple(orderedAopRecordings, seeds, fc.boolean()).map(([recording, seed, breaks]): Recording => {
  const pick = createPick(seed);
  const defect = AOP_DEFECTS[pick(AOP_DEFECTS.length)];
  return (breaks ? defect?.apply(recording, pick) : undefined) ?? recording;
});

test("a conforming recording raises no error and no warning, however it arrives", () => {
  fc.assert(
    fc.property(aopRecordings, (recording) => {
      expect(severe(hearAop(recording))).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

test("there are at least thirty kinds of defect, each with a name of its own and an error to be told", () => {
  expect(AOP_DEFECTS.length).toBeGreaterThanOrEqual(30);
  expect(new Set(AOP_DEFECTS.map(({ name }) => name)).size).toBe(AOP_DEFECTS.length);
  for (const { rules } of AOP_DEFECTS) for (const rule of rules) expect(AOP.rules[rule]?.severity).toBe("error");
});

describe("a single defect is told", () => {
  const recordings = fc.sample(aopRecordings, { numRuns: 60, seed: 4317 });
  test.each(AOP_DEFECTS.map((defect) => [defect.name, defect] as const))("%s", (_, defect) => {
    let applied = 0;
    recordings.forEach((recording, index) => {
      const broken = defect.apply(recording, createPick(index));
      if (broken === undefined) return;
      applied++;
      const rules = severeRules(hearAop(broken), "error");
      expect({ rules, expected: defect.rules.some((rule) => rules.includes(rule)) }).toMatchObject({ expected: true });
    });
    expect(applied).toBeGreaterThanOrEqual(5);
  });
});

test("a random defect in a random recording is told", () => {
  fc.assert(
    fc.property(aopRecordings, seeds, (recording, seed) => {
      const pick = createPick(seed);
      const defect = AOP_DEFECTS[pick(AOP_DEFECTS.length)];
      const broken = defect?.apply(recording, pick);
      if (defect === undefined || broken === undefined) return;
      expect(severeRules(hearAop(broken), "error").filter((rule) => defect.rules.includes(rule))).not.toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

test("the documented names, the other names and both at once are judged alike", () => {
  const isDocumented = (recording: Recording) =>
    recording.every((item) => JSON.stringify(respell([item], "wild")) !== "" && !hasOtherName(item));
  fc.assert(
    fc.property(
      orderedAopRecordings.filter(isDocumented),
      seeds,
      fc.constantFrom(
        ...AOP_DEFECTS.filter(({ rules }) => !rules.some((rule) => rule.endsWith("-payload") || rule === "aop/cost-is-a-number")),
      ),
      (recording, seed, defect) => {
        for (const said of [recording, defect.apply(recording, createPick(seed)) ?? recording]) {
          const expected = severe(hearAop(said));
          expect(severe(hearAop(respell(said, "wild")))).toEqual(expected);
          expect(severe(hearAop(respell(said, "both")))).toEqual(expected);
        }
      },
    ),
    { numRuns: RUNS / 4 },
  );
});

test("arrival out of order and twice changes no error and no warning", () => {
  fc.assert(
    fc.property(maybeBroken, seeds, (recording, seed) => {
      const arrived = jumble(recording, createPick(seed));
      const inOrder = hearAop(recording);
      // Whether a counter went back is decided by what arrived before, so that has a test of its own.
      if (hasOddNumbers(recording) || inOrder.some(({ rule }) => rule === "aop/sequence-increases")) return;
      // Which of two starts is the beginning depends on which is heard first; the other then seems out of place too.
      const startsTwice = inOrder.some(({ rule }) => rule === "aop/started-once");
      const rules = (heard: readonly HeardFinding[]) =>
        severeRules(heard, "warning").filter(
          (rule) => !(startsTwice && (rule === "aop/nothing-after-ended" || rule === "aop/started-first")),
        );
      expect(rules(hearAop(arrived))).toEqual(rules(inOrder));
    }),
    { numRuns: RUNS },
  );
});

test("a session's state survives JSON after any event", () => {
  fc.assert(
    fc.property(maybeBroken, seeds, (recording, seed) => {
      const arrived = jumble(recording, createPick(seed));
      expect(judgeSessions(arrived, true)).toEqual(judgeSessions(arrived, false));
    }),
    { numRuns: RUNS / 4 },
  );
});

test("no JSON object makes reading or judging throw", () => {
  const objects = fc.json({ maxDepth: 4 }).map((text): JsonObject => {
    const read = readJson(text);
    return read.ok && isObject(read.value) ? read.value : { payload: null };
  });
  fc.assert(
    fc.property(fc.array(objects, { maxLength: 5 }), (recording) => {
      hearAop(recording);
    }),
    { numRuns: RUNS },
  );
});

test("no mutation of valid events makes reading or judging throw, and the events are not touched", () => {
  const values = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom("__proto__", "constructor", -1, 1e308, 2 ** 53, null, "", [], {}));
  fc.assert(
    fc.property(aopRecordings, fc.array(fc.tuple(seeds, values), { maxLength: 12 }), (recording, mutations) => {
      const mutated = structuredClone(recording) as Record<string, unknown>[];
      for (const [seed, value] of mutations) mutate(mutated, createPick(seed), value);
      const before = JSON.stringify(mutated);
      const safe = mutated.filter((item) => readJson(JSON.stringify(item)).ok) as JsonObject[];
      hearAop(safe);
      expect(JSON.stringify(mutated)).toBe(before);
    }),
    { numRuns: RUNS / 2 },
  );
});

function mutate(recording: Record<string, unknown>[], pick: (bound: number) => number, value: unknown): void {
  const item = recording[pick(recording.length)] as Record<string, unknown>;
  const payload = item["payload"];
  const target = isObject(payload) && pick(2) === 0 ? (payload as Record<string, unknown>) : item;
  const names = Object.keys(target);
  const name = names[pick(Math.max(names.length, 1))];
  if (name === undefined) return;
  if (pick(4) === 0) delete target[name];
  else target[name] = value;
}

function hasOtherName(item: JsonObject): boolean {
  const payload = item["payload"] as JsonObject;
  const documented = ["reasoning", "status", "chosen", "description", "tool", "action", "service", "output_summary", "error", "latency_ms"];
  if (item["type"] === "cognition.goal" || item["type"] === "session.heartbeat") return false;
  if (item["type"] === "cognition.decision") return payload["chosen"] !== undefined;
  return (
    documented.some((name) => payload[name] !== undefined) ||
    payload["total_cost_usd"] !== undefined ||
    payload["token_spend_delta"] !== undefined
  );
}

/** A missing or repeated number leaves only the order of arrival to go by. */
function hasOddNumbers(recording: Recording): boolean {
  const seen = new Set<string>();
  return recording.some((item) => {
    const key = JSON.stringify([item["session_id"], item["agent_id"], item["sequence"]]);
    const odd = seen.has(key) || !Number.isSafeInteger(item["sequence"]) || Number(item["sequence"]) < 0;
    seen.add(key);
    return odd || typeof item["session_id"] !== "string" || typeof item["agent_id"] !== "string" || item["agent_id"] === "";
  });
}

function judgeSessions(recording: Recording, stores: boolean): unknown {
  const sessions = new Map<string, HeardSession>();
  const told: unknown[] = [];
  recording.forEach((item, at) => {
    const reading = readAop(item, { depth: 1, bodyHash: 0, unsafeInteger: undefined, firstNull: undefined, sizeBytes: 0 });
    const id = reading.sessionId;
    if (id === undefined) return;
    const session = sessions.get(id) ?? openHeardSession();
    told.push(...hearSession(session, reading, at, false));
    sessions.set(id, stores ? (JSON.parse(JSON.stringify(session)) as HeardSession) : session);
  });
  for (const session of sessions.values()) told.push(...closeHeardSession(session));
  return JSON.parse(JSON.stringify(told));
}
