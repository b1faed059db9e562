import type { Asked } from "@earshot/hub";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import { visibleLines } from "./visible-text.ts";

const MOST_LINES = 200;
/** Lines around a change that stay the same and are shown for orientation. */
const AROUND = 2;

/** Whether the input is an edit, told as a change; its members are then not listed again. */
export const CHANGE_MEMBERS: ReadonlySet<string> = new Set([
  "old_string",
  "new_string",
  "edits",
  "content",
  "file_text",
  "old_str",
  "new_str",
]);

/** What an edit would do to a file: `-` goes, `+` comes. None where the input is no edit. */
export function changeLines({ input }: Pick<Asked, "input">): readonly string[] {
  if (!isObject(input)) return [];
  const edits = (Array.isArray(input["edits"]) ? input["edits"] : [input]).filter((one: JsonValue) =>
    isObject(one),
  ) as readonly JsonObject[];
  const lines = edits.flatMap((edit, index) => {
    const [before, after] = [textOf(edit, "old_string", "old_str"), textOf(edit, "new_string", "new_str", "content", "file_text")];
    if (after === undefined) return [];
    const heading = edits.length > 1 ? [`Change ${index + 1} of ${edits.length}:`] : [];
    return [...heading, ...difference(before === undefined || before === "" ? [] : visibleLines(before), visibleLines(after))];
  });
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES), `[${(lines.length - MOST_LINES).toLocaleString("en")} more lines of the change]`];
}

/** Whatever stands at both ends of both is the same, and only its edge is shown. */
function difference(before: readonly string[], after: readonly string[]): readonly string[] {
  const shorter = Math.min(before.length, after.length);
  let top = 0;
  while (top < shorter && before[top] === after[top]) top++;
  let bottom = 0;
  while (bottom < shorter - top && before[before.length - 1 - bottom] === after[after.length - 1 - bottom]) bottom++;
  const same = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
  return [
    ...same(before.slice(Math.max(0, top - AROUND), top)),
    ...before.slice(top, before.length - bottom).map((line) => `- ${line}`),
    ...after.slice(top, after.length - bottom).map((line) => `+ ${line}`),
    ...same(before.slice(before.length - bottom, before.length - Math.max(0, bottom - AROUND))),
  ];
}

function textOf(value: JsonObject, ...names: readonly string[]): string | undefined {
  const found = names.map((name) => value[name]).find((one) => typeof one === "string");
  return typeof found === "string" ? found : undefined;
}
