import { stripVTControlCharacters } from "node:util";
import type { Io } from "@earshot/terminal/io";
import { findScreenReader } from "../listen/screen-readers.ts";

/** Columns are for eyes: in a pipe, under a screen reader and with --plain, sentences are printed. */
export async function wantsTable(io: Io, isPlain: boolean): Promise<boolean> {
  return io.terminal.out && !isPlain && (await findScreenReader()) === undefined;
}

export interface TableOptions {
  /** The maximum line length; 0 for no limit. */
  readonly width: number;
  /** The column that is cut when a line would be too long. */
  readonly cut: number;
}

const NARROWEST = 12;

/** Columns as wide as their widest cell, two spaces apart; one column is cut if the terminal is too narrow. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], { width, cut }: TableOptions): readonly string[] {
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

const SHORTEST_ID = 8;

/** The shortest unique prefix of each id, with a minimum length; commands accept any unique prefix. */
export function shortIds(ids: readonly string[]): readonly string[] {
  return ids.map((id) => {
    for (let length = SHORTEST_ID; length < id.length; length++) {
      const short = id.slice(0, length);
      if (!ids.some((other) => other !== id && other.startsWith(short))) return short;
    }
    return id;
  });
}

function lengthOf(cell: string): number {
  return [...stripVTControlCharacters(cell)].length;
}
