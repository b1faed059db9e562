import type { JsonValue } from "@earshot/protocol";
import { countCodePoints } from "@earshot/protocol/code-points";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { aaepRecordings } from "../../../protocol/testing/aaep.ts";
import { aepRecordings } from "../../../protocol/testing/aep.ts";
import { aopRecordings } from "../../../protocol/testing/aop.ts";
import { IDENTITY_POINTERS, secretInIdentity } from "./redact-identity.ts";
import { redactJson } from "./redact-json.ts";
import { type Canary, canaries, HARMLESS_TEXTS, leaks, SURROUNDINGS } from "./testing/redact-canaries.ts";

const TOKEN = `ghp_${"a1B2".repeat(9)}`;

function redact(text: string) {
  return redactJson(text, JSON.parse(text) as JsonValue);
}

describe("secrets in JSON", () => {
  const nests: readonly ((said: string) => JsonValue)[] = [
    (said) => said,
    (said) => ({ payload: { content: said } }),
    (said) => [{ deep: [[said], 1.5, null] }, true],
    (said) => ({ before: "é 👩", [said]: { inner: 1 }, after: [] }),
    (said) => ({ text: JSON.stringify({ inner: JSON.stringify([said]) }) }),
  ];

  test("do not survive, wherever they are and however they are written", () => {
    fc.assert(
      fc.property(
        canaries,
        fc.constantFrom(...SURROUNDINGS),
        fc.constantFrom(...nests),
        fc.nat(),
        (canary, [before, after], nest, seed) => {
          const value = nest(before + canary.text + after);
          const text = escapeSome(JSON.stringify(value, null, seed % 3), seed);
          const redacted = redact(text);
          expect(redacted, text).toBeDefined();
          if (redacted === undefined) return;
          expect(JSON.parse(redacted.text)).toEqual(redacted.value);
          const everything = redacted.text + JSON.stringify(redacted.value) + redacted.marks.map(({ pointer }) => pointer).join(" ");
          expect(leaks(everything, canary.body) || leaks(everything, JSON.stringify(canary.body).slice(1, -1))).toBe(false);
          expect(strings(redacted.value).map((said) => countCodePoints(said))).toEqual(strings(value).map((said) => countCodePoints(said)));
          expect(redact(redacted.text)).toBeUndefined();
          expect(redacted.marks.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: propertyRuns() },
    );
  });

  test("leave every other byte as it was said", () => {
    const text = `{ "n" : 1.0,"big":12345678901234567890, "e":1E5 ,"s":"caf\\u00e9 \\/","secret":"${TOKEN}","z":-0.0 }`;
    expect(redact(text)?.text).toBe(text.replace(TOKEN, "█".repeat(40)));
  });

  test("have a mark each, with pointer, shape and length", () => {
    const value = { "a/b": [`x ${TOKEN} y AKIAIOSFODNN7EXAMPLE`], password: "correct horse" };
    expect(redact(JSON.stringify(value))?.marks).toEqual([
      { pointer: "/a~1b/0", shape: "GitHub token", length: 40 },
      { pointer: "/a~1b/0", shape: "AWS access key", length: 20 },
      { pointer: "/password", shape: "named secret", length: 13 },
    ]);
  });

  test("as keys are masked, and no two keys become one", () => {
    const [one, two] = [`ghp_${"a1".repeat(18)}`, `ghp_${"b2".repeat(18)}`];
    const masked = "█".repeat(40);
    const redacted = redact(JSON.stringify({ [masked]: 0, [one]: 1, [two]: { [one]: 2 }, b: 3 }));
    expect(redacted?.value).toEqual({ [masked]: 0, [`${masked}~2`]: 1, [`${masked}~3`]: { [masked]: 2 }, b: 3 });
    expect(redacted?.marks.map(({ pointer }) => pointer)).toEqual([`/${masked}~02`, `/${masked}~03`, `/${masked}~03/${masked}`]);
  });

  test("do not change the value that was given", () => {
    const value = { keep: { same: 1 }, deep: [{ password: "correct horse" }] };
    const before = structuredClone(value);
    const redacted = redactJson(JSON.stringify(value), value);
    expect(value).toEqual(before);
    expect(redacted?.value).toEqual({ keep: { same: 1 }, deep: [{ password: "█████████████" }] });
  });
});

describe("members whose name says that they are secret", () => {
  test.each([
    "password",
    "passwd",
    "db_password",
    "userPassword",
    "PASSWORD",
    "api_key",
    "apiKey",
    "x-api-key",
    "OPENAI_API_KEY",
    "access_token",
    "accessToken",
    "refresh_token",
    "auth_token",
    "_authToken",
    "client_secret",
    "secret_key",
    "aws_secret_access_key",
    "secretAccessKey",
    "private_key",
    "privateKey",
    "authorization",
    "Authorization",
    "Cookie",
    "Set-Cookie",
    "secret",

    "GITHUB_TOKEN",
  ])("%s", (name) => {
    expect(redact(JSON.stringify({ headers: { [name]: "correct horse" } }))?.value).toEqual({ headers: { [name]: "█".repeat(13) } });
  });

  test.each([
    "reply_token",
    "token_spend",
    "max_tokens",
    "next_page_token",
    "session_id",
    "tool_call_id",
    "key",
    "keyword",
    "primary_key",
    "PRIMARY_KEY",
    "public_key",
    "password_reset_link",
    "secretary",
    "author",
    "pwd",
    "token",
    "cookies_accepted",
  ])("not %s", (name) => {
    expect(redact(JSON.stringify({ headers: { [name]: "correct horse" } }))).toBeUndefined();
  });

  test.each([
    "short",
    "********",
    "<your password>",
    "\x24{DB_PASSWORD}",
    "$DB_PASSWORD",
    "[redacted]",
    "your-api-key-here",
    "{{ secret }}",
    "████████",
  ])("but not where only %j stands", (said) => {
    expect(redact(JSON.stringify({ password: said }))).toBeUndefined();
  });

  test("only strings", () => {
    expect(redact('{"password":{"type":"string"},"api_key":12345678901,"secret":["abcdefghij"],"auth_token":null}')).toBeUndefined();
  });
});

describe("members that say which event it is", () => {
  test("are left alone, and told", () => {
    const event = { event_id: TOKEN, session_id: "sess_1", chunk: TOKEN, inner: { event_id: TOKEN } };
    const text = JSON.stringify(event);
    const redacted = redactJson(text, event, { skip: IDENTITY_POINTERS.aaep });
    expect(redacted?.value).toEqual({ ...event, chunk: "█".repeat(40), inner: { event_id: "█".repeat(40) } });
    expect(secretInIdentity("aaep", event)).toEqual({ pointer: "/event_id", shape: "GitHub token" });
  });

  test.each([
    ["aep", { session: { id: TOKEN } }, "/session/id"],
    ["aep", { agent: { slug: TOKEN } }, "/agent/slug"],
    ["aop", { payload: { tool_call_id: TOKEN } }, "/payload/tool_call_id"],
    ["aaep", { producer: { agent_id: TOKEN } }, "/producer/agent_id"],
  ] as const)("in %s: %j", (protocol, value, pointer) => {
    expect(secretInIdentity(protocol, value)?.pointer).toBe(pointer);
  });

  test("hold none in conforming events", () => {
    for (const [protocol, recordings] of [
      ["aaep", aaepRecordings],
      ["aep", aepRecordings],
      ["aop", aopRecordings],
    ] as const) {
      fc.assert(
        fc.property(recordings, (recording) => recording.every((item) => secretInIdentity(protocol, item) === undefined)),
        { numRuns: 50 },
      );
    }
  });
});

describe("events without secrets", () => {
  test("are left as they are", () => {
    for (const recordings of [aaepRecordings, aepRecordings, aopRecordings]) {
      fc.assert(
        fc.property(recordings, (recording) => recording.every((item) => redact(JSON.stringify(item)) === undefined)),
        { numRuns: 100 },
      );
    }
  });

  test.each(HARMLESS_TEXTS)("%s", (content) => {
    expect(redact(JSON.stringify({ payload: { content, list: [content] } }))).toBeUndefined();
    expect(redact(JSON.stringify({ payload: JSON.stringify({ content }) }))).toBeUndefined();
  });

  test("stay, whatever JSON it is", () => {
    fc.assert(
      fc.property(fc.json(), canaries, (text, canary: Canary) => {
        const value = JSON.parse(text) as JsonValue;
        expect(redactJson(text, value)).toBeUndefined();
        const both = `[${text} , ${JSON.stringify(canary.text)}]`;
        const redacted = redactJson(both, JSON.parse(both) as JsonValue);
        expect(redacted?.text.startsWith(`[${text} , "`)).toBe(true);
        expect(redacted?.value).toEqual(JSON.parse(redacted?.text ?? ""));
      }),
      { numRuns: propertyRuns() },
    );
  });
});

/** Every string of a value, including keys. */
function strings(value: JsonValue): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .flatMap(([key, member]) => [key, ...strings((member ?? null) as JsonValue)])
    .sort((one, other) => countCodePoints(one) - countCodePoints(other));
}

/** JSON with some letters and digits escaped inside strings. */
function escapeSome(text: string, seed: number): string {
  if (seed % 2 === 0) return text;
  let count = 0;
  return text.replace(/"(?:[^"\\]|\\.)*"/g, (literal) =>
    literal.replace(/\\u....|\\.|[A-Za-z0-9_:-]/g, (character) =>
      character.length > 1 || ((seed >> (count++ % 20)) & 1) === 0
        ? character
        : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  );
}
