import { describe, expect, it } from "vitest";
import { openEdge } from "./testing/edge.ts";
import { validEvent, validEventText } from "./testing/valid-event.ts";

/** Assembled here, so that secret scanners do not find it in the source. */
const API_KEY = `sk-ant-${"api03-"}${"Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z".repeat(3)}`;
const ACCESS_KEY = `AKIA${"IOSFODNN7EXAMPLQ"}`;
const TOKEN = `ghp_${"Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAbCd"}`;
/** Length of a secret's part that must not be found. */
const TELLING = 8;

/** The stored text of a refused body, and its problem. */
async function kept(body: string, contentType = "application/json"): Promise<string> {
  await using edge = await openEdge();
  await edge.post(body, { headers: { "content-type": contentType } });
  const [refusal] = await edge.ledger.refused({ limit: 1 });
  expect(refusal?.problem.code).toEqual(expect.any(String));
  return JSON.stringify(refusal);
}

describe("what is kept of something refused", () => {
  it.each([
    ["a key that is written twice", `{"${ACCESS_KEY}":1,"${ACCESS_KEY}":2}`],
    ["the key of a number that is too large", `{"in":{"${ACCESS_KEY}":1e999}}`],
    ["a key above one that is forbidden", `{"${ACCESS_KEY}":{"__proto__":1}}`],
    [
      "the key of an integer that is too large",
      validEventText("aaep", { [ACCESS_KEY]: 12_345_678_901_234_567_890n.toString() }).replace(/"(\d{20})"/, "$1"),
    ],
    ["an id of the wrong form", validEventText("aaep", { event_id: API_KEY })],
    ["an id beside something else that is wrong", validEventText("aop", { agent_id: API_KEY, sequence: "one" })],
    ["a type that there is not", validEventText("aep", { type: API_KEY, time: "now" })],
  ])("shows no secret that is %s", async (_place, body) => {
    const text = await kept(body);
    for (const secret of [API_KEY, ACCESS_KEY]) expect(text).not.toContain(secret.slice(TELLING, TELLING * 2));
  });

  it.each([
    ["a token", TOKEN],
    ["an access key", ACCESS_KEY],
    ["a key", API_KEY],
    ["a password", `"password":"correct-horse-battery-staple"`],
  ])(
    "shows nothing of %s that its bound cuts in two, wherever that is",
    async (_kind, secret) => {
      for (let shown = 1; shown < secret.length; shown += 3) {
        const before = `{"spec":"aop/1.0","text":"`;
        const body = `${before}${" ".repeat(4096 - before.length - shown)}${secret}`;
        expect(await kept(body)).not.toContain(secret.slice(-secret.length / 2).slice(0, TELLING));
        // An unterminated line is cut before anyone reads it.
        expect(await kept(`${body}${"x".repeat(2 << 20)}\n`, "application/x-ndjson")).not.toContain(
          secret.slice(-secret.length / 2).slice(0, TELLING),
        );
      }
    },
    60_000,
  );

  it("is the problem as it was told, where there is nothing to hide", async () => {
    await using edge = await openEdge();
    const { body } = await edge.post(JSON.stringify({ ...validEvent("aop"), sequence: "one" }));
    const [refusal] = await edge.ledger.refused({ limit: 1 });
    expect(body).toMatchObject({ ...refusal?.problem });
  });
});
