import type { Activity } from "@earshot/protocol/activities";
import { beginningOf, hash53, shorten } from "../bounded.ts";

/** Hashes of the tool's name and of the beginning of its input, and when the call was heard. */
export type CollectorCall = readonly [tool: number, input: number, at: number];

/** The numbers of the official AOP collector. */
const CALLS = 5;
const WINDOW_MS = 60_000;
const SIMILARITY = 0.4;
const COMPARED_CHARACTERS = 200;
/** An agent that makes more calls within the window is judged by its last ones. */
const MOST_CALLS = 128;
const MAX_NAME = 100;

/**
 * The loop rule of the official AOP collector, for those who compare: a tool is begun so often within a minute, and so many of
 * its inputs repeat. What came of the calls does not matter. All is forgotten when it was told.
 */
export function hearLikeCollector(calls: CollectorCall[], activity: Activity, at: number): string | undefined {
  if (activity.kind !== "tool.started") return undefined;
  const tool = hash53(activity.tool);
  calls.push([tool, hash53(beginningOf(activity.input, COMPARED_CHARACTERS)), at]);
  let gone = Math.max(0, calls.length - MOST_CALLS);
  while (gone < calls.length && at - (calls[gone]?.[2] ?? at) >= WINDOW_MS) gone++;
  calls.splice(0, gone);

  const inputs = calls.filter((call) => call[0] === tool).map((call) => call[1]);
  if (inputs.length < CALLS || 1 - new Set(inputs).size / inputs.length < SIMILARITY) return undefined;
  calls.length = 0;
  return `The tool "${shorten(activity.tool, MAX_NAME)}" was called ${inputs.length} times within 60 seconds with similar inputs.`;
}
