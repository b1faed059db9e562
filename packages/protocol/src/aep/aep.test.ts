import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AEP_DEFECTS, AEP_SURPRISES, aepRecordings, hearAll, hearOne, replaceSomewhere } from "../../testing/aep.ts";
import { applyOften, createPick } from "../../testing/defect.ts";
import type { JsonObject } from "../json.ts";
import { compileShape, type Shape } from "../schema.ts";
import { AEP } from "./aep.ts";
import { aepSchemas, eventSchema, eventSchemas, responseSchema } from "./events.ts";
import { closeSession, openSession, type SessionState, stepSession } from "./lifecycle.ts";
import { withoutNulls } from "./nulls.ts";
import { EVENT_TYPE_NAMES, type EventType } from "./types.ts";

const RUNS = 2000;
const ANY = compileShape(eventSchema);
const ajv = new Ajv2020({ strict: true });
const VALIDATORS = new Map(
  Object.entries(aepSchemas).map(([name, schema]) => [name, ajv.compile(JSON.parse(JSON.stringify(schema)) as object)]),
);
const SHAPES: ReadonlyMap<string, Shape> = new Map([
  ...EVENT_TYPE_NAMES.map((type: EventType) => [type, compileShape(eventSchemas[type])] as const),
  ["response", compileShape(responseSchema)],
]);

describe("AEP recordings", () => {
  it("that conform are told no error, and cover the vocabulary", () => {
    const types = new Map<string, number>();
    fc.assert(
      fc.property(aepRecordings, (recording) => {
        for (const item of recording) {
          const { reading } = hearOne(item);
          types.set(reading.type, (types.get(reading.type) ?? 0) + 1);
        }
        const errors = hearAll(recording).filter(({ finding }) => AEP.rules[finding.rule]?.severity === "error");
        expect(errors).toEqual([]);
      }),
      { numRuns: RUNS },
    );
    for (const type of [...EVENT_TYPE_NAMES, "response"]) expect(types.get(type) ?? 0, type).toBeGreaterThan(10);
  });

  it("with a single defect are told its rule", () => {
    expect(new Set(AEP_DEFECTS.map((defect) => defect.name)).size).toBe(AEP_DEFECTS.length);
    const applied = new Map<string, number>();
    let turn = 0;
    fc.assert(
      fc.property(aepRecordings, fc.nat(), (recording, seed) => {
        const pick = createPick(seed);
        for (let round = 0; round < 6; round++) {
          const defect = AEP_DEFECTS[turn++ % AEP_DEFECTS.length] as (typeof AEP_DEFECTS)[number];
          const broken = defect.apply(recording, pick);
          if (broken === undefined) continue;
          applied.set(defect.name, (applied.get(defect.name) ?? 0) + 1);
          const told = hearAll(broken).map(({ finding }) => finding.rule);
          expect(
            defect.rules.some((rule) => told.includes(rule)),
            `${defect.name}; told ${told.join(", ")}`,
          ).toBe(true);
          for (const rule of defect.rules) expect(AEP.rules[rule]?.severity).toBe("error");
        }
      }),
      { numRuns: RUNS },
    );
    for (const defect of AEP_DEFECTS) expect(applied.get(defect.name) ?? 0, defect.name).toBeGreaterThan(2);
  });

  it("with a surprise are told a warning and no error", () => {
    // Without redelivered copies: a copy of what was changed would be another event under the same id.
    const recordings = fc.sample(aepRecordings, 200).map((items) => [...new Map(items.map((item) => [item["id"], item])).values()]);
    for (const surprise of AEP_SURPRISES) {
      const applied = applyOften(surprise, recordings, 50, (broken) => {
        const told = hearAll(broken).map(({ finding }) => finding.rule);
        expect(told, surprise.name).toEqual(expect.arrayContaining([...surprise.rules]));
        expect(
          told.filter((rule) => AEP.rules[rule]?.severity === "error"),
          surprise.name,
        ).toEqual([]);
      });
      expect(applied, surprise.name).toBeGreaterThan(0);
      for (const rule of surprise.rules) expect(AEP.rules[rule]?.severity).toBe("warning");
    }
  });

  it("are judged the same when a session's state is stored and taken up again after every event", () => {
    fc.assert(
      fc.property(aepRecordings, fc.nat(), (recording, seed) => {
        const pick = createPick(seed);
        const defect = AEP_DEFECTS[pick(AEP_DEFECTS.length)] as (typeof AEP_DEFECTS)[number];
        const items = pick(2) === 0 ? recording : (defect.apply(recording, pick) ?? recording);
        expect(stepThrough(items, (state) => JSON.parse(JSON.stringify(state)) as SessionState)).toEqual(
          stepThrough(items, (state) => state),
        );
      }),
      { numRuns: RUNS },
    );
  });
});

describe("bad input", () => {
  it("never makes the reader or the judge throw", () => {
    const values = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("aep_version", "id", "type", "agent", "action")), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(values, { maxLength: 5 }), (items) => {
        hearSafely(items as JsonObject[]);
      }),
      { numRuns: RUNS },
    );
  });

  it("is told whenever it does not fit, whatever member is replaced by whatever value", () => {
    fc.assert(
      fc.property(aepRecordings, fc.nat(), fc.jsonValue(), (recording, seed, value) => {
        const items = replaceSomewhere(recording, createPick(seed), value);
        hearSafely(items);
        for (const item of items) {
          if (JSON.stringify(item).includes('"__proto__":')) continue;
          const { reading } = hearOne(item);
          const shape = SHAPES.get(reading.type) ?? ANY;
          const errors = reading.findings.filter(({ rule }) => AEP.rules[rule]?.severity === "error");
          const fits = shape.check(withoutNulls(item).value);
          if (!fits) expect(errors).not.toEqual([]);
          const validate = VALIDATORS.get(reading.type) ?? VALIDATORS.get("event");
          expect(validate?.(withoutNulls(item).value), JSON.stringify(item)).toBe(fits);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

/** All sessions mixed into one state: not a real session, but every branch is met. */
function stepThrough(items: readonly JsonObject[], keep: (state: SessionState) => SessionState): unknown {
  let state = openSession();
  const findings: unknown[] = [];
  items.forEach((item, index) => {
    const step = stepSession(state, hearOne(item).reading, index);
    findings.push(step.findings);
    state = keep(step.state);
  });
  return [...findings, closeSession(state)];
}

function hearSafely(items: readonly JsonObject[]): void {
  for (const item of items) {
    let text = JSON.stringify(item);
    // The reader before ours refuses this key, and so it never reaches a protocol.
    if (text.includes("__proto__")) text = text.replaceAll("__proto__", "proto");
    const score = AEP.recognise(JSON.parse(text) as JsonObject);
    expect(score).toBeGreaterThanOrEqual(0);
    expect(score).toBeLessThanOrEqual(100);
  }
  const plain = JSON.parse(JSON.stringify(items).replaceAll("__proto__", "proto").replaceAll("prototype", "proto")) as JsonObject[];
  for (const { finding } of hearAll(plain)) expect(AEP.rules[finding.rule], finding.rule).toBeDefined();
}
