import { type Edited, lineAndColumnOf, styleOf } from "./text-style.ts";

/** Everything between these lines is Earshot's. */
const BEGIN = "# >>> earshot: written by `earshot init`, taken away by `earshot remove`";
const END = "# <<< earshot";

export type TomlTable = Readonly<Record<string, string | number | boolean>>;

/** Appends tables between marks. An array of tables may be split across a file. */
export function addToToml(text: string, list: string, tables: readonly TomlTable[]): Edited {
  const reading = readTomlText(text);
  if (!reading.ok) return { ok: false, why: `it is not TOML: ${reading.why} at ${lineAndColumnOf(text, reading.at)}` };
  let inRoot = true;
  for (const { kind, first, name, start } of reading.statements) {
    const isTaken = (kind === "value" && inRoot && first === list) || (kind === "table" && name === list);
    if (isTaken) return { ok: false, why: `${list} is not an array of tables (${lineAndColumnOf(text, start)})` };
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

/** Removes the marked lines and the blank line before them. */
export function removeFromToml(text: string): Edited {
  const begin = text.indexOf(BEGIN);
  if (begin < 0) return { ok: true, text };
  const end = text.indexOf(END, begin);
  if (end < 0) return { ok: false, why: `the mark \`${END}\` is missing, and the end of Earshot's lines is unknown` };
  const after = end + END.length;
  const rest = text.slice(after).replace(/^\r?\n/, "");
  const before = text.slice(0, begin).replace(/(\r?\n)\r?\n$/, "$1");
  return { ok: true, text: `${before}${rest}` };
}

/** The text between the marks; undefined if there is none. */
export function ownToml(text: string): string | undefined {
  const begin = text.indexOf(BEGIN);
  const end = begin < 0 ? -1 : text.indexOf(END, begin);
  return end < 0 ? undefined : text.slice(begin, end + END.length).replaceAll("\r\n", "\n");
}

function linesOf(table: TomlTable): readonly string[] {
  return Object.entries(table).map(([key, value]) => `${key} = ${typeof value === "string" ? quoted(value) : value}`);
}

/** JSON escapes are valid in TOML, except that JSON.stringify leaves DEL unescaped. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007F");
}

/** One TOML statement: a table header, or a key with its value. */
export interface TomlStatement {
  readonly kind: "table" | "list" | "value";
  /** The name before the first dot. */
  readonly first: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

export type TomlReading =
  | { readonly ok: true; readonly statements: readonly TomlStatement[] }
  | { readonly ok: false; readonly at: number; readonly why: string };

const STRING = /"""[\s\S]*?(?<!\\)(?:\\\\)*"""|'''[\s\S]*?'''|"(?:[^"\\\r\n]|\\[^\r\n])*"|'[^'\r\n]*'/y;
const KEY = /(?:[\w-]+|"(?:[^"\\\r\n]|\\[^\r\n])*"|'[^'\r\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|"(?:[^"\\\r\n]|\\[^\r\n])*"|'[^'\r\n]*'))*/y;
const BLANKS = /(?:[ \t\r\n]|#[^\r\n]*)*/y;
const SPACE = /[ \t]*/y;
const REST = /[ \t]{0,1000}(?:#[^\r\n]*)?(?:\r?\n|$)/y;
const PLAIN =
  /(?:true|false|[+-]?(?:inf|nan|0x[\da-fA-F_]+|0o[0-7_]+|0b[01_]+)|[+-]?\d[\d_]*(?:\.[\d_]+)?(?:[eE][+-]?[\d_]+)?|\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d:\d\d(?:\.\d+)?)(?![\w.:+-])/y;

/** Splits a text into statements: enough to validate it as TOML and to find a place for new tables. */
export function readTomlText(text: string): TomlReading {
  const statements: TomlStatement[] = [];
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const takeValue = (depth: number): boolean => {
    if (depth > 50) return false;
    const first = text[at];
    if (first === '"' || first === "'") return take(STRING) !== undefined;
    if (first !== "[" && first !== "{") return take(PLAIN) !== undefined;
    const close = first === "[" ? "]" : "}";
    at++;
    for (;;) {
      take(BLANKS);
      if (text[at] === close) return ++at > 0;
      if (first === "{" && (take(KEY) === undefined || take(SPACE) === undefined || text[at++] !== "=" || take(SPACE) === undefined))
        return false;
      if (!takeValue(depth + 1)) return false;
      take(BLANKS);
      if (text[at] === ",") at++;
      else if (text[at] !== close) return false;
    }
  };
  for (;;) {
    take(BLANKS);
    if (at >= text.length) return { ok: true, statements };
    const start = at;
    const opening = take(/\[\[?[ \t]*/y)?.trim();
    const name = take(KEY);
    if (name === undefined) return { ok: false, at, why: "a name was expected" };
    take(SPACE);
    if (opening !== undefined) {
      const close = opening === "[[" ? "]]" : "]";
      if (!text.startsWith(close, at)) return { ok: false, at, why: `${close} was expected` };
      at += close.length;
    } else {
      if (text[at] !== "=") return { ok: false, at, why: "= was expected" };
      at++;
      take(SPACE);
      if (!takeValue(0)) return { ok: false, at, why: "a value was expected" };
    }
    const end = at;
    if (take(REST) === undefined) return { ok: false, at, why: "the line should end here" };
    const first = /^(?:[\w-]+|"[^"]*"|'[^']*')/.exec(name)?.[0]?.replaceAll(/^["']|["']$/g, "") ?? name;
    statements.push({ kind: opening === undefined ? "value" : opening === "[[" ? "list" : "table", first, name, start, end });
  }
}
