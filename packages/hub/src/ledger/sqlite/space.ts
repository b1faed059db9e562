import type { DatabaseSync } from "node:sqlite";
import type { Space } from "../ledger.ts";
import { writeBackSome } from "./write-back.ts";

const SHORT_MS = 2;
const LONG_MS = 5;
const FEWEST_PAGES = 4;
const MOST_PAGES = 512;
/** So much stays free in the file: new entries go there at once, and the file need not grow again. */
const SPARE_PAGES = 256;

export function spaceOf(db: DatabaseSync): Space {
  const pageBytes = pragma(db, "page_size");
  const freeBytes = pragma(db, "freelist_count") * pageBytes;
  return { fileBytes: pragma(db, "page_count") * pageBytes, freeBytes };
}

/**
 * Moves pages from the end of the file to where others were freed, and shortens it, in steps of a few milliseconds. Yields the
 * number of bytes given back so far. The file itself becomes shorter when the log is written back.
 */
export function* giveBack(db: DatabaseSync): Generator<number, number> {
  if (pragma(db, "auto_vacuum") !== INCREMENTAL) return 0; // can be chosen only when a file is made
  const pageBytes = pragma(db, "page_size");
  const before = pragma(db, "page_count");
  const given = () => (before - pragma(db, "page_count")) * pageBytes;
  for (let pages = FEWEST_PAGES; ; ) {
    const free = pragma(db, "freelist_count") - SPARE_PAGES;
    if (free <= 0) return given();
    const began = performance.now();
    db.exec(`PRAGMA incremental_vacuum(${Math.min(pages, free)})`);
    const tookMs = performance.now() - began;
    if (tookMs > LONG_MS) pages = Math.max(FEWEST_PAGES, pages >> 1);
    else if (tookMs < SHORT_MS) pages = Math.min(MOST_PAGES, pages << 1);
    yield given();
    if (writeBackSome(db)) yield given();
  }
}

const INCREMENTAL = 2;

function pragma(db: DatabaseSync, name: "page_size" | "page_count" | "freelist_count" | "auto_vacuum"): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}
