import type { Finding } from "../finding.ts";
import { isObject, type JsonObject } from "../json.ts";
import { defineRule } from "../rule.ts";
import { event, inSession } from "./example-events.ts";
import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType } from "./types.ts";

export const CARRIES_RULES = {
  "aep/should-carry": defineRule(["info", "event", 3, "Event types", ["*"]], {
    title: "An event carries the fields that make its type useful.",
    hint: "Add the fields named if the agent knows them; leave them out if it does not.",
    examples: () => ({
      passes: [inSession(1, "agent.start")],
      fails: [event(1, "agent.start")],
    }),
  }),
} as const;

/** A field that an event may have: a member, or a member of a member. */
interface Path {
  readonly member: string;
  readonly inner: string | undefined;
}

/** The fields that a type should carry, and the findings made so far for missing ones, by bit mask: most streams miss the same fields. */
interface Wanted {
  readonly fields: readonly (readonly Path[])[];
  readonly made: (readonly Finding[] | undefined)[];
}

const WANTED = Object.fromEntries(EVENT_TYPE_NAMES.map((type) => [type, wantedBy(type)])) as Readonly<Record<EventType, Wanted>>;

/** Returns one finding that lists every missing field, or undefined. The same gap returns the same list, so a flood allocates nothing. */
export function carriesFinding(event: JsonObject, type: EventType): readonly Finding[] | undefined {
  const { fields, made } = WANTED[type];
  let missing = 0;
  for (let index = 0; index < fields.length; index++) {
    if (!hasOneOf(event, fields[index] as readonly Path[])) missing |= 1 << index;
  }
  if (missing === 0) return undefined;
  made[missing] ??= makeFinding(type, missing);
  return made[missing];
}

function hasOneOf(event: JsonObject, paths: readonly Path[]): boolean {
  for (const { member, inner } of paths) {
    const value = event[member];
    if (value === undefined) continue;
    if (inner === undefined || (isObject(value) && value[inner] !== undefined)) return true;
  }
  return false;
}

function makeFinding(type: EventType, missing: number): readonly Finding[] {
  const names = EVENT_TYPES[type].should.flatMap((paths, index) => ((missing & (1 << index)) === 0 ? [] : [`\`${paths.join("` or `")}\``]));
  return Object.freeze([{ rule: "aep/should-carry", message: `\`${type}\` would say more with ${names.join(", ")}.` }]);
}

function wantedBy(type: EventType): Wanted {
  return { fields: EVENT_TYPES[type].should.map((paths) => paths.map(toPath)), made: [] };
}

function toPath(dotted: string): Path {
  const [member = "", inner] = dotted.split(".");
  return { member, inner };
}
