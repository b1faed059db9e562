import { isObject, type JsonValue } from "@earshot/protocol/json";
import { isList } from "./json-values.ts";

const MAX_PARTS = 1000;

/** Joins a prompt or answer given as a list of parts: texts, or objects with a text under `member`. */
export function joinText(value: JsonValue, member: string): string | undefined {
  if (typeof value === "string") return value;
  if (isObject(value)) return textIn(value, member);
  if (!isList(value)) return undefined;
  const texts = value.slice(0, MAX_PARTS).flatMap((part) => (typeof part === "string" ? part : (textIn(part, member) ?? [])));
  return texts.length === 0 ? undefined : texts.join("\n");
}

function textIn(value: JsonValue, member: string): string | undefined {
  const text = isObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
  return typeof text === "string" ? text : undefined;
}

const DONE: ReadonlySet<unknown> = new Set(["completed", "done", "complete", true]);

/** Renders a to-do list as a Markdown checklist. The text of an item is in `content`, `text`, `title` or `step`. */
export function checklist(value: JsonValue): string | undefined {
  if (!isList(value)) return undefined;
  const lines = value.slice(0, MAX_PARTS).flatMap((item) => {
    if (typeof item === "string") return `- [ ] ${item}`;
    const text = ["content", "text", "title", "step"].map((name) => textIn(item, name)).find((found) => found !== undefined);
    if (text === undefined || !isObject(item)) return [];
    return `- [${DONE.has(item["status"] ?? item["done"] ?? item["completed"]) ? "x" : " "}] ${text}`;
  });
  return lines.length === 0 ? undefined : lines.join("\n");
}

/** Renders edits as removed and added lines. */
export function diffFromEdits(value: JsonValue): string | undefined {
  if (!isList(value)) return undefined;
  const blocks = value.slice(0, MAX_PARTS).flatMap((edit) => {
    const old = textIn(edit, "old_string") ?? textIn(edit, "oldString");
    const put = textIn(edit, "new_string") ?? textIn(edit, "newString");
    return old === undefined && put === undefined ? [] : [[...marked(old, "-"), ...marked(put, "+")].join("\n")];
  });
  return blocks.length === 0 ? undefined : blocks.join("\n@@\n");
}

function marked(text: string | undefined, mark: string): readonly string[] {
  return text === undefined || text === "" ? [] : text.split("\n").map((line) => mark + line);
}
