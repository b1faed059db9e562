import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Checker } from "../check/checker.ts";
import { buildTrace } from "./build-trace.ts";
import { FORMATS, renderTrace } from "./render.ts";
import { isWellFormed } from "./testing/well-formed.ts";

interface Manifest {
  readonly fixtures: readonly { readonly file: string; readonly expect: "valid" | "invalid"; readonly rule?: string }[];
}

const { fixtures } = JSON.parse(readFileSync("conformance/manifest.json", "utf8")) as Manifest;
const LAYOUT = { width: 80, colour: false };

/** Where `earshot check` finds the rule broken. */
function checkedLines(path: string, rule: string): readonly number[] {
  const checker = new Checker({ file: path, protocol: "auto", measureCoverage: false, baseline: [] });
  const lines = readFileSync(path, "utf8").split("\n");
  lines.forEach((line, index) => {
    if (line !== "") checker.hear(line, index + 1, Buffer.byteLength(line));
  });
  return checker
    .end()
    .problems.filter((problem) => problem.rule === rule)
    .map(({ line }) => line);
}

describe("the conformance corpus", () => {
  it("has recordings to draw", () => expect(fixtures.length).toBeGreaterThan(500));

  for (const protocol of ["aaep", "aep", "aop"]) {
    const own = fixtures.filter(({ file }) => file.startsWith(`${protocol}/`));

    it(`is drawn in every format, for ${protocol}`, async () => {
      for (const { file } of own) {
        const trace = await buildTrace(`conformance/${file}`, { title: file });
        for (const format of FORMATS) {
          for (const isWatched of [true, false]) {
            const text = renderTrace(trace, format, { ...LAYOUT, isWatched });
            expect(text.endsWith("\n"), `${file} as ${format}`).toBe(true);
            expect(text, `${file} as ${format}`).not.toMatch(/\bNaN\b|\bundefined\b|\[object |Infinity/);
            if (format === "svg") expect(isWellFormed(text), file).toBe(true);
          }
        }
      }
    });

    it(`has every expected rule marked at the event that breaks it, for ${protocol}`, async () => {
      for (const { file, rule } of own.filter((fixture) => fixture.expect === "invalid")) {
        if (rule === undefined) throw new Error(`${file} names no rule`);
        const trace = await buildTrace(`conformance/${file}`, { title: file });
        const marked = trace.violations.filter((violation) => violation.rule === rule && violation.section !== undefined);
        expect(
          marked.map(({ line }) => line),
          file,
        ).toEqual(checkedLines(`conformance/${file}`, rule));
        expect(marked.length, file).toBeGreaterThan(0);
        expect(
          marked.every(({ at, line }) => at?.line === line),
          file,
        ).toBe(true);
      }
    });
  }
});
