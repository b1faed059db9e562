import { setImmediate as nextTurn } from "node:timers/promises";
import { type Problem, readJson } from "@earshot/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { type BodyOptions, readBody, readSingle } from "./body.ts";
import type { Batch } from "./body-splitter.ts";
import type { Piece } from "./piece.ts";

const MAX_BYTES = 1 << 20;
const JSON_BODY: BodyOptions = { layout: "json", maxEventBytes: MAX_BYTES, batchEvents: 100, batchBytes: 1 << 20 };
const LINES_BODY: BodyOptions = { ...JSON_BODY, layout: "lines" };

async function* from(chunks: Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks;
}

async function read(chunks: readonly Buffer[], options: BodyOptions): Promise<{ layout: Batch["layout"]; pieces: Piece[] }> {
  const batches: Batch[] = [];
  for await (const batch of readBody(from(chunks), options)) batches.push(batch);
  const layouts = new Set(batches.map(({ layout }) => layout));
  expect(layouts.size).toBe(1); // every body is answered, and a body has one layout
  return { layout: [...layouts][0] as Batch["layout"], pieces: batches.flatMap(({ pieces }) => pieces) };
}

/** The text of a piece as the parser judges it: the code of the first problem, or `ok`. */
function verdict(piece: Piece): "ok" | Problem["code"] {
  if ("problem" in piece) return piece.problem.code;
  const reading = readJson(piece.text);
  return reading.ok ? "ok" : reading.problem.code;
}

function cuts(bytes: Buffer): Buffer[][] {
  const two = Array.from({ length: Math.min(bytes.length, 200) + 1 }, (_, cut) => [bytes.subarray(0, cut), bytes.subarray(cut)]);
  return [[bytes], ...two, ...(bytes.length > 1000 ? [] : [Array.from(bytes, (byte) => Buffer.from([byte]))])];
}

type Judged = "ok" | Problem["code"];
interface Case {
  readonly name: string;
  readonly bytes: Buffer;
  readonly layout: Batch["layout"];
  readonly verdicts: readonly Judged[];
}
function body(name: string, content: string | Buffer, layout: Batch["layout"], ...verdicts: Judged[]): Case {
  return { name, bytes: typeof content === "string" ? Buffer.from(content) : content, layout, verdicts };
}

const BODIES: readonly Case[] = [
  body("an object", '{"a":1}', "single", "ok"),
  body("an object over several lines", '\n{\r\n  "a": 1\n}\n', "single", "ok"),
  body("an object after a byte order mark", '\ufeff{"a":"é"}', "single", "ok"),
  body("an array after a byte order mark", '\ufeff [{"a":"é"}]', "array", "ok"),
  body("two byte order marks", '\ufeff\ufeff{"a":1}', "single", "NOT_JSON"),
  body("half a byte order mark", Buffer.from([0xef, 0xbb]), "single", "NOT_UTF8"),
  body("nothing but a byte order mark", "\ufeff", "single", "NOT_JSON"),
  body("empty", "", "single", "NOT_JSON"),
  body("white space", " \r\n\t", "single", "NOT_JSON"),
  body("null", "null", "single", "ok"), // JSON, hence text to judge; that it is no object is found by whoever reads it
  body("a string", '"x"', "single", "ok"),
  body("a number", "123", "single", "ok"),
  body("true", "true", "single", "ok"),
  body("an empty array", "[]", "array", "NOT_AN_OBJECT"),
  body("an empty array with white space", " [\n] \n", "array", "NOT_AN_OBJECT"),
  body("truncated JSON", '{"a":', "single", "NOT_JSON"),
  body("a truncated array", '[{"a":1},{"b":', "array", "ok", "NOT_JSON"),
  body("a truncated array, between values", '[{"a":1},{"b":2}', "array", "ok", "ok", "NOT_JSON"),
  body("trailing garbage", '{"a":1}}', "single", "NOT_JSON"),
  body("two objects", '{"a":1}\n{"b":2}', "single", "NOT_JSON"),
  body("trailing garbage after an array", '[{"a":1}] x', "array", "ok", "NOT_JSON"),
  body("trailing objects after an array", '[{"a":1}]{"b":2},{"c":3}', "array", "ok", "NOT_JSON"),
  body("a comma for each byte", `[${",".repeat(900)}]`, "array", "NOT_JSON"),
  body("a comment", '// hello\n{"a":1}', "single", "NOT_JSON"),
  body("NaN", '{"a":NaN}', "single", "NOT_JSON"),
  body("NaN in an array", '[NaN,{"a":1}]', "array", "NOT_JSON", "ok"),
  body("single quotes", "{'a':1}", "single", "NOT_JSON"),
  body("not UTF-8", Buffer.from('{"a":"\xff"}', "latin1"), "single", "NOT_UTF8"),
  body("UTF-16", Buffer.from('\ufeff{"a":1}', "utf16le"), "single", "NOT_UTF8"),
  body("not UTF-8 in an array", Buffer.from('[{"a":"\xff"},{"a":1}]', "latin1"), "array", "NOT_UTF8", "ok"),
  body("nested 100,000 deep", '{"a":'.repeat(100_000) + "}".repeat(100_000), "single", "JSON_TOO_DEEP"),
  body("an array nested 100,000 deep", "[".repeat(100_000) + "]".repeat(100_000), "array", "JSON_TOO_DEEP"),
  body("an array of open brackets", "[".repeat(100_000), "array", "NOT_JSON"),
  body("larger than the limit", `{"a":"${"x".repeat(MAX_BYTES)}"}`, "single", "TOO_LARGE"),
  body("an element larger than the limit", `[1,{"a":"${"x".repeat(MAX_BYTES)}"},2]`, "array", "ok", "TOO_LARGE", "ok"),
  body("duplicate keys", '{"decision":"reject","decision":"accept"}', "single", "JSON_DUPLICATE_KEY"),
];

