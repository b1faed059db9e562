import { countCodePoints } from "@earshot/protocol/code-points";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { redactChunk } from "./redact-chunks.ts";
import { CANARIES, canaries, HARMLESS_TEXTS, leaks } from "./testing/redact-canaries.ts";

/** The stored chunks. */
function stream(chunks: readonly string[]): readonly string[] {
  let tail = "";
  return chunks.map((chunk) => {
    const redacted = redactChunk(tail, chunk);
    tail = redacted.tail;
    expect(tail.length).toBeLessThanOrEqual(8192);
    expect(countCodePoints(redacted.text)).toBe(countCodePoints(chunk));
    return redacted.text;
  });
}

function expectNothingOf(body: string, chunks: readonly string[]): void {
  const kept = stream(chunks);
  expect(leaks(kept.join(""), body), `${JSON.stringify(chunks)} → ${JSON.stringify(kept)}`).toBe(false);
}

describe("secrets that are split", () => {
  test.each(Object.keys(CANARIES))("%s: at every offset over two chunks", (kind) => {
    fc.assert(
      fc.property(
        CANARIES[kind] ?? canaries,
        fc.constantFrom("", "Use ", "line\n", "line\\n", "\u001b[32m", "👩 \u001b[0;1m"),
        ({ text, body }, before) => {
          const whole = `${before}${text} and go on`;
          for (let at = 0; at <= whole.length; at++) expectNothingOf(body, [whole.slice(0, at), whole.slice(at)]);
        },
      ),
      { numRuns: 20 },
    );
  });

  test.each(Object.keys(CANARIES))("%s: at every two offsets over three chunks", (kind) => {
    fc.assert(
      fc.property(CANARIES[kind] ?? canaries, ({ text, body }) => {
        const step = text.length > 120 ? 7 : 1;
        for (let one = 0; one <= text.length; one += step) {
          for (let two = one; two <= text.length; two += step) {
            expectNothingOf(body, [text.slice(0, one), text.slice(one, two), `${text.slice(two)} and go on`]);
          }
        }
      }),
      { numRuns: 1 },
    );
  });

  test("over any number of chunks, one of them for each character included", () => {
    fc.assert(
      fc.property(canaries, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }), ({ text, body }, sizes) => {
        const whole = `So: ${text} and go on`;
        const chunks: string[] = [];
        for (let at = 0, turn = 0; at < whole.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          chunks.push(whole.slice(at, at + size));
          at += size;
        }
        expectNothingOf(body, chunks);
        expectNothingOf(body, [...whole]);
      }),
      { numRuns: propertyRuns() },
    );
  });

  test.each<readonly [readonly string[], readonly string[]]>([
    [
      ["key AK", "IAIOSFODNN7EXAMPLE", " done"],
      ["key AK", "██████████████████", " done"],
    ],
    [
      ["password", " = ", '"hunter', '2!x"', " ok"],
      ["password", " = ", '"██████', '███"', " ok"],
    ],
    [
      ["postgres://ad", "min:hun", "ter2", "@db"],
      ["postgres://ad", "min:███", "████", "@db"],
    ],
    [
      ["http", "://", "localhost", ":", "300", "0", "/x"],
      ["http", "://", "localhost", ":", "300", "0", "/x"],
    ],
    [
      ["Bearer", " ", "abcdefghijkl", "mnopqrstuvw.", " Then"],
      ["Bearer", " ", "████████████", "████████████", " Then"],
    ],
    [
      ["-----BEGIN PRIV", "ATE KEY-----\nMII", "abc\n-----EN", "D PRIVATE KEY-----\nafter", " it"],
      ["-----BEGIN PRIV", "████████████████", "███████████", "██████████████████\nafter", " it"],
    ],
  ])("%j", (chunks, kept) => {
    expect(stream(chunks)).toEqual(kept);
  });

  test("which were masked up to the end of a chunk already go on in the next one", () => {
    expect(stream(["key ████", "a1B2", "c3 ok"])).toEqual(["key ████", "████", "██ ok"]);
  });

  test("end somewhere, even when nobody says so", () => {
    const line = `${"A".repeat(64)}\n`;
    expect(stream(["-----BEGIN PRIVATE KEY-----\n", ...Array.from({ length: 200 }, () => line)]).at(-1)).toBe(line);
  });
});

describe("what is no secret", () => {
  test.each(HARMLESS_TEXTS)("stays in one piece: %s", (text) => {
    expect(stream([text, " end"])).toEqual([text, " end"]);
  });

  test("stays, wherever words are cut", () => {
    const chunks = ["The ta", "sk-force and the ri", "sk-based, di", "sk-usage-1234567890-abcdefghij is fine"];
    expect(stream(chunks)).toEqual(chunks);
  });
});

describe("hostile chunks", () => {
  test.each([
    "sk-",
    "sk- ",
    "password=",
    "password= ",
    "://",
    "://a:b ",
    "-----BEGIN PRIVATE KEY-----",
    "A",
    "A_",
    "1",
    "\\",
    '"',
    "Bearer a ",
  ])("half a million characters of %j come to an end", (unit) => {
    const text = unit.repeat(500_000 / unit.length);
    expect(stream([text, text]).length).toBe(2);
  });
});
