import type { Asked } from "@earshot/hub";
import { isObject, type JsonValue } from "@earshot/protocol/json";

/** A place in an input that can be changed by hand. */
export interface Leaf {
  /** RFC 6901. */
  readonly pointer: string;
  /** The same for people: "edits 1 old_string". */
  readonly name: string;
  readonly value: string | number | boolean;
  /** Holds a masked secret: what is shown is not what is there. */
  readonly isMasked: boolean;
}

export type Edit = readonly { readonly pointer: string; readonly value: JsonValue }[];

const MAX_LEAVES = 40;
const DEEPEST = 8;

/** Moments at which the agent takes another input in place of its own. */
const EDITABLE = new Set(["action", "permission"]);

/** What can be edited; none where the card does not allow it. */
export function leavesOf({ kind, input, masked = [], facts }: Asked, answers: readonly string[]): readonly Leaf[] {
  if (kind !== "permission" || !answers.includes("allow") || !EDITABLE.has(String(facts["moment"] ?? "action"))) return [];
  const leaves: Leaf[] = [];
  const isMasked = (pointer: string) => masked.some((mark) => isWithin(mark.pointer, pointer) || isWithin(pointer, mark.pointer));
  const visit = (value: JsonValue, pointer: string, names: readonly string[]) => {
    if (leaves.length >= MAX_LEAVES || names.length > DEEPEST) return;
    if (Array.isArray(value)) for (const [index, one] of value.entries()) visit(one, `${pointer}/${index}`, [...names, String(index + 1)]);
    else if (isObject(value)) {
      for (const [name, one] of Object.entries(value)) {
        if (one !== undefined) visit(one, `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, [...names, name]);
      }
    } else if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      leaves.push({ pointer, name: names.join(" "), value, isMasked: isMasked(pointer) });
  };
  if (input !== undefined) visit(input, "", []);
  return leaves;
}

/** What was changed, from what stands in the fields. A text that is no number stays what it was, and is told. */
export function editOf(leaves: readonly Leaf[], fields: Readonly<Record<string, string | boolean>>): Edit | { readonly wrong: string } {
  const edit: { pointer: string; value: JsonValue }[] = [];
  for (const { pointer, name, value, isMasked } of leaves) {
    const field = fields[pointer];
    if (field === undefined || isMasked || field === value) continue;
    if (typeof value !== "number" || typeof field !== "string") edit.push({ pointer, value: field });
    else if (!/^-?\d{1,15}(?:\.\d{1,15})?$/.test(field.trim())) return { wrong: `${name} takes a number.` };
    else if (Number(field) !== value) edit.push({ pointer, value: Number(field) });
  }
  return edit;
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}
