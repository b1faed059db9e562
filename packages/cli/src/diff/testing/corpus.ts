import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Every recording of the conformance corpus, the invalid ones too. */
export const CORPUS: readonly string[] = ["aaep", "aep", "aop"].flatMap((protocol) =>
  ["valid", "invalid"].flatMap((kind) => {
    const folder = join("conformance", protocol, kind);
    return readdirSync(folder)
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => join(folder, name));
  }),
);

export function linesIn(file: string): readonly string[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}
