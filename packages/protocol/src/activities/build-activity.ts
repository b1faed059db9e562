import type { Activity, ActivityBase, ActivityDetails, ActivityKind } from "./activity.ts";

/** Facts that the protocol's own reader found in an event or message. The ledger stores them with the event. */
export interface EventIdentity {
  /** Empty for events outside any session. */
  readonly session: string;
  readonly agent: string;
  /** Canonical: aliases, prefixes and full URIs are resolved. */
  readonly type: string;
  readonly kind: "event" | "message";
}

/** `Value` with optional members that may also be undefined. */
export type WithUndefined<Value> = {
  readonly [Name in keyof Value]: object extends Pick<Value, Name> ? Value[Name] | undefined : Value[Name];
};

/** Builds one activity of an event. Members that are undefined are left out. */
export function buildActivity<Kind extends ActivityKind>(
  base: ActivityBase,
  kind: Kind,
  details: WithUndefined<ActivityDetails[Kind]>,
): Activity {
  const activity: ActivityBase & Record<string, unknown> = { ...base, kind };
  for (const name in details) if (details[name] !== undefined) activity[name] = details[name];
  // The compiler cannot type a member-by-member copy.
  return activity as unknown as Activity;
}

export function omitUndefined<Value extends object>(loose: WithUndefined<Value>): Value {
  const found: Record<string, unknown> = {};
  for (const name in loose) if (loose[name] !== undefined) found[name] = loose[name];
  return found as Value;
}

/** As `omitUndefined`, but undefined if no member is left. */
export function omitUndefinedOrEmpty<Value extends object>(loose: WithUndefined<Value>): Value | undefined {
  for (const name in loose) if (loose[name] !== undefined) return omitUndefined(loose);
  return undefined;
}

/** The base for an event's second and further activities: only the first carries tokens and cost. */
export function withoutUsage(base: ActivityBase): ActivityBase {
  if (base.tokens === undefined && base.costUsd === undefined) return base;
  const { tokens: _tokens, costUsd: _costUsd, ...rest } = base;
  return rest;
}
