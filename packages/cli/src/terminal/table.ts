import { stripVTControlCharacters } from "node:util";
import type { CommandIo } from "@earshot/terminal/io";
import { findScreenReader } from "../listen/screen-readers.ts";

/** The option of every command that prints a list. */
export const PLAIN_OPTION = {
  plain: { type: "boolean", default: false, about: "sentences instead of a table; the default without a terminal" },
} as const;

/** Columns are for eyes: in a pipe, under a screen reader and with --plain, sentences are printed. */
export async function wantsTable(io: CommandIo, isPlain: boolean): Promise<boolean> {
  return io.terminal.out && !isPlain && (await findScreenReader()) === undefined;
}

/** A list as a table with one row per item, or as the sentences of each item. */
export interface Listing<Item> {
  readonly items: readonly Item[];
  readonly columns: readonly string[];
  /** Index of the column that is cut where the terminal is too narrow. */
  readonly cut: number;
  readonly rowOf: (item: Item, index: number) => readonly string[];
  readonly sentencesOf: (item: Item, index: number) => readonly string[];
}

export async function listLines<Item>(io: CommandIo, isPlain: boolean, listing: Listing<Item>): Promise<readonly string[]> {
  const { items, columns, cut, rowOf, sentencesOf } = listing;
  if (items.length === 0) return [];
  if (!(await wantsTable(io, isPlain))) return items.flatMap(sentencesOf);
  return tableLines(columns, items.map(rowOf), { width: io.terminal.width, cut });
}

export interface TableOptions {
  /** The maximum line length; 0 for no limit. */
  readonly width: number;
  /** The column that is cut when a line would be too long. */
  readonly cut: number;
}

const NARROWEST = 12;

/** Columns as wide as their widest cell, two spaces apart; one column is cut if the terminal is too narrow. */
export function tableLines(head: readonly string[], rows: readonly (readonly string[])[], { width, cut }: TableOptions): readonly string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => lengthOf(row[column] ?? ""))));
  const total = widths.reduce((sum, one) => sum + one + 2, -2);
  const room = Math.max(NARROWEST, (widths[cut] ?? 0) - Math.max(0, total - width));
  if (width > 0) widths[cut] = Math.min(widths[cut] ?? 0, room);
  return all.map((row) =>
    row
      .map((cell, column) => {
        const most = widths[column] ?? 0;
        const shown = lengthOf(cell) > most ? `${[...cell].slice(0, most - 1).join("")}…` : cell;
        return shown + " ".repeat(Math.max(0, most - lengthOf(shown)));
      })
      .join("  ")
      .trimEnd(),
  );
}

const RANDOM_ID = /^([A-Za-z]{1,16}[_-])?(?:[0-9a-f-]{16,}|[0-9A-Za-z]{16,})$/i;
const RANDOM_CHARACTERS = 8;

/** The beginning of a random id; an id of words stays whole. A command takes any beginning that only one session has. */
export function shortenId(id: string): string {
  return shortIds([id])[0] ?? id;
}

/** The shortest unique prefix of each id, with a minimum length; commands accept any unique prefix. */
export function shortIds(ids: readonly string[]): readonly string[] {
  return ids.map((id) => {
    const random = RANDOM_ID.exec(id);
    if (random === null) return id;
    for (let length = (random[1] ?? "").length + RANDOM_CHARACTERS; length < id.length; length++) {
      const short = id.slice(0, length);
      if (!ids.some((other) => other !== id && other.startsWith(short))) return short;
    }
    return id;
  });
}

function lengthOf(cell: string): number {
  return [...stripVTControlCharacters(cell)].length;
}
