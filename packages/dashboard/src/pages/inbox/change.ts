import type { Asked } from "@earshot/hub";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import { type DiffLine, diffLines } from "../../content/line-diff.ts";

/** What an edit would do to a file: every line of it, since who decides has to see all. */
export interface Change {
  readonly title: string | undefined;
  readonly lines: readonly DiffLine[];
  readonly gone: number;
  readonly added: number;
}

/** Members of an input that are told as a change, and need not be listed again. */
const CHANGE_MEMBERS: ReadonlySet<string> = new Set([
  "old_string",
  "new_string",
  "old_str",
  "new_str",
  "edits",
  "content",
  "file_text",
  "new_source",
]);
/** Members that hold a whole patch, as some agents write them. */
const PATCH_MEMBERS = ["patch", "patchText", "diff", "input"];

const MOST_LINES = 2000;

/** The changes in an input; none where it is no edit. */
export function changesIn({ input, title }: Pick<Asked, "input" | "title">): readonly Change[] {
  const patch = patchIn(title, input);
  if (patch !== undefined) return [toChange(undefined, patchLines(patch))];
  if (!isObject(input)) return [];
  const edits = editsIn(input);
  const changes = edits.flatMap((edit, index) => {
    const before = textOf(edit, "old_string", "old_str") ?? "";
    const after = textOf(edit, "new_string", "new_str", "content", "file_text", "new_source");
    const heading = edits.length > 1 ? `Change ${index + 1} of ${edits.length}` : undefined;
    return after === undefined ? [] : [toChange(heading, diffLines(before, after))];
  });
  return changes.length === edits.length ? changes : []; // what is told in part only is better told as it is
}

/** Whether a member of the input is shown as a change, where there is one. */
export function isToldAsChange(name: string, { input, title }: Pick<Asked, "input" | "title">): boolean {
  return CHANGE_MEMBERS.has(name) || (PATCH_MEMBERS.includes(name) && patchIn(title, input) !== undefined);
}

function editsIn(input: JsonObject): readonly JsonObject[] {
  const { edits } = input;
  if (!Array.isArray(edits)) return [input];
  return edits.map((one: JsonValue) => (isObject(one) ? one : {}));
}

function toChange(title: string | undefined, lines: readonly DiffLine[]): Change {
  const more = lines.length - MOST_LINES;
  const cut: DiffLine = { kind: "skip", text: `${more.toLocaleString("en")} more lines of the change` };
  return {
    title,
    lines: more > 0 ? [...lines.slice(0, MOST_LINES), cut] : lines,
    gone: lines.filter(({ kind }) => kind === "gone").length,
    added: lines.filter(({ kind }) => kind === "new").length,
  };
}

function patchIn(title: string, input: JsonValue | undefined): string | undefined {
  if (!/patch|diff/i.test(title)) return undefined;
  const text = typeof input === "string" ? input : isObject(input) ? textOf(input, ...PATCH_MEMBERS) : undefined;
  return text !== undefined && /^[-+*]/m.test(text) ? text : undefined;
}

/** All of it, also the lines that name files: one that is deleted has no others. */
function patchLines(text: string): readonly DiffLine[] {
  return text.split(/\r?\n/).map((line): DiffLine => {
    if (/^(?:\+\+\+|---|\*\*\*|@@)/.test(line)) return { kind: "skip", text: line };
    if (line.startsWith("+")) return { kind: "new", text: line.slice(1) };
    if (line.startsWith("-")) return { kind: "gone", text: line.slice(1) };
    return { kind: "same", text: line.replace(/^ /, "") };
  });
}

function textOf(value: JsonObject, ...names: readonly string[]): string | undefined {
  const found = names.map((name) => value[name]).find((one) => typeof one === "string");
  return typeof found === "string" ? found : undefined;
}
