import type { Activity, ActivityBase, ActivityDetails, ActivityKind } from "./activity.ts";

/** A value on its way: what may be left out may still be undefined. */
export type Loose<Value> = { readonly [Name in keyof Value]: object extends Pick<Value, Name> ? Value[Name] | undefined : Value[Name] };

/** One activity of an event, without what nobody supplied. */
export function tell<Kind extends ActivityKind>(base: ActivityBase, kind: Kind, details: Loose<ActivityDetails[Kind]>): Activity {
  const activity: ActivityBase & Record<string, unknown> = { ...base, kind };
  for (const name in details) if (details[name] !== undefined) activity[name] = details[name];
  // What was copied is of the types above; the compiler does not follow a copy member by member.
  return activity as unknown as Activity;
}

/** An object without what is undefined. */
export function given<Value extends object>(loose: Loose<Value>): Value {
  const found: Record<string, unknown> = {};
  for (const name in loose) if (loose[name] !== undefined) found[name] = loose[name];
  // As above.
  return found as Value;
}

/** The same; undefined when nothing is left. */
export function givenAny<Value extends object>(loose: Loose<Value>): Value | undefined {
  for (const name in loose) if (loose[name] !== undefined) return given(loose);
  return undefined;
}

/** The base of an event's other activities: what it spent is told with the first. */
export function withoutSpend(base: ActivityBase): ActivityBase {
  if (base.tokens === undefined && base.costUsd === undefined) return base;
  const { tokens: _tokens, costUsd: _costUsd, ...rest } = base;
  return rest;
}
