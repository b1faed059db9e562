import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import type { ContextLevel, CountedAmount, TokenAmounts } from "./activity.ts";
import { omitUndefinedOrEmpty } from "./build-activity.ts";
import { isAmount } from "./members.ts";
import { type NameTable, NESTED_NAMES, type NumberSlot, SUPPLIED_NAMES, type SuppliedName, type TextSlot } from "./supplied-names.ts";

/** The meaning of a number whose name does not say whether it is a total or a delta. */
export interface CountBasis {
  readonly counts: "total" | "delta";
  readonly presumed: boolean;
}

/** The end of a session: numbers cover the whole session. */
export const SESSION_BASIS: CountBasis = { counts: "total", presumed: false };
/** The end of a call, thought or response: numbers cover only that. */
export const EVENT_BASIS: CountBasis = { counts: "delta", presumed: false };
/** A progress report. */
export const PROGRESS_BASIS: CountBasis = { counts: "total", presumed: true };
export const UNKNOWN_BASIS: CountBasis = { counts: "delta", presumed: true };

/** Values that the agent supplied itself, under any known name. */
export interface SuppliedValues {
  readonly tokens?: TokenAmounts | undefined;
  readonly costUsd?: CountedAmount | undefined;
  readonly context?: ContextLevel | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly workspace?: string | undefined;
  readonly parent?: string | undefined;
}

type Numbers = Partial<Record<NumberSlot, number>>;

/** Values found so far. The first of each kind wins, so nothing is counted twice. */
export interface SuppliedTally {
  readonly total: Numbers;
  readonly delta: Numbers;
  readonly neither: Numbers;
  readonly texts: Partial<Record<TextSlot, string>>;
}

const NONE: SuppliedValues = Object.freeze({});

/** Reads the agent's additions from the given objects, the first one first. Costs one lookup per member. */
export function readSupplied(places: readonly (JsonObject | undefined)[], basis: CountBasis): SuppliedValues {
  let tally: SuppliedTally | undefined;
  for (const place of places) if (place !== undefined) tally = collectSupplied(tally, place);
  return toSupplied(tally, basis);
}

/** Adds the values of one object. */
export function collectSupplied(tally: SuppliedTally | undefined, place: JsonObject): SuppliedTally | undefined {
  let found = tally;
  for (const name in place) found = collectSuppliedAs(found, name, place[name], place);
  return found;
}

/** Adds the value of a member with this name or an alias of it. */
export function collectSuppliedAs(
  tally: SuppliedTally | undefined,
  name: string,
  value: JsonValue | undefined,
  place: JsonObject,
): SuppliedTally | undefined {
  if (isObject(value)) {
    const table = NESTED_NAMES.get(name);
    return table === undefined ? tally : collectNamed(tally, value, table);
  }
  const meaning = SUPPLIED_NAMES.get(name);
  return meaning === undefined ? tally : collectOne(tally, meaning, value, place);
}

function collectNamed(tally: SuppliedTally | undefined, place: JsonObject, table: NameTable): SuppliedTally | undefined {
  let found = tally;
  for (const name in place) {
    const meaning = table.get(name);
    if (meaning !== undefined) found = collectOne(found, meaning, place[name], place);
  }
  return found;
}

function collectOne(
  tally: SuppliedTally | undefined,
  meaning: SuppliedName,
  value: JsonValue | undefined,
  place: JsonObject,
): SuppliedTally | undefined {
  // A table never refers to itself, so the recursion depth is bounded by the tables, not by the event.
  if ("inside" in meaning) return isObject(value) ? collectNamed(tally, value, meaning.inside) : tally;
  if ("text" in meaning) {
    if (typeof value !== "string" || value === "") return tally;
    const found = tally ?? openTally();
    found.texts[meaning.text] ??= value;
    return found;
  }
  if (!isAmount(value) || (meaning.bare === true && !isInDollars(place))) return tally;
  const found = tally ?? openTally();
  found[meaning.says][meaning.number] ??= value;
  return found;
}

function isInDollars({ currency }: JsonObject): boolean {
  return currency === undefined || currency === null || (typeof currency === "string" && currency.toUpperCase() === "USD");
}

function openTally(): SuppliedTally {
  return { total: {}, delta: {}, neither: {}, texts: {} };
}

export function toSupplied(tally: SuppliedTally | undefined, basis: CountBasis): SuppliedValues {
  if (tally === undefined) return NONE;
  const { model, provider, workspace, parent } = tally.texts;
  const { contextTokens: tokens, contextLimit: limit, contextPercent: percent } = tally.neither;
  return {
    model,
    provider,
    workspace,
    parent,
    tokens: tokensOf(tally, basis),
    costUsd: costOf(tally, basis),
    context: omitUndefinedOrEmpty<ContextLevel>({ tokens, limit, percent }),
  };
}

/**
 * If both a total and a delta are given, the one that fits the event wins: at the end of a call, the call's own cost and not the session
 * total.
 */
function costOf(tally: SuppliedTally, { counts, presumed }: CountBasis): CountedAmount | undefined {
  const other = counts === "total" ? "delta" : "total";
  const said = tally[counts].cost;
  if (said !== undefined) return { value: said, counts };
  const { cost } = tally.neither;
  if (cost !== undefined) return presumed ? { value: cost, counts, presumed } : { value: cost, counts };
  const value = tally[other].cost;
  return value === undefined ? undefined : { value, counts: other };
}

type TokenParts = Omit<TokenAmounts, "counts" | "presumed">;

function tokensOf(tally: SuppliedTally, { counts, presumed }: CountBasis): TokenAmounts | undefined {
  const said = partsOf(tally[counts]);
  const unsaid = partsOf(tally.neither);
  if (unsaid !== undefined) return { ...unsaid, ...said, counts, ...(presumed && said === undefined ? { presumed } : {}) };
  if (said !== undefined) return { ...said, counts };
  const other = counts === "total" ? "delta" : "total";
  const parts = partsOf(tally[other]);
  return parts === undefined ? undefined : { ...parts, counts: other };
}

function partsOf({ input, output, total, cacheRead, cacheWrite, reasoning }: Numbers): TokenParts | undefined {
  return omitUndefinedOrEmpty<TokenParts>({ input, output, total, cacheRead, cacheWrite, reasoning });
}
