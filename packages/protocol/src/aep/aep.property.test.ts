import fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { aepRecordings, hearOne, replaceSomewhere } from "../../testing/aep.ts";
import { createPick } from "../../testing/defect.ts";
import { readJson } from "../json.ts";
import { compileShape, type Shape } from "../schema.ts";
import { AEP } from "./aep.ts";
import { aepEventSchema, eventSchemas, responseSchema } from "./events.ts";
import { omitNulls } from "./nulls.ts";
import { EVENT_TYPE_NAMES, type EventType } from "./types.ts";

const ANY = compileShape(aepEventSchema);
const SHAPES: ReadonlyMap<string, Shape> = new Map([
  ...EVENT_TYPE_NAMES.map((type: EventType) => [type, compileShape(eventSchemas[type])] as const),
  ["response", compileShape(responseSchema)],
]);

it("an item that does not fit its schema is told an error, whatever member is replaced by whatever value", () => {
  fc.assert(
    fc.property(aepRecordings, fc.nat(), fc.jsonValue(), (recording, seed, value) => {
      for (const item of replaceSomewhere(recording, createPick(seed), value)) {
        if (!readJson(JSON.stringify(item)).ok) continue;
        const { reading } = hearOne(item);
        const shape = SHAPES.get(reading.type) ?? ANY;
        if (shape.check(omitNulls(item).value)) continue;
        expect(reading.findings.filter(({ rule }) => AEP.rules[rule]?.severity === "error")).not.toEqual([]);
      }
    }),
    { numRuns: propertyRuns() },
  );
});
