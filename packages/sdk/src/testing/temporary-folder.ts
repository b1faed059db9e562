import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function disposableFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "earshot-sdk-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Lines that look like events to the spool. */
export function someLines(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `{"n":${from + index}}`);
}
