import { type Edited, placeOf, styleOf } from "./text-style.ts";
import { readTomlText } from "./toml-text.ts";

/** The lines between which everything is Earshot's. */
const BEGIN = "# >>> earshot: written by `earshot init`, taken away by `earshot remove`";
const END = "# <<< earshot";

export type TomlTable = Readonly<Record<string, string | number | boolean>>;

/** Puts a list of tables to the end, marked. Lists of tables may stand in several places of a file. */
export function addToToml(text: string, list: string, tables: readonly TomlTable[]): Edited {
  const reading = readTomlText(text);
  if (!reading.ok) return { ok: false, why: `it is not TOML: ${reading.why} at ${placeOf(text, reading.at)}` };
  let inRoot = true;
  for (const { kind, first, name, start } of reading.statements) {
    const isTaken = (kind === "value" && inRoot && first === list) || (kind === "table" && name === list);
    if (isTaken) return { ok: false, why: `${list} is no list of tables there (${placeOf(text, start)})` };
    if (kind !== "value") inRoot = false;
  }
  const { eol } = styleOf(text);
  const block = [
    BEGIN,
    ...tables.flatMap((table, index) => [...(index === 0 ? [] : [""]), `[[${list}]]`, ...linesOf(table)]),
    END,
    "",
  ].join(eol);
  const gap = text === "" || text === "\uFEFF" ? "" : text.endsWith("\n") ? eol : `${eol}${eol}`;
  return { ok: true, text: `${text}${gap}${block}` };
}

/** Takes the marked lines out, with the empty line that was put before them. */
export function removeFromToml(text: string): Edited {
  const begin = text.indexOf(BEGIN);
  if (begin < 0) return { ok: true, text };
  const end = text.indexOf(END, begin);
  if (end < 0) return { ok: false, why: `the mark \`${END}\` is missing, so that nobody can say where Earshot's lines end` };
  const after = end + END.length;
  const rest = text.slice(after).replace(/^\r?\n/, "");
  const before = text.slice(0, begin).replace(/(\r?\n)\r?\n$/, "$1");
  return { ok: true, text: `${before}${rest}` };
}

/** What stands between the marks; undefined when there is nothing of Earshot's. */
export function ownToml(text: string): string | undefined {
  const begin = text.indexOf(BEGIN);
  const end = begin < 0 ? -1 : text.indexOf(END, begin);
  return end < 0 ? undefined : text.slice(begin, end + END.length).replaceAll("\r\n", "\n");
}

function linesOf(table: TomlTable): readonly string[] {
  return Object.entries(table).map(([key, value]) => `${key} = ${typeof value === "string" ? quoted(value) : value}`);
}

/** JSON's escapes are TOML's, but for the slash, which JSON.stringify does not escape, and DEL. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007F");
}
