import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { aaepRecordings } from "../../testing/aaep.ts";
import { AAEP_DEFECTS } from "../../testing/aaep-defects.ts";
import { applyOften } from "../../testing/defect.ts";
import { type JsonObject, type JsonValue, readJson } from "../json.ts";
import { aaepEventSchemas } from "./events.ts";
import { aaepMessageSchemas } from "./messages.ts";
import { readTypeName } from "./names.ts";
import { readAaep } from "./read.ts";
import { AAEP_RULES, type AaepRuleId } from "./rules.ts";

/**
 * The schemas published with AAEP 1.0.0 are the oracle: whatever they reject must be an error here, except where the specification's
 * prose overrides its schemas. They are not part of this repository; AAEP_SCHEMAS names their folder.
 */
const folder = process.env["AAEP_SCHEMAS"];

/** Cases where the prose overrides the schemas: each entry states what is accepted although the published schemas reject it, and why. */
const EXCEPTIONS: readonly { readonly why: string; readonly applies: (item: JsonObject) => boolean }[] = [
  {
    why: "§3.2.2 declares the full URI of a type equal to its compact form; the schemas have the compact form as a constant",
    applies: (item) => typeof item["type"] === "string" && readTypeName(item["type"]).form === "uri",
  },
];

describe.skipIf(folder === undefined)("agreement with the published AAEP schemas (AAEP_SCHEMAS names their folder)", () => {
  const published = folder === undefined ? undefined : loadPublished(folder);

  it("finds a schema for every core type and for the five messages that have one", () => {
    for (const type of Object.keys(aaepEventSchemas)) expect(published?.get(type), type).toBeDefined();
    const messages = Object.keys(aaepMessageSchemas).filter((type) => published?.get(type) !== undefined);
    expect(messages.sort()).toEqual([
      "clarification.reply",
      "confirmation.reply",
      "subscription.accepted",
      "subscription.rejected",
      "subscription.request",
    ]);
  });

  it("accepts what our generator makes", () => {
    for (const item of fc.sample(aaepRecordings, propertyRuns()).flat()) {
      const validate = validatorFor(item);
      if (validate?.(item) === false) expect.fail(`${JSON.stringify(validate.errors)} of ${JSON.stringify(item)}`);
    }
  });

  it("rejects nothing that we accept, over every kind of defect", () => {
    const recordings = fc.sample(aaepRecordings, propertyRuns());
    let rejected = 0;
    for (const defect of AAEP_DEFECTS) {
      applyOften(defect, recordings, 10, (broken) => {
        for (const item of broken) rejected += compare(item);
      });
    }
    expect(rejected).toBeGreaterThan(300);
  });

  it("rejects nothing that we accept, over random changes of any member", () => {
    const items = fc.sample(aaepRecordings, propertyRuns()).flat();
    let rejected = 0;
    fc.assert(
      fc.property(fc.nat(items.length - 1), fc.nat(), junk, (place, which, value) => {
        rejected += compare(mutate(items[place] as JsonObject, which, value));
      }),
      { numRuns: propertyRuns(10) },
    );
    expect(rejected).toBeGreaterThan(propertyRuns());
  });

  /** Returns 1 if the published schema rejects the item; fails the test if the reader accepts it. */
  function compare(item: JsonObject): number {
    const validate = validatorFor(item);
    if (validate === undefined || validate(item)) return 0;
    if (EXCEPTIONS.some((exception) => exception.applies(item))) return 0;
    const read = readJson(JSON.stringify(item));
    if (!read.ok) return 1;
    const { findings } = readAaep(item, { ...read.facts, sizeBytes: 1, bodyHash: 0 });
    const isError = findings.some((finding) => AAEP_RULES[finding.rule as AaepRuleId].severity === "error");
    if (!isError) expect.fail(`we accept, the schema says ${JSON.stringify(validate.errors)}: ${JSON.stringify(item)}`);
    return 1;
  }

  function validatorFor(item: JsonObject) {
    const { type } = item;
    if (typeof type !== "string") return published?.get("envelope");
    const { core, form, prefix, local } = readTypeName(type);
    if (form === "message") return published?.get(type);
    if (prefix === "aaep" && local === "producer.manifest") return undefined;
    if (item["event_id"] === undefined && /^(?:subscription|confirmation|clarification)\./.test(type)) return undefined;
    // A message of an extension has no envelope and no known schema.
    if (form === "compact" && prefix !== "aaep" && item["@context"] === undefined && item["event_id"] === undefined) return undefined;
    return published?.get(core ?? "envelope");
  }
});

const junk: fc.Arbitrary<JsonValue | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom<JsonValue>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    2 ** 40,
    "",
    "x",
    "evt_1",
    "sess_1",
    "critical",
    "normal",
    "accept",
    [],
    {},
    [1],
    ["a", "a"],
    { a: 1 },
    "x".repeat(5000),
    "x".repeat(20_000),
  ),
  fc.constantFrom<JsonValue>(
    "2026-02-30T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T23:59:60Z",
    "2026-01-01T00:00:00+24:00",
    "http://[::1]:80/x",
    "http://[:::]",
    "a b",
    "urn:x:y",
    "//host",
    "http://exa mple",
    "http://x/%zz",
  ),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>,
);

/** Sets, adds or removes one member at the top level or one level down. */
function mutate(item: JsonObject, which: number, value: JsonValue | undefined): JsonObject {
  const copy = structuredClone(item) as Record<string, JsonValue | undefined>;
  const keys = [
    ...Object.keys(copy),
    "urgency",
    "sequence_number",
    "result_uri",
    "risk_level",
    "extensions",
    "manifest_uri",
    "error_uri",
    "language",
    "content_type",
    "allowed_replies",
    "choices",
  ];
  const key = keys[which % keys.length] as string;
  const member = copy[key];
  if (which % 3 === 0 && typeof member === "object" && member !== null) {
    const inner = Object.keys(member);
    const name = inner[which % Math.max(1, inner.length)] ?? "0";
    (member as Record<string, JsonValue | undefined>)[name] = value;
    if (value === undefined && !Array.isArray(member)) delete (member as Record<string, JsonValue | undefined>)[name];
  } else if (value === undefined) delete copy[key];
  else copy[key] = value;
  return JSON.parse(JSON.stringify(copy)) as JsonObject;
}

function loadPublished(path: string) {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  addFormats.default(ajv);
  const files = readdirSync(path, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".schema.json"));
  const ids = new Map<string, string>();
  for (const file of files) {
    const schema = JSON.parse(readFileSync(join(path, file), "utf8")) as { readonly $id: string };
    ajv.addSchema(schema);
    ids.set(file.split(/[\\/]/).at(-1)?.replace(".schema.json", "") ?? file, schema.$id);
  }
  return new Map([...ids].map(([name, id]) => [name, ajv.getSchema(id)]));
}
