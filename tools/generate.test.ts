import { readFileSync } from "node:fs";
import { PROBLEMS, PROTOCOLS, type ProtocolName } from "@earshot/protocol";
import { EXAMPLES } from "@earshot/protocol/examples";
import { SCHEMAS, schemaDocument } from "@earshot/protocol/schemas";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { Checker } from "../packages/cli/src/check/checker.ts";
import { filesBelow, GENERATED_FOLDERS, generatedFiles } from "./generate.ts";

describe("generated files", () => {
  const files = generatedFiles();

  it("are committed as the code makes them (npm run generate brings them up to date)", () => {
    const stale = [...files].filter(([path, content]) => readFileSync(path, "utf8") !== content).map(([path]) => path);
    expect(stale).toEqual([]);
  });

  it("have no leftovers beside them", () => {
    expect(GENERATED_FOLDERS.flatMap((folder) => filesBelow(folder)).filter((path) => !files.has(path))).toEqual([]);
  });
});

describe("the rule catalogue", () => {
  for (const [name, protocol] of Object.entries(PROTOCOLS)) {
    it(`${name}: every rule has a sentence, a hint, a section, triggers and both examples`, () => {
      for (const [id, rule] of Object.entries(protocol.rules)) {
        expect(id).toMatch(new RegExp(`^${name}/[a-z0-9]+(-[a-z0-9]+)*$`));
        expect(rule.title, id).toMatch(/\.$/);
        expect(rule.hint.length, id).toBeGreaterThan(8);
        expect(rule.section, id).not.toBe("");
        expect(rule.exercisedBy.length > 0, id).toBe(rule.decided !== "live");
        expect(EXAMPLES[id], id).toBeDefined();
      }
    });
  }

  it("has no example of a rule that does not exist", () => {
    const known = Object.values(PROTOCOLS).flatMap((protocol) => Object.keys(protocol.rules));
    expect(Object.keys(EXAMPLES).filter((id) => !known.includes(id))).toEqual([]);
  });

  it("is told by the code nowhere under a name that is not in it", () => {
    const known = new Set(Object.values(PROTOCOLS).flatMap((protocol) => Object.keys(protocol.rules)));
    const sources = filesBelow("packages/protocol/src").filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"));
    const cited = sources.flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/"((?:aaep|aep|aop)\/[a-z][a-z0-9-]*)"/g)].map((match) => match[1] ?? ""),
    );
    expect([...new Set(cited)].filter((id) => !known.has(id) && !["aop/1"].includes(id))).toEqual([]);
    for (const id of known) expect(cited, id).toContain(id);
  });
});

describe("the problem codes", () => {
  it("stand in docs/errors.md, each of them, and no other", () => {
    const documented = [...readFileSync("docs/errors.md", "utf8").matchAll(/^\| `([A-Z0-9_]+)`/gm)].map((match) => match[1]);
    expect(documented).toEqual(Object.keys(PROBLEMS));
  });
});

describe("the emitted JSON Schemas", () => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false, strictRequired: false });
  for (const protocol of Object.keys(SCHEMAS) as ProtocolName[]) {
    for (const name of Object.keys(SCHEMAS[protocol])) {
      it(`${protocol} ${name} compiles in a strict Ajv`, () => {
        expect(() => ajv.compile(schemaDocument(protocol, name))).not.toThrow();
      });
    }
  }
});

interface Fixture {
  readonly file: string;
  readonly expect: "valid" | "invalid";
  readonly rule?: string;
  readonly severity?: string;
}

describe("the conformance fixtures", () => {
  const { fixtures } = JSON.parse(readFileSync("conformance/manifest.json", "utf8")) as { readonly fixtures: readonly Fixture[] };

  it("are all told apart by the checker, as their manifest says", () => {
    for (const fixture of fixtures) {
      const checker = new Checker({ file: fixture.file, protocol: "auto", measureCoverage: false, baseline: [] });
      const lines = readFileSync(`conformance/${fixture.file}`, "utf8").trimEnd().split("\n");
      for (const [index, line] of lines.entries()) checker.hear(line, index + 1, line.length);
      const { counts, problems } = checker.end();
      if (fixture.expect === "valid") expect(counts.error, `${fixture.file}: ${JSON.stringify(problems[0])}`).toBe(0);
      else
        expect(
          problems.map((problem) => `${problem.severity} ${problem.rule}`),
          fixture.file,
        ).toContain(`${fixture.severity} ${fixture.rule}`);
    }
    expect(fixtures.length).toBeGreaterThan(400);
  });
});
