import { type Problem, readJson } from "@earshot/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EventPiece } from "./piece.ts";
import { type BodyLayout, splitJson } from "./split-array.ts";

const MAX_BYTES = 1 << 20;

/** A piece judged by the parser: the code of the first problem, or `ok`. */
function verdict(piece: EventPiece): "ok" | Problem["code"] {
  if ("problem" in piece) return piece.problem.code;
  const reading = readJson(piece.text);
  return reading.ok ? "ok" : reading.problem.code;
}

type Judged = "ok" | Problem["code"];
interface Case {
  readonly name: string;
  readonly bytes: Buffer;
  readonly layout: BodyLayout;
  readonly verdicts: readonly Judged[];
}
function body(name: string, content: string | Buffer, layout: BodyLayout, ...verdicts: Judged[]): Case {
  return { name, bytes: typeof content === "string" ? Buffer.from(content) : content, layout, verdicts };
}

/** Invalid single events are tested in http/bad-bodies.test.ts. */
const BODIES: readonly Case[] = [
  body("an object", '{"a":1}', "single", "ok"),
  body("an object over several lines", '\n{\r\n  "a": 1\n}\n', "single", "ok"),
  body("an object after a byte order mark", '\ufeff{"a":"é"}', "single", "ok"),
  body("an array after a byte order mark", '\ufeff [{"a":"é"}]', "array", "ok"),
  body("two byte order marks", '\ufeff\ufeff{"a":1}', "single", "NOT_JSON"),
  body("half a byte order mark", Buffer.from([0xef, 0xbb]), "single", "NOT_UTF8"),
  body("nothing but a byte order mark", "\ufeff", "single", "NOT_JSON"),
  body("empty", "", "single", "NOT_JSON"),
  body("an empty array", "[]", "array", "NOT_AN_OBJECT"),
  body("an empty array with white space", " [\n] \n", "array", "NOT_AN_OBJECT"),
  body("not UTF-8", Buffer.from('{"a":"\xff"}', "latin1"), "single", "NOT_UTF8"),
  body("an array nested 100,000 deep", "[".repeat(100_000) + "]".repeat(100_000), "array", "JSON_TOO_DEEP"),
  body("an array of open brackets", "[".repeat(100_000), "array", "NOT_JSON"),
  body("larger than the limit", `{"a":"${"x".repeat(MAX_BYTES)}"}`, "single", "TOO_LARGE"),
];

test.each(BODIES)("a JSON body: $name", ({ bytes, layout, verdicts }) => {
  const whole = splitJson(bytes, MAX_BYTES);
  expect(whole.layout).toBe(layout);
  expect(whole.pieces.map(verdict)).toEqual(verdicts);
  if (layout === "array" && verdicts[0] !== "NOT_AN_OBJECT") expect(whole.pieces.map(({ index }) => index)).toEqual([...verdicts.keys()]);
  for (const piece of whole.pieces) if ("problem" in piece) expect(piece.problem.message).toMatch(/^[A-Z].*\.$/);
});

test("a refused body shows its head and its whole size", () => {
  const [piece] = splitJson(Buffer.alloc(2 * MAX_BYTES, "x"), MAX_BYTES).pieces;
  expect(piece).toMatchObject({ sizeBytes: 2 * MAX_BYTES, problem: { message: "The event has more than 1,048,576 bytes." } });
  expect(piece && "head" in piece && piece.head.length).toBe(4096);
});

/** A value as its text; a refusal as code, line and head. */
type Found = string | readonly [Problem["code"], number, string];
const broken = (line: number, head: string): Found => ["NOT_JSON", line, head];

