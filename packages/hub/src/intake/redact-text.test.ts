import { countCodePoints } from "@earshot/protocol/code-points";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { findSecrets, WINDOW_CHARACTERS } from "./redact-find.ts";
import { redactText } from "./redact-text.ts";
import { CANARIES, canaries, HARMLESS_TEXTS, leaks, SURROUNDINGS } from "./testing/redact-canaries.ts";

describe("secrets in a text", () => {
  test.each(Object.keys(CANARIES))("%s: found wherever it stands", (kind) => {
    fc.assert(
      fc.property(CANARIES[kind] ?? canaries, fc.constantFrom(...SURROUNDINGS), ({ text, body }, [before, after]) => {
        const whole = before + text + after;
        const redacted = redactText(whole);
        expect(leaks(redacted.text, body), redacted.text).toBe(false);
        expect(countCodePoints(redacted.text)).toBe(countCodePoints(whole));
        expect(redacted.text.startsWith(before) && redacted.text.endsWith(after)).toBe(true);
        expect(redactText(redacted.text)).toEqual({ text: redacted.text, shapes: [] });
      }),
      { numRuns: 100 },
    );
  });

  test("are found where they are written as JSON, also inside a string inside a string", () => {
    fc.assert(
      fc.property(canaries, fc.constantFrom(...SURROUNDINGS), fc.integer({ min: 1, max: 3 }), ({ text, body }, [before, after], times) => {
        let whole = before + text + after;
        for (let time = 0; time < times; time++) whole = JSON.stringify({ output: whole });
        const redacted = redactText(whole);
        expect(leaks(redacted.text, body), redacted.text).toBe(false);
        expect(countCodePoints(redacted.text)).toBe(countCodePoints(whole));
      }),
      { numRuns: propertyRuns() },
    );
  });

  test("are found in a long text, also where one scan ends and the next begins", () => {
    fc.assert(
      fc.property(canaries, fc.integer({ min: -600, max: 100 }), ({ text, body }, distance) => {
        const whole = `${"so it goes ".repeat(5000).slice(0, WINDOW_CHARACTERS + distance)} ${text} ${"and goes on ".repeat(3000)}`;
        expect(leaks(redactText(whole).text, body), text).toBe(false);
      }),
      { numRuns: propertyRuns() },
    );
    const long = `password=${"a1B2".repeat(20_000)}`;
    expect(redactText(`${long} and more`).text).toBe(`password=${"█".repeat(80_000)} and more`);
  });

  test("are found behind escapes, and in JSON that was cut off", () => {
    fc.assert(
      fc.property(canaries, fc.nat(), ({ text, body }, seed) => {
        const escaped = escapeSome(text, seed);
        expect(leaks(unescapeAll(redactText(`{"a":"${escaped}`).text), body)).toBe(false);
      }),
      { numRuns: propertyRuns() },
    );
  });

  test.each([
    ["password=hunter2!x, then", "password=█████████, then"],
    ["postgres://admin:hunter2@db/x", "postgres://admin:███████@db/x"],
    ["Bearer abcdefghijklmnopqrstuvwxy7", "Bearer ██████████████████████████"],
    ["db_password: 'correct1horse'", "db_password: '█████████████'"],
    ["-----BEGIN PRIVATE KEY-----\nMIIE", "████████████████████████████████"],
    ['grep -r "-----BEGIN PRIVATE KEY-----" src; rm -rf build', 'grep -r "█████████████████████████████src; rm -rf build'],
    ["https://ana:p%40ss1@example.com/", "https://ana:███████@example.com/"],
    ["AKIAIOSFODNN7EXAMPLE", "████████████████████"],
  ])("leave what introduces them: %s", (said, kept) => {
    expect(redactText(said).text).toBe(kept);
  });
});

describe("what is no secret", () => {
  test.each(HARMLESS_TEXTS)("%s", (text) => {
    expect(redactText(text)).toEqual({ text, shapes: [] });
  });

  test("is hardly ever masked: ids, hashes, images and words in any number", () => {
    const word = fc.constantFrom(
      ..."the a secret key token password of auth bearer basic api client access is was in for and user private".split(" "),
    );
    const innocent = fc.oneof(
      fc.uuid(),
      fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 32, maxLength: 64 }),
      fc.base64String({ minLength: 40, maxLength: 4000 }).map((data) => `data:image/png;base64,${data}`),
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.emailAddress(),
      fc.array(word, { minLength: 3, maxLength: 30 }).map((words) => words.join(" ")),
      fc.array(word, { minLength: 2, maxLength: 6 }).map((words) => words.join("_")),
      fc.array(word, { minLength: 2, maxLength: 8 }).map((words) => `/${words.join("/")}.ts`),
      fc.lorem({ maxCount: 30 }),
      fc.json(),
    );
    const sample = fc.sample(innocent, { numRuns: 20_000, seed: 20_261_115 });
    expect(sample.filter((text) => redactText(text).shapes.length > 0).length).toBeLessThanOrEqual(sample.length / 1000);
  });
});

describe("hostile texts", () => {
  const units = [
    "sk-",
    "eyJ",
    "-eyJ",
    "eyJaaaaaaaaaa.",
    "AKIA",
    "a",
    "A_",
    "_KEY",
    "password",
    "password=",
    'password":"',
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN ",
    "-----BEGIN PRIVATE KEY-----\n+",
    "://",
    "://a:",
    "://:b",
    "1",
    "12345678:AA",
    "Bearer ",
    "\\u0041",
    "\\\\",
    '\\"',
    "--token ",
    "?token=",
    "Authorization: Basic ",
    "SG.a.",
    "\u001b[0",
  ];
  test.each(units)("a million characters of %j come to an end", (unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    expect(countCodePoints(redactText(text).text)).toBe(text.length);
    expect(findSecrets(`${text} `).length).toBeGreaterThanOrEqual(0);
  });
});

/** Any character may be written as an escape. */
function escapeSome(text: string, seed: number): string {
  const plain = JSON.stringify(text).slice(1, -1);
  if (plain.includes("\\")) return plain;
  return Array.from(plain, (character, index) =>
    ((seed >> (index % 24)) & 1) === 1 && character.length === 1
      ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
      : character,
  ).join("");
}

function unescapeAll(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
