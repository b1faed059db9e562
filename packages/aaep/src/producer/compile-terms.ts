import { type Capabilities, readTypeName } from "@earshot/protocol";
import { DEFAULT_CAPABILITIES, matchesPattern } from "@earshot/protocol/aaep-names";
import type { Terms } from "../terms.ts";

/** Compiles honored capabilities. */
export function compileTerms(requested: Capabilities, honored: Capabilities): Terms {
  const filters = honored.event_filters;
  const include = filters?.include ?? DEFAULT_CAPABILITIES.event_filters.include;
  const exclude = filters?.exclude ?? DEFAULT_CAPABILITIES.event_filters.exclude;
  return {
    requested,
    honored,
    maxEventsPerSecond: honored.max_events_per_second ?? Number.POSITIVE_INFINITY,
    verbosity: honored.preferred_verbosity ?? DEFAULT_CAPABILITIES.preferred_verbosity,
    languages: honored.languages ?? [],
    boundaries: new Set(honored.coalesce_boundaries ?? DEFAULT_CAPABILITIES.coalesce_boundaries),
    load: honored.cognitive_load ?? DEFAULT_CAPABILITIES.cognitive_load,
    paceWpm: honored.pace_wpm,
    answersConfirmations: honored.supports_confirmation_reply === true,
    answersClarifications: honored.supports_clarification_reply === true,
    admits: createFilter({ include, exclude }),
  };
}

interface EventFilter {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** Cached types: an agent uses a dozen, a hostile one may use millions. */
const REMEMBERED = 256;

/**
 * Whether the filter passes a type: a pattern includes it and none excludes it. Critical events pass without a check. Results are cached,
 * because the same few types recur.
 */
export function createFilter({ include, exclude }: EventFilter): (type: string) => boolean {
  const included = include.map(compactPattern);
  const excluded = exclude.map(compactPattern);
  const known = new Map<string, boolean>();
  return (type) => {
    let admitted = known.get(type);
    if (admitted === undefined) {
      admitted = included.some((pattern) => matchesPattern(pattern, type)) && !excluded.some((pattern) => matchesPattern(pattern, type));
      if (known.size >= REMEMBERED) known.clear();
      known.set(type, admitted);
    }
    return admitted;
  };
}

/** Both sides would read a `*` before the end differently. */
export function isPattern(pattern: string): boolean {
  return !pattern.slice(0, -1).includes("*");
}

function compactPattern(pattern: string): string {
  const name = readTypeName(pattern);
  return name.form === "uri" && name.prefix !== "" ? `${name.prefix}:${name.local}` : pattern;
}
