import type { AskedCard, Inspection, RequestView } from "@earshot/hub";
import { compareLines, findInputChanges, formatNumber, formatTime, isChangeMember } from "@earshot/narrate";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import type { CommandIo } from "@earshot/terminal/io";
import { openHub } from "../hub-client.ts";
import { askLine, hasKeyboard } from "../terminal/ask.ts";
import { findRequest } from "./request-client.ts";
import { type RequestLinesOptions, requestLines } from "./request-lines.ts";
import { visibleLines, visibleText } from "./visible-text.ts";

const PAGE_LINES = 40;

/** Prints the whole card of a request, found by a unique prefix of its id; page by page on a terminal. */
export async function showRequest(id: string, io: CommandIo, { json = false } = {}): Promise<void> {
  const view = await findRequest(await openHub(process.env), id);
  if (json) io.out(`${JSON.stringify(view, null, 2)}\n`);
  else await printPages(cardLines(view, { now: Date.now(), isWhole: true }), io);
}

async function printPages(lines: readonly string[], io: CommandIo): Promise<void> {
  const isRead = hasKeyboard(io) && io.terminal.out;
  for (let from = 0; from < lines.length; ) {
    const to = isRead ? from + PAGE_LINES : lines.length;
    for (const line of lines.slice(from, to)) io.out(`${line}\n`);
    from = to;
    if (from >= lines.length) return;
    const left = formatNumber(lines.length - from);
    const said = await askLine(io, `${left} more lines. Enter for the next, all for all, q to end: `);
    if (said === undefined || /^q/i.test(said.trim())) return;
    if (/^all$/i.test(said.trim())) {
      for (const line of lines.slice(from)) io.out(`${line}\n`);
      return;
    }
  }
}

/**
 * Everything about a request in order of importance: its wish, commands and files, the change, the whole input, and separately the
 * agent's own words. Headings end with a colon, their content is indented.
 */
export function cardLines(view: RequestView, options: RequestLinesOptions & { readonly isWhole?: boolean }): readonly string[] {
  const { card, inspection } = view;
  const { asked, terms } = card;
  const { now, timeZone } = options;
  const change = changeLines(asked, { isWhole: options.isWhole === true });
  return [
    ...requestLines(view, options),
    `Asked at ${formatTime(Date.parse(view.openedAt), now, timeZone)}, ${because(terms.because)}.`,
    ...commandLines(inspection),
    ...section(
      "Files it touches",
      inspection.files,
      ({ path, what, notes }) => `${what} ${visibleText(path)}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`,
    ),
    ...(change.length === 0 ? [] : ["The change:", ...change.map((line) => `  ${line}`)]),
    ...inputLines(asked, change.length > 0, options.isWhole === true),
    ...section("Masked, cannot be edited", asked.masked ?? [], ({ pointer }) => visibleText(pointer === "" ? "all of it" : pointer)),
    ...section("The agent's description, unverified", asked.said, ({ name, text }) => `${visibleText(name)}: “${visibleText(text)}”`),
    ...(Object.keys(asked.facts).length === 0 ? [] : ["Further details:", ...valueLines(asked.facts)]),
    `It may be answered with: ${terms.answers.join(", ")}.${moreTime(view)}`,
    `Session ${visibleText(view.session)}, from ${visibleText(view.source)} in ${view.protocol}, position ${view.position}.`,
    `Request ${visibleText(view.id)}, digest ${visibleText(view.digest)}.`,
  ];
}

function because(why: string): string {
  return why === "the agent asks" ? "since the agent itself asks" : `because of ${visibleText(why)}`;
}

function commandLines({ commands, dangers: known }: Inspection): readonly string[] {
  const sentences = new Map(known.map(({ id, sentence }) => [id, sentence]));
  return section("Commands in it, as they would run", commands, ({ text, via, effect, dangers }, index) => {
    const wrapped = via.length === 0 ? "" : ` (by ${via.map(visibleText).join(", ")})`;
    return [`${index + 1}. ${visibleText(text)}${wrapped}.`, effect, ...dangers.map((id) => sentences.get(id) ?? id)]
      .map(visibleText)
      .join(" ");
  });
}

