import type { Asked, RequestView } from "@earshot/hub";
import type { Inspection } from "@earshot/hub/inspection";
import { isObject, type JsonObject } from "@earshot/protocol";
import { CHANGE_MEMBERS, changeLines } from "./change-lines.ts";
import { inspectRequest } from "./inspect-request.ts";
import { type RenderOptions, requestLines } from "./request-lines.ts";
import { whenInWords } from "./time-words.ts";
import { valueLines } from "./value-lines.ts";
import { visibleText } from "./visible-text.ts";

/**
 * Everything about a request, in the order in which it matters: what it wants, the commands and files in it, the change, the
 * whole input, and apart from that what the agent says about it. A heading ends with a colon, what belongs to it is indented.
 */
export function cardLines(view: RequestView, options: RenderOptions): readonly string[] {
  const { card } = view;
  const { asked, terms } = card;
  const { now, timeZone } = options;
  const inspection = options.inspection ?? inspectRequest(asked);
  const change = changeLines(asked);
  return [
    ...requestLines(view, { ...options, inspection }),
    `Asked at ${whenInWords(Date.parse(view.openedAt), now, timeZone)}, ${because(terms.because)}.`,
    ...commandLines(inspection),
    ...section(
      "Files it touches",
      inspection.files,
      ({ path, what, notes }) => `${what} ${visibleText(path)}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`,
    ),
    ...(change.length === 0 ? [] : ["The change:", ...change.map((line) => `  ${line}`)]),
    ...inputLines(asked, change.length > 0),
    ...section("Masked, and not to be edited", asked.masked ?? [], ({ pointer }) => visibleText(pointer === "" ? "all of it" : pointer)),
    ...section("What the agent says about it, unchecked", asked.said, ({ name, text }) => `${visibleText(name)}: “${visibleText(text)}”`),
    ...(Object.keys(asked.facts).length === 0 ? [] : ["What else is known:", ...valueLines(asked.facts)]),
    `It may be answered with: ${terms.answers.join(", ")}.${moreTime(view)}`,
    `Session ${visibleText(view.session)}, from ${visibleText(view.source)} in ${view.protocol}, position ${view.position}.`,
    `Request ${visibleText(view.id)}, digest ${visibleText(view.digest)}.`,
  ];
}

function because(why: string): string {
  return why === "the agent asks" ? "since the agent itself asks" : `because of ${visibleText(why)}`;
}

function commandLines({ commands }: Inspection): readonly string[] {
  return section("Commands in it, as they would run", commands, ({ text, via, effect, dangers }, index) => {
    const wrapped = via.length === 0 ? "" : ` (by ${via.map(visibleText).join(", ")})`;
    return [`${index + 1}. ${visibleText(text)}${wrapped}.`, effect, ...dangers].map(visibleText).join(" ");
  });
}

function inputLines({ input }: Asked, isChange: boolean): readonly string[] {
  if (input === undefined) return [];
  const rest = isChange && isObject(input) ? without(input, CHANGE_MEMBERS) : input;
  const lines = valueLines(rest);
  return lines.length === 0 ? [] : ["The input, as the agent sent it:", ...lines];
}

function without(input: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.has(name)));
}

function moreTime({ extensionsLeft, card, leftMs, decision }: RequestView): string {
  if (decision !== null || leftMs === null) return "";
  if (extensionsLeft > 0) return ` More time: ${extensionsLeft} times, ${Math.round(card.terms.moreTimeMs / 60_000)} minutes each.`;
  return " The agent waits no longer than that: more time cannot be had.";
}

function section<T>(heading: string, items: readonly T[], write: (item: T, index: number) => string): readonly string[] {
  return items.length === 0 ? [] : [`${heading}:`, ...items.map((item, index) => `  ${write(item, index)}`)];
}
