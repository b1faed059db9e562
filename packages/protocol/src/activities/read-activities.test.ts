import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { PROTOCOLS } from "../protocols.ts";
import type { ProtocolName } from "../rule.ts";
import { SCHEMAS } from "../schemas.ts";
import { readActivities } from "./read-activities.ts";
import { activitiesOfEvent, checkActivity } from "./testing/check-activity.ts";

const NAMES: readonly ProtocolName[] = ["aaep", "aep", "aop"];

/** Messages about what happened; the other messages are about subscriptions. */
const TELLING: ReadonlySet<string> = new Set(["confirmation.reply", "clarification.reply", "response"]);
/** General schemas that belong to no single type. */
const GENERAL: ReadonlySet<string> = new Set(["event", "envelope", "custom"]);

describe("the protocols' own lists of types", () => {
  const types = NAMES.flatMap((protocol) =>
    Object.keys(SCHEMAS[protocol])
      .filter((name) => !GENERAL.has(name))
      .map((name) => [protocol, name] as const),
  );

  test("are the whole of the three protocols", () => {
    const count = (protocol: ProtocolName) => types.filter(([name]) => name === protocol).length;
    // 12 core types and 8 messages; 21 types and the response; 12 types.
    expect(NAMES.map(count)).toEqual([20, 22, 12]);
  });

  test.each(types)("%s %s has a meaning", (protocol, name) => {
    const spellings = spellingsOf(protocol, name);
    expect(spellings.length).toBeGreaterThan(0);
    for (const spelling of spellings) {
      const [first] = activitiesOfEvent(protocol, leastEvent(protocol, spelling));
      expect(first?.type).toBe(name);
      const isHandshake = name.startsWith("subscription.") || name === "producer.manifest";
      expect(first?.kind === "custom", spelling).toBe(isHandshake && !TELLING.has(name));
    }
  });
});

/** Every spelling of a type that the schema allows for `type`. */
function spellingsOf(protocol: ProtocolName, name: string): readonly string[] {
  const { properties } = SCHEMAS[protocol][name] as unknown as { properties: { type?: { enum?: string[]; const?: string } } };
  return properties.type?.enum ?? [properties.type?.const ?? name];
}

function leastEvent(protocol: ProtocolName, type: string): JsonObject {
  if (protocol === "aop") return { spec: "aop/1.0", session_id: "s", agent_id: "a", sequence: 1, timestamp: "", type, payload: {} };
  if (protocol === "aaep") return { type };
  if (type === "response") return { aep_version: "0.1", id: "r", request_event_id: "e", control: { behavior: "allow" } };
  return { aep_version: "0.1", id: "e", type, time: "", agent: { slug: "a" } };
}

describe("the protocols' own examples", () => {
  test.each(NAMES)("%s: each means something, of the right form, and what is spent is told once", (protocol) => {
    let heard = 0;
    for (const [rule, { examples }] of Object.entries(PROTOCOLS[protocol].rules)) {
      const { passes, fails } = examples();
      for (const recording of [passes, fails]) {
        if (!Array.isArray(recording)) continue;
        for (const event of recording as readonly JsonObject[]) {
          heard++;
          checkAll(activitiesOfEvent(protocol, event), rule);
        }
      }
    }
    expect(heard).toBeGreaterThan(100);
  });
});

function checkAll(activities: ReturnType<typeof readActivities>, where: string): void {
  expect(activities.length, where).toBeGreaterThan(0);
  expect(activities.length, where).toBeLessThan(8);
  let spent = 0;
  for (const activity of activities) {
    checkActivity(activity, where);
    if (activity.tokens !== undefined || activity.costUsd !== undefined) spent++;
  }
  expect(spent, where).toBeLessThan(2);
}