describe("a JSON body", () => {
  test.each(BODIES)("$name", async ({ bytes, layout, verdicts }) => {
    const whole = await read([bytes], JSON_BODY);
    expect(whole.layout).toBe(layout);
    expect(whole.pieces.map(verdict)).toEqual(verdicts);
    if (layout === "array" && verdicts[0] !== "NOT_AN_OBJECT") expect(whole.pieces.map(({ index }) => index)).toEqual([...verdicts.keys()]);
    for (const piece of whole.pieces) if ("problem" in piece) expect(piece.problem.message).toMatch(/^[A-Z].*\.$/);
    expect(readSingle(bytes, MAX_BYTES)).toEqual(layout === "single" ? whole.pieces[0] : undefined);
    if (bytes.length < 100_000) for (const chunks of cuts(bytes)) expect(await read(chunks, JSON_BODY)).toEqual(whole);
  });

  test("the limit is the same on the short way and on the long one", async () => {
    for (const text of ['{"a":1}', '{"a":1}\n', ' {"a":1}', ' {"a":12}', '{"é":1}', '{"a":1}  ', "1".repeat(9)]) {
      const bytes = Buffer.from(text);
      for (const chunks of cuts(bytes)) {
        expect((await read(chunks, { ...JSON_BODY, maxEventBytes: 8 })).pieces).toEqual([readSingle(bytes, 8)]);
      }
    }
  });

  test("a refused body shows its head and its whole size", () => {
    const piece = readSingle(Buffer.alloc(2 * MAX_BYTES, "x"), MAX_BYTES);
    expect(piece).toMatchObject({ sizeBytes: 2 * MAX_BYTES, problem: { message: "The event has more than 1,048,576 bytes." } });
    expect(piece && "head" in piece && piece.head.length).toBe(4096);
  });

  test("elements are numbered by line and index", async () => {
    const { pieces } = await read([Buffer.from('\n[ 1,\n2, "🎧"\n]')], JSON_BODY);
    expect(pieces).toEqual([
      { line: 2, index: 0, text: "1", sizeBytes: 1 },
      { line: 3, index: 1, text: "2", sizeBytes: 1 },
      { line: 3, index: 2, text: '"🎧"', sizeBytes: 6 },
    ]);
  });
});

describe("an NDJSON body", () => {
  const LINES: readonly Case[] = [
    body("one line", '{"a":1}', "lines", "ok"),
    body("CRLF and blank lines", '\ufeff{"a":1}\r\n\r\n \n{"é":"🎧"}\r\n', "lines", "ok", "ok"),
    body("empty", "", "lines", "NOT_JSON"),
    body("blank", "\n \r\n", "lines", "NOT_JSON"),
    body("a truncated last line", '{"a":1}\n{"b":', "lines", "ok", "NOT_JSON"),
    body("a line that is not UTF-8", Buffer.from('1\n"\xff"\n3', "latin1"), "lines", "ok", "NOT_UTF8", "ok"),
    body("a JSON array, which is one line", "[1,2]", "lines", "ok"),
    body("a line too long", `1\n"${"x".repeat(MAX_BYTES)}"\n3`, "lines", "ok", "TOO_LARGE", "ok"),
  ];
  test.each(LINES)("$name", async ({ bytes, layout, verdicts }) => {
    const whole = await read([bytes], LINES_BODY);
    expect(whole.layout).toBe(layout);
    expect(whole.pieces.map(verdict)).toEqual(verdicts);
    if (bytes.length < 100_000) for (const chunks of cuts(bytes)) expect(await read(chunks, LINES_BODY)).toEqual(whole);
  });

  test("one bad line of 1,000 is named, and 999 are heard", async () => {
    const lines = Array.from({ length: 1000 }, (_, index) => (index === 499 ? '{"n":' : `{"n":${index}}`));
    const { pieces } = await read([Buffer.from(lines.join("\n"))], LINES_BODY);
    expect(pieces.filter((piece) => verdict(piece) === "ok")).toHaveLength(999);
    expect(pieces.find((piece) => verdict(piece) !== "ok")?.line).toBe(500);
  });
});

