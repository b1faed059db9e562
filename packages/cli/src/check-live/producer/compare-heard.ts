import type { Item } from "../peer/stream.ts";
import { eventIdOf, typeOf } from "./question.ts";

export interface Missing {
  readonly what: string;
  readonly item: Item | undefined;
}

/** Types that a producer may merge differently for each subscription: compared by what they say, not one by one. */
const MERGED: ReadonlySet<string> = new Set(["agent.output.streaming", "agent.progress.updated", "agent.state.changed"]);

/** What one subscription heard of a session and another one did not. Duplicates and merging are no difference. */
export function compareHeard(whole: readonly Item[], part: readonly Item[]): readonly Missing[] {
  const missing: Missing[] = [];
  const had = new Set(part.map(eventIdOf));
  for (const item of whole) {
    if (!MERGED.has(typeOf(item)) && !had.has(eventIdOf(item))) missing.push({ what: `the event ${typeOf(item)}`, item });
  }
  for (const [output, text] of textsOf(whole)) {
    if (textsOf(part).get(output) !== text)
      missing.push({ what: "a part of the output", item: whole.find((item) => outputOf(item) === output) });
  }
  const jumps = jumpsOf(whole);
  for (const [jump, item] of jumpsOf(part)) if (!jumps.has(jump)) missing.push({ what: `a change of state (${jump})`, item });
  const last = whole.findLast(isState);
  const reached = part.findLast(isState);
  if (last !== undefined && last.value["to_state"] !== reached?.value["to_state"]) {
    missing.push({ what: `the state ${String(last.value["to_state"])}`, item: last });
  }
  return missing;
}

function isState(item: Item): boolean {
  return typeOf(item) === "agent.state.changed";
}

/** Where a state is left that was not entered: merging leaves no such gap, a missing event does. */
function jumpsOf(items: readonly Item[]): Map<string, Item> {
  const jumps = new Map<string, Item>();
  let state = "idle";
  for (const item of items.filter(isState)) {
    const from = String(item.value["from_state"]);
    if (from !== state) jumps.set(`${state} is left as ${from}`, item);
    state = String(item.value["to_state"]);
  }
  return jumps;
}

function outputOf(item: Item): string {
  return typeof item.value["output_id"] === "string" ? item.value["output_id"] : "";
}

/** The text of each output, put together by position, so that a chunk heard twice counts once. */
function textsOf(items: readonly Item[]): Map<string, string> {
  const texts = new Map<string, string[]>();
  for (const item of items) {
    const { chunk, position } = item.value;
    if (typeOf(item) !== "agent.output.streaming" || typeof chunk !== "string" || typeof position !== "number") continue;
    const characters = texts.get(outputOf(item)) ?? [];
    [...chunk].forEach((character, offset) => {
      if (position + offset <= 1_000_000) characters[position + offset] = character;
    });
    texts.set(outputOf(item), characters);
  }
  return new Map([...texts].map(([output, characters]) => [output, Array.from(characters, (one) => one ?? "\0").join("")]));
}