/** Every member name that any reader uses, so that random generation hits it. */
const MEMBERS = [
  ..."session agent model action tool server skill content attachments decision metrics lifecycle extensions workspace".split(" "),
  ..."payload metadata producer progress localization_hints extra_context choices control parent input output error id type text".split(
    " ",
  ),
  ..."status outcome success goal usage cost tokens cost_usd total_cost_usd token_spend token_spend_delta input_tokens currency".split(" "),
  ..."cache total parent_session_id x-acme x-cost-usd x-stream-id timeout_seconds irreversible reversibility response chunk".split(" "),
  ..."questions options todos alternatives data message roots style truncated original_length __proto__ constructor".split(" "),
];
const WORDS = ["", "approved", "denied", "prompt", "plan", "subagent_spawn", "skill_use", "USD", "low", "completed", "timeout"];

const types = fc.constantFrom(...NAMES.flatMap((protocol) => Object.keys(SCHEMAS[protocol])), "constructor", "__proto__", "?", "alert");
const { json } = fc.letrec<{ json: JsonValue; members: JsonObject }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(fc.constantFrom(...WORDS), fc.string(), fc.double(), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie("json"), { maxLength: 4 }),
    tie("members"),
  ),
  members: fc.dictionary(fc.constantFrom(...MEMBERS), tie("json"), { maxKeys: 12 }),
}));
const event = fc.dictionary(fc.constantFrom(...MEMBERS), json, { minKeys: 1, maxKeys: 20 });

test("any JSON means something, of the right form, and is left as it was", () => {
  fc.assert(
    fc.property(fc.constantFrom(...NAMES), types, fc.constantFrom("event", "message"), event, (protocol, type, kind, value) => {
      const before = JSON.stringify(value);
      checkAll(readActivities(protocol, value, { session: "s", agent: "a", type, kind }), `${protocol} ${type} ${before}`);
      expect(JSON.stringify(value)).toBe(before);
    }),
    { numRuns: propertyRuns() },
  );
});

test("each member of each type may hold anything", () => {
  const deep = nested(200_000);
  const values: readonly (JsonValue | undefined)[] = [
    undefined,
    null,
    true,
    -1,
    "text",
    [],
    {},
    [deep],
    { usage: deep, tokens: deep },
    deep,
  ];
  for (const protocol of NAMES) {
    for (const type of Object.keys(SCHEMAS[protocol])) {
      for (const member of MEMBERS) {
        for (const value of values) {
          const inside: JsonObject = { [member]: value };
          for (const kind of ["event", "message"] as const) {
            const place = { session: "s", agent: "a", type, kind };
            for (const outer of MEMBERS.slice(0, 20)) readActivities(protocol, { ...inside, [outer]: inside }, place);
          }
        }
      }
    }
  }
});

/** Deeper than the call stack allows. */
function nested(depth: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { usage: value, text: value };
  return value;
}

test("an event of a hundred thousand parts is few activities", () => {
  const content = Array.from({ length: 100_000 }, (_, index) => ({ type: ["prompt", "thought", "plan"][index % 3] as string, text: "x" }));
  const activities = activitiesOfEvent("aep", {
    aep_version: "0.1",
    id: "e",
    type: "prompt.submitted",
    time: "",
    agent: { slug: "a" },
    content,
  });
  expect(activities.map(({ kind }) => kind)).toEqual(["prompt", "thought", "plan"]);
});

test("what an event of any type spends is told by one of its activities", () => {
  const content = ["prompt", "thought", "response", "plan", "notification", "question", "answer", "?"].map((type) => ({
    type,
    text: type,
  }));
  const spent = { cost_usd: 0.5, input_tokens: 3 };
  const everything: JsonObject = {
    ...{ content, metrics: spent, decision: { outcome: "approved" }, action: { type: "tool_call", id: "c" }, tool: { name: "t" } },
    ...{ payload: { metadata: spent, ...spent }, extensions: { acme: spent, "x-acme": spent, "x-cost-usd": 0.5 } },
  };
  for (const protocol of NAMES) {
    for (const type of Object.keys(SCHEMAS[protocol])) {
      const activities = readActivities(protocol, everything, { session: "s", agent: "a", type, kind: "event" });
      const told = activities.filter(({ tokens, costUsd }) => tokens !== undefined || costUsd !== undefined);
      expect(
        told.map(({ tokens, costUsd }) => [tokens?.input, costUsd?.value]),
        `${protocol} ${type}`,
      ).toEqual([[3, 0.5]]);
    }
  }
});
