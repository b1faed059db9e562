import type { Problem } from "@earshot/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { REFUSED_HEAD_BYTES } from "./held-bytes.ts";
import { LineSplitter } from "./line-splitter.ts";

interface Found {
  readonly line: number;
  readonly sizeBytes: number;
  readonly text?: string;
  readonly code?: Problem["code"];
  readonly head?: string;
}

function split(chunks: readonly Buffer[], maxBytes = 1000): Found[] {
  const found: Found[] = [];
  const splitter = new LineSplitter(
    {
      handle: (text, line, sizeBytes) => found.push({ line, text, sizeBytes }),
      refuse: ({ code }, line, head, sizeBytes) => found.push({ line, code, head: head.toString("latin1"), sizeBytes }),
    },
    { maxBytes },
  );
  for (const chunk of chunks) splitter.write(chunk);
  splitter.end();
  return found;
}

const latin1 = (text: string) => Buffer.from(text, "latin1");
const heard = (line: number, text: string): Found => ({ line, text, sizeBytes: Buffer.byteLength(text) });
const refused = (line: number, code: Problem["code"], head: string, sizeBytes = head.length): Found => ({ line, code, head, sizeBytes });

const CASES: readonly (readonly [string, Buffer, readonly Found[]])[] = [
  ["nothing", Buffer.from(""), []],
  ["blank lines only", Buffer.from("\n \r\n\t\n"), []],
  ["a last line without a line break", Buffer.from("{}\n[]"), [heard(1, "{}"), heard(2, "[]")]],
  ["CRLF", Buffer.from("{}\r\n\r\n1\r\n"), [heard(1, "{}"), heard(3, "1")]],
  ["blanks around", Buffer.from(" \t{} \t\n"), [heard(1, "{}")]],
  ["blank lines between", Buffer.from("1\n\n\n2\n"), [heard(1, "1"), heard(4, "2")]],
  ["characters of two, three and four bytes", Buffer.from('"é"\n"€"\n"🎧"\n'), [heard(1, '"é"'), heard(2, '"€"'), heard(3, '"🎧"')]],
  ["one line that is not UTF-8", latin1("1\n\xff\xfe\n3\n"), [heard(1, "1"), refused(2, "NOT_UTF8", "\xff\xfe"), heard(3, "3")]],
  ["a character cut off by the end of its line", latin1("\xe2\x82\n1"), [refused(1, "NOT_UTF8", "\xe2\x82"), heard(2, "1")]],
  ["exactly as long as allowed", Buffer.from("12345678\n1"), [heard(1, "12345678"), heard(2, "1")]],
  ["exactly as long as allowed, with CRLF", Buffer.from("12345678\r\n1\r\n"), [heard(1, "12345678"), heard(2, "1")]],
  ["one byte too long", Buffer.from("123456789\n1"), [refused(1, "TOO_LARGE", "123456789"), heard(2, "1")]],
  ["one byte too long, with CRLF", Buffer.from("123456789\r\n1"), [refused(1, "TOO_LARGE", "123456789\r"), heard(2, "1")]],
  ["too long, without an end", Buffer.from("1\n1234567890"), [heard(1, "1"), refused(2, "TOO_LARGE", "1234567890")]],
];

describe("LineSplitter", () => {
  test.each(CASES)("%s, cut at any two places", (_, bytes, expected) => {
    expect(split([bytes], 8)).toEqual(expected);
    for (let first = 0; first <= bytes.length; first++) {
      for (let second = first; second <= bytes.length; second++) {
        expect(split([bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)], 8)).toEqual(expected);
      }
    }
    expect(
      split(
        Array.from(bytes, (byte) => Buffer.from([byte])),
        8,
      ),
    ).toEqual(expected); // and byte by byte
  });

  test.each([9, 5000, 100_000])("a line of %i bytes is refused with its head and its whole size, however it arrives", (sizeBytes) => {
    const bytes = Buffer.concat([Buffer.alloc(sizeBytes, "x"), Buffer.from("\n1\n")]);
    const expected = [refused(1, "TOO_LARGE", "x".repeat(Math.min(sizeBytes, REFUSED_HEAD_BYTES)), sizeBytes), heard(2, "1")];
    for (const chunkBytes of [1, 7, 4096, 65_536, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
        bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
      );
      expect(split(chunks, 8)).toEqual(expected);
    }
  });

  test("a limit between the head and the line keeps the head alone", () => {
    const line = "x".repeat(10_000);
    const expected = [refused(1, "TOO_LARGE", line.slice(0, REFUSED_HEAD_BYTES), 10_000)];
    expect(split([Buffer.from(line)], 6000)).toEqual(expected);
    expect(split([Buffer.from(line.slice(0, 5000)), Buffer.from(line.slice(5000))], 6000)).toEqual(expected);
  });

  test("any bytes give the same lines, however they are cut", () => {
    const tokens = ["\n", "\r", " ", "\t", "{", "}", '"', "a", "é", "🎧"].map((text) => Buffer.from(text));
    const bytes = fc.array(fc.constantFrom(...tokens, latin1("\xff")), { maxLength: 60 });
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(60), { maxLength: 5 }), fc.integer({ min: 1, max: 12 }), (parts, cuts, maxBytes) => {
        const whole = Buffer.concat(parts);
        const places = [0, ...cuts.sort((a, b) => a - b), whole.length];
        const chunks = places.slice(1).map((end, index) => whole.subarray(places[index], end));
        expect(split(chunks, maxBytes)).toEqual(split([whole], maxBytes));
      }),
      { numRuns: propertyRuns() },
    );
  });
});