describe("any body", () => {
  test("gives the same pieces however it is cut, and every batch is bounded", async () => {
    const tokens = ["[", "]", "{", "}", ",", ":", '"', "\\", " ", "\n", "\r\n", "1", "null", "é", "🎧", "\ufeff", '{"a":1}', '{"b":"x"},'];
    const bodies = fc.array(fc.constantFrom(...tokens.map((text) => Buffer.from(text)), Buffer.from([0xff])), { maxLength: 40 });
    const options = fc.record({
      layout: fc.constantFrom("json" as const, "lines" as const),
      maxEventBytes: fc.integer({ min: 1, max: 30 }),
      batchEvents: fc.integer({ min: 1, max: 4 }),
      batchBytes: fc.integer({ min: 1, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(bodies, fc.array(fc.nat(80), { maxLength: 4 }), options, async (parts, places, settings) => {
        const bytes = Buffer.concat(parts);
        const ends = [...places.sort((a, b) => a - b), bytes.length];
        const chunks = ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
        const whole = await read([bytes], settings);
        expect(await read(chunks, settings)).toEqual(whole);
        if (whole.layout === "single") expect([readSingle(bytes, settings.maxEventBytes)]).toEqual(whole.pieces);
        for await (const { pieces } of readBody(from(chunks), settings)) {
          expect(pieces.length).toBeGreaterThan(0);
          expect(pieces.length).toBeLessThanOrEqual(settings.batchEvents);
        }
      }),
      { numRuns: propertyRuns() },
    );
  });
});

describe("reading in step with the consumer", () => {
  const chunk = Buffer.from('{"a":1}\n'.repeat(100));

  test("while the consumer works on a batch, nothing is read", async () => {
    let given = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      for (given = 1; ; given++) yield chunk;
    }
    let taken = 0;
    for await (const { pieces } of readBody(endless(), LINES_BODY)) {
      expect(pieces).toHaveLength(100);
      taken++;
      const before = given;
      for (let turn = 0; turn < 5; turn++) await nextTurn();
      expect(given).toBe(before);
      expect(given).toBe(taken);
      if (taken === 20) break;
    }
  });

  test("one huge chunk still becomes batches", async () => {
    const sizes: number[] = [];
    const huge = Buffer.from('{"a":1}\n'.repeat(100_050));
    for await (const { pieces } of readBody(from([huge]), LINES_BODY)) sizes.push(pieces.length);
    expect(sizes).toEqual([...Array.from({ length: 1000 }, () => 100), 50]);
  });

  test("a batch that is not full is handed over when the sender pauses", async () => {
    const pause = Promise.withResolvers<void>();
    async function* talk(): AsyncGenerator<Buffer> {
      yield Buffer.from('{"a":1}\n{"b"');
      await pause.promise;
      yield Buffer.from(":2}\n");
    }
    const batches = readBody(talk(), LINES_BODY);
    expect((await batches.next()).value).toMatchObject({ layout: "lines", pieces: [{ text: '{"a":1}' }] });
    pause.resolve();
    expect((await batches.next()).value).toMatchObject({ layout: "lines", pieces: [{ text: '{"b":2}' }] });
    expect(await batches.next()).toMatchObject({ done: true });
  });

  test("what arrived before a failure is handed over before it is thrown", async () => {
    async function* fail(): AsyncGenerator<Buffer> {
      yield Buffer.from('{"a":1}\n{"b"');
      throw new Error("connection lost");
    }
    const batches = readBody(fail(), LINES_BODY);
    expect((await batches.next()).value).toMatchObject({ pieces: [{ text: '{"a":1}' }] });
    for (let turn = 0; turn < 3; turn++) await nextTurn(); // a failure nobody awaits yet must not end the process
    await expect(batches.next()).rejects.toThrow("connection lost");
  });

  test("a consumer that leaves closes the stream", async () => {
    let isClosed = false;
    async function* endless(): AsyncGenerator<Buffer> {
      try {
        for (;;) yield chunk;
      } finally {
        isClosed = true;
      }
    }
    for await (const _ of readBody(endless(), { ...LINES_BODY, idleMs: 1000 })) break;
    expect(isClosed).toBe(true);
  });

  test("a sender that falls silent fails with BODY_TIMEOUT, after what it said", async () => {
    async function* silent(): AsyncGenerator<Buffer> {
      yield Buffer.from("1\n2");
      await new Promise(() => {});
    }
    const fire: (() => void)[] = [];
    const startTimer = (callback: () => void) => {
      fire.push(callback);
      return () => {};
    };
    const batches = readBody(silent(), { ...LINES_BODY, idleMs: 5000, startTimer });
    expect((await batches.next()).value).toMatchObject({ pieces: [{ text: "1" }] });
    fire.at(-1)?.();
    await expect(batches.next()).rejects.toMatchObject({ problem: { code: "BODY_TIMEOUT" } });
  });
});
