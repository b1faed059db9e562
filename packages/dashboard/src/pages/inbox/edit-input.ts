import type { AskedCard } from "@earshot/hub";
import { isObject, type JsonValue } from "@earshot/protocol/json";

/** A value in an input that can be edited. */
export interface EditableValue {
  /** RFC 6901. */
  readonly pointer: string;
  /** Readable form of the pointer: "edits 1 old_string". */
  readonly name: string;
  readonly value: string | number | boolean;
  /** Contains a masked secret: the displayed text differs from the real value. */
  readonly isMasked: boolean;
}

export type InputEdit = readonly { readonly pointer: string; readonly value: JsonValue }[];

const MAX_LEAVES = 40;
const DEEPEST = 8;

/** Request kinds in which the agent accepts an input that replaces its own. */
const EDITABLE = new Set(["action", "permission"]);

/** Returns the editable values; empty if the card does not allow edits. */
export function editableValuesOf({ kind, input, masked = [], facts }: AskedCard, answers: readonly string[]): readonly EditableValue[] {
  if (kind !== "permission" || !answers.includes("allow") || !EDITABLE.has(String(facts["moment"] ?? "action"))) return [];
  const leaves: EditableValue[] = [];
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

/** Returns the edit that results from the fields. A text that is not a valid number keeps the old value and is reported. */
export function editOf(
  leaves: readonly EditableValue[],
  fields: Readonly<Record<string, string | boolean>>,
): InputEdit | { readonly wrong: string } {
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
