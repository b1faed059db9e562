import { createFreshIds, isIdAt } from "./fresh-ids.ts";
import { isTimeAt, shiftTimestamp } from "./fresh-times.ts";
import { type Playable, readRecorded } from "./recorded.ts";
import { rewriteStrings } from "./rewrite-strings.ts";

export interface FreshenOptions {
  /** Other ids, the same ones for the same seed. */
  readonly seed?: string | undefined;
  /** Other times: the first becomes this, the others keep their distance. Milliseconds since 1970. */
  readonly firstAtMs?: number | undefined;
}

export type Freshen = (recorded: Playable) => Playable;

/** Gives events of a recording ids and times of their own. Each has to be asked for once, in the order of the recording. */
export function createFreshen({ seed, firstAtMs }: FreshenOptions): Freshen {
  if (seed === undefined && firstAtMs === undefined) return (recorded) => recorded;
  const freshId = seed === undefined ? undefined : createFreshIds(seed);
  let shift: number | undefined;
  return (recorded) => {
    const { protocol, text, line, atMs } = recorded;
    if (protocol === undefined) return recorded;
    if (firstAtMs !== undefined && atMs !== undefined) shift ??= Math.round((firstAtMs - atMs) / 1000);
    const seconds = shift;
    const written = rewriteStrings(text, (path, value) => {
      if (freshId !== undefined && isIdAt(protocol, path, value)) return freshId(value);
      return seconds !== undefined && isTimeAt(protocol, path) ? shiftTimestamp(value, seconds) : undefined;
    });
    const fresh = readRecorded(written, line, protocol);
    // Paced by the times as they were recorded: a clock that is set does not change how long it takes.
    return fresh !== undefined && "text" in fresh ? { ...fresh, atMs } : recorded;
  };
}
