import { isObject, type JsonValue } from "@earshot/protocol/json";
import { describe, expect, it } from "vitest";
import { isList } from "./mapping/json-values.ts";
import type { MappedPayload } from "./mapping/map-payload.ts";
import { AGENT_FOLDERS, errorsIn, mapAt } from "./testing/agent-folders.ts";
import { decidesEvents, leafPathsOf, replaceMember } from "./testing/leaves.ts";

/** Values a future version of an agent may send. */
const OTHER: readonly (JsonValue | undefined)[] = [undefined, null, 7, -0.5, true, "other", "", [], [null], {}, { inner: { more: [1] } }];
const HUGE = "A \u{1F600} line.\n".repeat(50_000);
const UNKNOWN: Readonly<Record<string, JsonValue>> = JSON.parse(
  '{"zz_unknown":{"a":[1,{"b":null}]},"zzUnknown":"text","":0,"zz.dotted":true,"zz/stroke~":[],"__proto__":{"tool_name":"Other"},"constructor":"x"}',
) as Record<string, JsonValue>;

const typesOf = ({ events }: MappedPayload) => events.map(({ event }) => event.type);

describe("a payload that nobody has seen", () => {
  for (const { slug, file, mapping, samples } of AGENT_FOLDERS) {
    describe(slug, () => {
      it("means the same, whatever becomes of a member that decides nothing", () => {
        for (const { name, hook, payload } of samples) {
          const expected = typesOf(mapAt(mapping, payload, hook));
          for (const leaf of leafPathsOf(payload).filter((one) => !decidesEvents(file.mapping, one))) {
            for (const instead of OTHER) {
              const mapped = mapAt(mapping, replaceMember(payload, leaf, instead), hook);
              if (typesOf(mapped).join() !== expected.join())
                expect([name, leaf, instead, typesOf(mapped)]).toEqual([name, leaf, instead, expected]);
            }
          }
        }
      });

      it("may hold a huge text anywhere", () => {
        for (const { name, hook, payload } of samples) {
          const expected = typesOf(mapAt(mapping, payload, hook));
          for (const leaf of leafPathsOf(payload)) {
            const { events, nothing } = mapAt(mapping, replaceMember(payload, leaf, HUGE), hook);
            if (!decidesEvents(file.mapping, leaf))
              expect([name, leaf, events.map(({ event }) => event.type)]).toEqual([name, leaf, expected]);
            if (events.length === 0) expect(nothing?.message.length).toBeLessThan(500);
          }
        }
      });

      it("may hold members that nobody knows, at any depth", () => {
        for (const { name, hook, payload } of samples) {
          const mapped = mapAt(mapping, withUnknown(payload), hook);
          expect([name, typesOf(mapped)]).toEqual([name, typesOf(mapAt(mapping, payload, hook))]);
          for (const { event } of mapped.events) expect([name, errorsIn(event)]).toEqual([name, []]);
        }
      });

      it("may have its members in any order", () => {
        for (const { name, hook, payload } of samples)
          expect([name, mapAt(mapping, reversed(payload), hook)]).toEqual([name, mapAt(mapping, payload, hook)]);
      });

      it("need not name its hook where the registered line does", () => {
        for (const { name, hook, payload } of samples) {
          const resolved = mapping.resolveHook(hook) ?? hook;
          const unnamed = file.mapping.eventName.reduce<JsonValue>((rest, pointer) => {
            const path = pointer.split("/").slice(1);
            return path.length === 1 ? replaceMember(rest, path, undefined) : rest;
          }, payload);
          const named = mapAt(mapping, payload, resolved);
          if (named.hook !== resolved || file.mapping.unwrap.length > 0) continue; // the name of a hook may be made from more than its name
          expect([name, typesOf(mapAt(mapping, unnamed, resolved))]).toEqual([name, typesOf(named)]);
        }
      });
    });
  }
});

function withUnknown(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(withUnknown);
  if (!isObject(value)) return value;
  const inner = Object.entries(value).map(([key, member]) => [key, withUnknown(member ?? null)] as const);
  return Object.fromEntries([...Object.entries(UNKNOWN), ...inner]);
}

function reversed(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member ?? null)]),
  );
}
