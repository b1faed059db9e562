import { EarshotError, isObject, type JsonValue } from "@earshot/protocol";

/** Changes to an input: each puts a value where the pointer leads (RFC 6901). The place must be there. */
export type Edit = readonly { readonly pointer: string; readonly value: JsonValue }[];

/** What stands for a secret in what is shown. */
export interface MaskedPlace {
  /** Into the input. */
  readonly pointer: string;
}

/**
 * An edited input: the changes applied to what the agent really sent, which whoever made them did not see whole. Nothing that
 * was masked may be touched, nor anything around it: what is shown there is not what is there.
 */
export function applyEdit(input: JsonValue, edit: Edit, masked: readonly MaskedPlace[]): JsonValue {
  let edited = input;
  for (const { pointer, value } of edit) {
    if (masked.some((mark) => isWithin(mark.pointer, pointer) || isWithin(pointer, mark.pointer)))
      throw invalid(pointer, "This part holds a masked secret and cannot be edited.");
    edited = replaceAt(edited, pathOf(pointer), value, pointer);
  }
  return edited;
}

function replaceAt(input: JsonValue, [first, ...rest]: readonly string[], value: JsonValue, pointer: string): JsonValue {
  if (first === undefined) return value;
  if (Array.isArray(input)) {
    const list: readonly JsonValue[] = input;
    const index = /^(?:0|[1-9]\d{0,9})$/.test(first) ? Number(first) : Number.NaN;
    const known = list[index];
    if (known === undefined) throw invalid(pointer, "There is nothing at this place of the input.");
    return list.with(index, replaceAt(known, rest, value, pointer));
  }
  const known = isObject(input) && Object.hasOwn(input, first) ? input[first] : undefined;
  if (!isObject(input) || known === undefined) throw invalid(pointer, "There is nothing at this place of the input.");
  return { ...input, [first]: replaceAt(known, rest, value, pointer) };
}

function pathOf(pointer: string): readonly string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) throw invalid(pointer, "A pointer is empty or begins with a slash.");
  const path = pointer.slice(1).split("/");
  return path.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Whether one place is the other or lies inside it. */
function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}

function invalid(pointer: string, message: string): EarshotError {
  return new EarshotError({ code: "ANSWER_INVALID", message, pointer: `/edit${pointer}` });
}
