import fc from "fast-check";
import { expect, it } from "vitest";
import { CONFORMANCE_CASES } from "../../../protocol/testing/conformance.ts";
import { expectUnharmed, openEdge } from "./testing/edge.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Valid and invalid events of all three protocols, to be corrupted. */
const SEEDS: readonly string[] = CONFORMANCE_CASES.flatMap(({ recording }) => recording.slice(0, 12).map((entry) => JSON.stringify(entry)));

const strange: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    -1,
    0,
    1e308,
    2 ** 53,
    2 ** 63,
    1.5,
    "",
    " ",
    "\u0000",
    "\n",
    "\ud800",
    "__proto__",
    [],
    {},
    [[]],
    "x".repeat(3000),
  ),
  fc.jsonValue({ maxDepth: 3 }).map((value) => value as Json),
  fc.constantFrom(...SEEDS).map((seed) => JSON.parse(seed) as Json),
);

const edit = fc.record({ at: fc.nat(), value: strange, how: fc.nat(3) });

/** Most get a new id; otherwise nearly all would be duplicates. */
const spoilt = fc
  .record({ seed: fc.constantFrom(...SEEDS), id: fc.option(fc.nat()), edits: fc.array(edit, { maxLength: 3 }) })
  .map(({ seed, id, edits }) => {
    const event = JSON.parse(seed) as { [key: string]: Json };
    for (const [name, value] of Object.entries({ event_id: `evt_${id}`, id: `evt-${id}`, sequence: id })) {
      if (id !== null && event[name] !== undefined) event[name] = value;
    }
    return JSON.stringify(edits.reduce<Json>((before, one) => spoil(before, one), event));
  });

it("whatever is posted is stored or refused, and never a failure of the hub", async () => {
  await using edge = await openEdge();
  await fc.assert(
    fc.asyncProperty(fc.array(spoilt, { minLength: 1, maxLength: 60 }), async (lines) => {
      const { status, body } = await edge.post(lines.join("\n"), { headers: { "content-type": "application/x-ndjson" } });
      expect({ status, body }).toMatchObject({ status: 200, body: { events: lines.length } });
      const problems = body["problems"] as readonly { readonly code: string }[];
      expect(problems.filter(({ code }) => code === "INTERNAL")).toEqual([]);
      expect(Number(body["stored"]) + Number(body["duplicates"]) + Number(body["refused"])).toBe(lines.length);
      expect(edge.failures).toEqual([]);
    }),
    { numRuns: 150 },
  );
  await expectUnharmed(edge);
});

/** Replaces, removes or adds one member anywhere in the event. */
function spoil(event: Json, { at, value: given, how }: { readonly at: number; readonly value: Json; readonly how: number }): Json {
  const value = structuredClone(given); // it may be spoilt itself, later on
  const places: (readonly [holder: Json[] | { [key: string]: Json }, key: string])[] = [];
  const walk = (holder: Json): void => {
    if (typeof holder !== "object" || holder === null) return;
    for (const [key, member] of Object.entries(holder)) {
      places.push([holder, key]);
      walk(member);
    }
  };
  walk(event);
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return value;
  const [holder, key] = place;
  if (Array.isArray(holder)) {
    if (how === 0) holder.splice(Number(key), 1);
    else holder[Number(key)] = value;
  } else if (how === 0) delete holder[key];
  else if (how === 1) holder[`${key}_`] = value;
  else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
  return event;
}