function inputLines(asked: AskedCard, isChange: boolean, isWhole: boolean): readonly string[] {
  const { input } = asked;
  if (input === undefined || (isChange && !isObject(input))) return [];
  const rest = isChange && isObject(input) ? without(input, (name) => isChangeMember(name, asked)) : input;
  const lines = valueLines(rest, { isWhole });
  return lines.length === 0 ? [] : ["The input, as the agent sent it:", ...lines];
}

function without(input: JsonObject, isLeftOut: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !isLeftOut(name)));
}

function moreTime({ extensionsLeft, card, leftMs, decision }: RequestView): string {
  if (decision !== null || leftMs === null || extensionsLeft === 0) return "";
  return ` More time: ${extensionsLeft} times, ${Math.round(card.terms.moreTimeMs / 60_000)} minutes each.`;
}

function section<T>(heading: string, items: readonly T[], write: (item: T, index: number) => string): readonly string[] {
  return items.length === 0 ? [] : [`${heading}:`, ...items.map((item, index) => `  ${write(item, index)}`)];
}

const MAX_CHANGE_LINES = 200;
/** Context lines around a change. */
const AROUND = 2;

/** The change an edit would make: `-` removed, `+` added; a patch as it is. None if the input is no edit. */
function changeLines(asked: Pick<AskedCard, "input" | "title">, { isWhole = false } = {}): readonly string[] {
  const changes = findInputChanges(asked);
  const lines = changes.flatMap((change, index) => {
    const heading = changes.length > 1 ? [`Change ${index + 1} of ${changes.length}:`] : [];
    if (change.kind === "patch") return visibleLines(change.text);
    return [...heading, ...difference(change.before === "" ? [] : visibleLines(change.before), visibleLines(change.after))];
  });
  if (isWhole || lines.length <= MAX_CHANGE_LINES) return lines;
  return [...lines.slice(0, MAX_CHANGE_LINES), `[${formatNumber(lines.length - MAX_CHANGE_LINES)} more lines of the change]`];
}

const MARKS = { same: " ", gone: "-", new: "+" } as const;

function difference(before: readonly string[], after: readonly string[]): readonly string[] {
  const lines = compareLines(before, after);
  const isNear = new Set(lines.flatMap(({ kind }, index) => (kind === "same" ? [] : nearby(index))));
  return lines.flatMap(({ kind, text }, index) => (isNear.has(index) ? [`${MARKS[kind]} ${text}`] : []));
}

function nearby(index: number): readonly number[] {
  return Array.from({ length: 2 * AROUND + 1 }, (_none, offset) => index - AROUND + offset);
}

const MAX_VALUE_LINES = 400;
const DEEPEST = 12;

/** A value line by line, names before values, without brackets: easier to listen to than JSON. Bounded unless `isWhole`. */
function valueLines(value: JsonValue, { isWhole = false } = {}): readonly string[] {
  const lines = [...write(value, "  ", 0)];
  if (isWhole || lines.length <= MAX_VALUE_LINES) return lines;
  return [...lines.slice(0, MAX_VALUE_LINES), `  [${formatNumber(lines.length - MAX_VALUE_LINES)} more lines: earshot inbox show ID]`];
}

function write(value: JsonValue, indent: string, depth: number): readonly string[] {
  if (depth > DEEPEST) return [`${indent}${visibleText(JSON.stringify(value))}`];
  if (typeof value === "string") return visibleLines(value).map((line) => indent + line);
  if (Array.isArray(value)) return value.flatMap((one: JsonValue, index) => member(`${index + 1}.`, one, indent, depth));
  if (isObject(value)) return Object.entries(value).flatMap(([name, one]) => member(`${visibleText(name)}:`, one ?? null, indent, depth));
  return [indent + JSON.stringify(value)];
}

function member(name: string, value: JsonValue, indent: string, depth: number): readonly string[] {
  const isPlain = typeof value !== "object" || value === null;
  const inOneLine = isPlain && !(typeof value === "string" && (value.includes("\n") || value.length > 200));
  if (inOneLine) return [`${indent}${name} ${typeof value === "string" ? visibleText(value) : JSON.stringify(value)}`];
  const inner = write(value, `${indent}  `, depth + 1);
  return inner.length === 0 ? [`${indent}${name} (empty)`] : [`${indent}${name}`, ...inner];
}
