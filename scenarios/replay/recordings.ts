import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

export type Body = Readonly<Record<string, unknown>>;

export const ROLLBACK = resolve("packages/cli/recordings/rollback.aaep.jsonl");

export function saveLines(path: string, lines: readonly string[]): string {
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

export function linesOf(path: string): readonly string[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

export function parsed(lines: readonly string[]): readonly Body[] {
  return lines.map((line) => JSON.parse(line) as Body);
}

export async function eventually<Value>(look: () => Promise<Value> | Value, holds: (value: Value) => boolean): Promise<Value> {
  for (let turn = 0; ; turn++) {
    const value = await look();
    if (holds(value)) return value;
    if (turn > 1200) throw new Error(`In vain: ${JSON.stringify(value)?.slice(0, 1000)}`);
    await new Promise((later) => setTimeout(later, 50));
  }
}
