import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const text = readFileSync(new URL("../ARCHITECTURE.md", import.meta.url), "utf8");

/** The numbered steps after a line, each with the functions and files it names. */
function stepsAfter(line: string): readonly (readonly (readonly [name: string, path: string])[])[] {
  const [, after = ""] = text.split(line);
  const [list = ""] = after.trimStart().split("\n\n");
  return list
    .split("\n")
    .filter((one) => /^\d+\. /.test(one))
    .map((one) => Array.from(one.matchAll(/`(\w+)` in `([\w/.-]+)`/g), ([, name = "", path = ""]) => [name, path] as const));
}

test.each([
  ["commit:\n", 10],
  ["From a gating hook to its answer:\n", 12],
] as const)("ARCHITECTURE.md names functions that exist on the way in: %j", (line, mostSteps) => {
  const steps = stepsAfter(line);
  expect(steps.length).toBeGreaterThan(5);
  expect(steps.length).toBeLessThanOrEqual(mostSteps);
  for (const step of steps) {
    expect(step).not.toEqual([]);
    for (const [name, path] of step) {
      const source = readFileSync(new URL(`../packages/${path}`, import.meta.url), "utf8");
      expect(source, `${path} has no ${name}`).toMatch(
        new RegExp(`^(?:export )?(?:async )?(?:function\\*? )?${name}[(<]|^  (?:async )?${name}\\(`, "m"),
      );
    }
  }
});

test("events reach the ledger through receive() alone", () => {
  const hub = new URL("../packages/hub/src/", import.meta.url);
  const sources = globSync("**/*.ts", { cwd: hub }).filter((path) => !/\.(test|scenario|deep|contract)\.ts$|testing\//.test(path));
  const callers = sources.filter((path) => /ledger\.append\(/.test(readFileSync(new URL(path, hub), "utf8")));
  // The hub's own entries, and the decorator that refuses events on a full disk.
  const others = ["attach/attachments.ts", "own-entries.ts", "wiring/open-record.ts"];
  expect(callers.sort()).toEqual([...others, "intake/receive.ts"].sort());
});