const STRICT: readonly (readonly [string, string, readonly Found[]])[] = [
  ["objects", '[{"a":1},{"b":[2]}]', ['{"a":1}', '{"b":[2]}']],
  ["values that are no objects", '[null, "x", 123, true, []]', ["null", '"x"', "123", "true", "[]"]],
  ["brackets and quotes in strings", '[{"a":"]}\\"[{"},{"b":"\\\\"}]', ['{"a":"]}\\"[{"}', '{"b":"\\\\"}']],
  ["characters of several bytes", '[{"é":"€"},"🎧"]', ['{"é":"€"}', '"🎧"']],
  ["white space of all kinds", '\r\n [\t{"a" : 1 }\r\n,\n 2 ] \n', ['{"a" : 1 }', "2"]],
  ["an inner object where values begin", '[\n{"a":\n{"b":1}},\n{"c":2}\n]', ['{"a":\n{"b":1}}', '{"c":2}']],
  ["a line break in a string, which the parser refuses", '[{"a":"x\ny"},{"b":1}]', ['{"a":"x\ny"}', '{"b":1}']],
  ["line breaks in a string, which count as lines", '[{"a":"x\\\ny\nz"},\n1 2]', ['{"a":"x\\\ny\nz"}', "1", broken(4, "2]")]],
  ["words that are no JSON, which the parser refuses", "[NaN,'x',1]", ["NaN", "'x'", "1"]],
  ["an array cut off after a value", '[{"a":1}', ['{"a":1}', broken(1, "")]],
  ["an array cut off after a comma", '[{"a":1},', ['{"a":1}', broken(1, "")]],
  ["an array cut off in a value", '[{"a":1},\n{"b":', ['{"a":1}', broken(2, '{"b":')]],
  ["an array cut off in a string", '[1,"abc', ["1", broken(1, '"abc')]],
  ["an array cut off in a number", "[1,12", ["1", broken(1, "12")]],
  ["an array cut off at once", "[", [broken(1, "")]],
  ["a missing comma", "[1 2,3]", ["1", broken(1, "2,3]")]],
  ["two commas", "[1,,2]", ["1", broken(1, ",2]")]],
  ["a comma at the end", "[1,\n]", ["1", broken(2, "]")]],
  ["a comma at the beginning", "[,1]", [broken(1, ",1]")]],
  ["a value after the array", '[1] {"a":1}', ["1", broken(1, '{"a":1}')]],
  ["another array after the array", "[1]\n[2]", ["1", broken(2, "[2]")]],
  ["a bracket too many", "[1]]", ["1", broken(1, "]")]],
  ["a comment", "[1, // one\n2]", ["1", "//", broken(1, "one\n2]")]],
];

describe("an array", () => {
  const split = (bytes: Buffer, maxBytes = 1000) =>
    splitJson(bytes, maxBytes).pieces.map((piece): Found => {
      return "text" in piece ? piece.text : [piece.problem.code, piece.line, piece.head.toString("latin1")];
    });

  test.each(STRICT)("is cut into its elements, up to damage: %s", (_, text, expected) => {
    expect(split(Buffer.from(text))).toEqual(expected);
  });

  test("has elements that are numbered by line and index", () => {
    expect(splitJson(Buffer.from('\n[ 1,\n2, "🎧"\n]'), MAX_BYTES).pieces).toEqual([
      { line: 2, index: 0, text: "1", sizeBytes: 1 },
      { line: 3, index: 1, text: "2", sizeBytes: 1 },
      { line: 3, index: 2, text: '"🎧"', sizeBytes: 6 },
    ]);
  });

  test("refuses an element over the limit, or not UTF-8, alone", () => {
    const bytes = Buffer.from('[{"a":1},{"a":12},"\xff",12345678,123456789]', "latin1");
    const large = ["TOO_LARGE", 1, "123456789"];
    expect(split(bytes, 8)).toEqual(['{"a":1}', '{"a":12}', ["NOT_UTF8", 1, '"\xff"'], "12345678", large]);
  });

  test("has elements that are kept as they were written", () => {
    fc.assert(
      fc.property(fc.array(fc.json(), { minLength: 1 }), (elements) => {
        expect(split(Buffer.from(`[${elements.map((one) => one.trim()).join(" ,\n")}]`), MAX_BYTES)).toEqual(
          elements.map((one) => one.trim()),
        );
      }),
    );
  });

  test("of any bytes comes to an end, with at least one piece", () => {
    const tokens = ["[", "]", "{", "}", ",", ":", '"', "\\", " ", "\n", "\r\n", "1", "null", "é", "🎧", "\ufeff", '{"a":1}', '{"b":"x"},'];
    const bodies = fc.array(fc.constantFrom(...tokens.map((text) => Buffer.from(text)), Buffer.from([0xff])), { maxLength: 40 });
    fc.assert(
      fc.property(bodies, (parts) => {
        expect(splitJson(Buffer.concat([Buffer.from("["), ...parts]), 30).pieces.length).toBeGreaterThan(0);
      }),
    );
  });
});
