import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import type { AskedRequest } from "./request.ts";

/** The effect of an edit on a file. */
export type InputChange =
  | { readonly kind: "edit"; readonly before: string; readonly after: string }
  /** In the agent's own format. */
  | { readonly kind: "patch"; readonly text: string };

type Edited = Pick<AskedRequest, "input" | "title">;

/** Input members shown as a change and not listed again. */
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
/** Members that hold a whole patch in some agents. */
const PATCH_MEMBERS = ["patch", "patchText", "diff", "input"];

/** All changes in an input, or none: a partial list would mislead. */
export function findInputChanges({ input, title }: Edited): readonly InputChange[] {
  const patch = patchIn(title, input);
  if (patch !== undefined) return [{ kind: "patch", text: patch }];
  if (!isObject(input)) return [];
  const edits = editsIn(input);
  const changes = edits.flatMap((edit): readonly InputChange[] => {
    const before = textOf(edit, "old_string", "old_str") ?? "";
    const after = textOf(edit, "new_string", "new_str", "content", "file_text", "new_source");
    return after === undefined ? [] : [{ kind: "edit", before, after }];
  });
  return changes.length === edits.length ? changes : [];
}

/** Whether an input member is shown as a change. */
export function isChangeMember(name: string, { input, title }: Edited): boolean {
  return CHANGE_MEMBERS.has(name) || (PATCH_MEMBERS.includes(name) && patchIn(title, input) !== undefined);
}

function editsIn(input: JsonObject): readonly JsonObject[] {
  const { edits } = input;
  if (!Array.isArray(edits)) return [input];
  return edits.map((one: JsonValue) => (isObject(one) ? one : {}));
}

function patchIn(title: string, input: JsonValue | undefined): string | undefined {
  if (!/patch|diff/i.test(title)) return undefined;
  const text = typeof input === "string" ? input : isObject(input) ? textOf(input, ...PATCH_MEMBERS) : undefined;
  return text !== undefined && /^[-+*]/m.test(text) ? text : undefined;
}

function textOf(value: JsonObject, ...names: readonly string[]): string | undefined {
  const found = names.map((name) => value[name]).find((one) => typeof one === "string");
  return typeof found === "string" ? found : undefined;
}
