import { appendFileSync, mkdirSync } from "node:fs";
import { appendFile, mkdir, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Appends, and creates the folder if another process has delivered and removed it. */
export async function appendToSegment(path: string, text: string): Promise<void> {
  try {
    await appendFile(path, text, { mode: PRIVATE_FILE });
  } catch {
    await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
    await appendFile(path, text, { mode: PRIVATE_FILE });
  }
}

export function appendToSegmentNow(path: string, text: string): void {
  try {
    appendFileSync(path, text, { mode: PRIVATE_FILE });
  } catch {
    mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
    appendFileSync(path, text, { mode: PRIVATE_FILE });
  }
}

/** Reads a file of lines in pieces and removes it when all are settled. A line torn by a crash is skipped. */
export class SegmentReader {
  readonly path: string;
  readonly #lines: readonly string[];
  #done = 0;

  private constructor(path: string, lines: readonly string[]) {
    this.path = path;
    this.#lines = lines;
  }

  /** Has no lines when another process has delivered the file. */
  static async open(path: string): Promise<SegmentReader> {
    const text = await readFile(path, "utf8").catch(() => "");
    return new SegmentReader(
      path,
      text.split("\n").filter((line) => line.startsWith("{") && line.endsWith("}")),
    );
  }

  get isDone(): boolean {
    return this.#done >= this.#lines.length;
  }

  next(limit: number): readonly string[] {
    return this.#lines.slice(this.#done, this.#done + limit);
  }

  skip(count: number): void {
    this.#done += count;
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true }).catch(() => {}); // the hub recognises what it is sent again
  }
}
