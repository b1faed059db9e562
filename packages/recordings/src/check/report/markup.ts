import { plainText } from "@earshot/terminal/plain-text";

/** Text that is already HTML or XML. Only the functions of this file create it, so no unescaped text reaches a page. */
export interface Markup {
  readonly markup: string;
}

export type MarkupPart = string | number | Markup | readonly Markup[];

/**
 * A template that safely fills every placeholder, in content and in quoted attributes, for HTML and XML 1.0. Strings are made plain
 * (which also removes characters that XML forbids) and escaped; only markup made by this template is inserted unchanged.
 */
export function markup(strings: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  return { markup: strings.reduce((text, string, index) => text + toMarkupText(parts[index - 1]) + string) };
}

/** Preserves line breaks; each line is made plain separately. */
export function markupLines(lines: readonly string[]): Markup {
  return { markup: lines.map(escapeMarkup).join("\n") };
}

/** Joins the parts of one sentence without separators. */
export function joinMarkup(parts: readonly Markup[]): Markup {
  return { markup: parts.map(({ markup }) => markup).join("") };
}

export const EMPTY_MARKUP: Markup = { markup: "" };

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function toMarkupText(part: MarkupPart | undefined): string {
  if (part === undefined) return "";
  if (typeof part === "string") return escapeMarkup(part);
  if (typeof part === "number") return String(part);
  return "markup" in part ? part.markup : part.map(({ markup }) => markup).join("\n");
}

function escapeMarkup(text: string): string {
  return plainText(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
