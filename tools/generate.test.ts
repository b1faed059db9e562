import { readFileSync } from "node:fs";
import { isObject, type JsonObject, type JsonValue, PROBLEMS, PROTOCOLS, type ProtocolName } from "@earshot/protocol";
import { SCHEMAS } from "@earshot/protocol/schemas";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { compileShape } from "../packages/protocol/src/schema.ts";
import { CONFORMANCE_CASES } from "../packages/protocol/testing/conformance.ts";
import { findInputs } from "../packages/recordings/src/check/inputs.ts";
import { runCheck } from "../packages/recordings/src/check/run.ts";
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
        for (const example of Object.values(rule.examples())) expect("told" in example, id).toBe(rule.decided === "live");
      }
    });
  }

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

describe.each(Object.keys(SCHEMAS) as ProtocolName[])("the published JSON Schema of %s", (protocol) => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false, strictRequired: false });
  ajv.addSchema(JSON.parse(readFileSync(`packages/protocol/schemas/${protocol}.schema.json`, "utf8")) as object);
  const definitions = Object.entries(SCHEMAS[protocol]).map(([name, schema]) => ({
    name,
    published: ajv.getSchema(`urn:earshot:schema:${protocol}#/$defs/${name}`) ?? expect.fail(`There is no definition ${name}.`),
    used: compileShape(schema),
  }));

  it("accepts and rejects in each definition what the schema in the code does", () => {
    const verdicts = { accepted: 0, rejected: 0 };
    const compare = (item: JsonValue) => {
      for (const { name, published, used } of definitions) {
        const isAccepted = published(item);
        if (isAccepted !== used.check(item))
          expect.fail(`${name}, published: ${isAccepted}, used: ${!isAccepted}: ${JSON.stringify(item)}`);
        verdicts[isAccepted ? "accepted" : "rejected"]++;
      }
    };
    const events = CONFORMANCE_CASES.filter((one) => one.protocol === protocol).flatMap(({ recording }) => recording);
    for (const event of events) compare(event);
    // One event of each type with each member missing, null, empty and of another type, down to the second level.
    for (const event of new Map(events.filter(isObject).map((one) => [one["type"], one])).values()) changedOnce(event, 2).forEach(compare);
    expect(verdicts.accepted).toBeGreaterThan(500);
    expect(verdicts.rejected).toBeGreaterThan(5000);
  });
});

function changedOnce(event: JsonObject, depth: number): JsonObject[] {
  return Object.entries(event).flatMap(([member, value]) => {
    const { [member]: _removed, ...rest } = event;
    const others: readonly JsonValue[] = [null, "", "x", 0, -1, true, [], {}, [{}], ["x"]];
    const deeper = depth > 1 && isObject(value) ? changedOnce(value, depth - 1) : [];
    return [rest, ...[...others, ...deeper].map((other) => ({ ...event, [member]: other }))];
  });
}

describe("the conformance documents", () => {
  it("have only cases that the checker judges as they expect", async () => {
    const options = { protocol: "auto", level: undefined, strict: false, requireCoverage: false, baseline: [] } as const;
    const { report } = await runCheck(await findInputs(["conformance"]), process.stdin, options);
    expect(report.files.flatMap(({ problems }) => problems)).toEqual([]);
    expect(report.files.reduce((sum, { cases }) => sum + (cases?.total ?? 0), 0)).toBe(CONFORMANCE_CASES.length);
    expect(CONFORMANCE_CASES.length).toBeGreaterThan(500);
  });

  it("name each case once", () => {
    expect(new Set(CONFORMANCE_CASES.map(({ id }) => id)).size).toBe(CONFORMANCE_CASES.length);
  });
});
