import { setImmediate as nextTurn } from "node:timers/promises";
import { type Problem, readJson } from "@earshot/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import type { EventPiece } from "./piece.ts";
import { type LinesOptions, readLines } from "./read-lines.ts";

const MAX_BYTES = 1 << 20;
const LINES_BODY: LinesOptions = { maxEventBytes: MAX_BYTES, batchEvents: 100, batchBytes: 1 << 20 };

async function* from(chunks: Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks;
}

async function read(chunks: readonly Buffer[], options = LINES_BODY): Promise<readonly EventPiece[]> {
  const pieces: EventPiece[] = [];
  for await (const batch of readLines(from(chunks), options)) pieces.push(...batch);
  return pieces;
}

/** A piece judged by the parser: the code of the first problem, or `ok`. */
function verdict(piece: EventPiece): "ok" | Problem["code"] {
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
  readonly verdicts: readonly Judged[];
}
function body(name: string, content: string | Buffer, ...verdicts: Judged[]): Case {
  return { name, bytes: typeof content === "string" ? Buffer.from(content) : content, verdicts };
}

/** How bytes become lines is tested in line-splitter.test.ts. */
describe("an NDJSON body", () => {
  const LINES: readonly Case[] = [
    body("CRLF and blank lines", '\ufeff{"a":1}\r\n\r\n \n{"é":"🎧"}\r\n', "ok", "ok"),
    body("empty", "", "NOT_JSON"),
    body("blank", "\n \r\n", "NOT_JSON"),
  ];
  test.each(LINES)("$name", async ({ bytes, verdicts }) => {
    const whole = await read([bytes]);
    expect(whole.map(verdict)).toEqual(verdicts);
    if (bytes.length < 100_000) for (const chunks of cuts(bytes)) expect(await read(chunks)).toEqual(whole);
  });

  test("gives the same pieces however it is cut, and every batch is bounded", async () => {
    const tokens = ["[", "]", "{", "}", '"', "\\", " ", "\n", "\r\n", "1", "é", "🎧", "\ufeff", '{"a":1}', '{"b":"x"},'];
    const bodies = fc.array(fc.constantFrom(...tokens.map((text) => Buffer.from(text)), Buffer.from([0xff])), { maxLength: 40 });
    const options = fc.record({
      maxEventBytes: fc.integer({ min: 1, max: 30 }),
      batchEvents: fc.integer({ min: 1, max: 4 }),
      batchBytes: fc.integer({ min: 1, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(bodies, fc.array(fc.nat(80), { maxLength: 4 }), options, async (parts, places, settings) => {
        const bytes = Buffer.concat(parts);
        const ends = [...places.sort((a, b) => a - b), bytes.length];
        const chunks = ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
        expect(await read(chunks, settings)).toEqual(await read([bytes], settings));
        for await (const pieces of readLines(from(chunks), settings)) {
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
    for await (const pieces of readLines(endless(), LINES_BODY)) {
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
    for await (const pieces of readLines(from([huge]), LINES_BODY)) sizes.push(pieces.length);
    expect(sizes).toEqual([...Array.from({ length: 1000 }, () => 100), 50]);
  });

  test("a batch that is not full is handed over when the sender pauses", async () => {
    const pause = Promise.withResolvers<void>();
    async function* talk(): AsyncGenerator<Buffer> {
      yield Buffer.from('{"a":1}\n{"b"');
      await pause.promise;
      yield Buffer.from(":2}\n");
    }
    const batches = readLines(talk(), LINES_BODY);
    expect((await batches.next()).value).toMatchObject([{ text: '{"a":1}' }]);
    pause.resolve();
    expect((await batches.next()).value).toMatchObject([{ text: '{"b":2}' }]);
    expect(await batches.next()).toMatchObject({ done: true });
  });

  test("what arrived before a failure is handed over before it is thrown", async () => {
    async function* fail(): AsyncGenerator<Buffer> {
      yield Buffer.from('{"a":1}\n{"b"');
      throw new Error("connection lost");
    }
    const batches = readLines(fail(), LINES_BODY);
    expect((await batches.next()).value).toMatchObject([{ text: '{"a":1}' }]);
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
    for await (const _ of readLines(endless(), { ...LINES_BODY, patienceMs: 1 })) break;
    expect(isClosed).toBe(true);
  });
});
