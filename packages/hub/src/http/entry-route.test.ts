import { expect, test } from "vitest";
import { openEdge, VIEWER_TOKEN } from "./testing/edge.ts";
import { validEventText } from "./testing/valid-event.ts";

const AS_VIEWER = { authorization: `Bearer ${VIEWER_TOKEN}` };

test("an entry is given as it was said, by its position, and nothing else in its place", async () => {
  await using edge = await openEdge();
  await edge.post(validEventText("aop"));
  const text = validEventText("aep");
  await edge.post(text);
  const get = async (position: string, headers: Readonly<Record<string, string>> = AS_VIEWER) => {
    const { statusCode, body } = await edge.app.inject({ url: `/api/entries/${position}`, headers });
    return { status: statusCode, body: JSON.parse(body) as Record<string, unknown> };
  };
  expect(await get("2")).toMatchObject({ status: 200, body: { position: 2, protocol: "aep", kind: "event", event: JSON.parse(text) } });
  expect(await get("3")).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  for (const wrong of ["0", "-1", "two", "1.5", "12345678901234567"]) {
    expect(await get(wrong)).toMatchObject({ status: 400, body: { code: "WRONG_QUERY" } });
  }
  expect(await get("2", {})).toMatchObject({ status: 401 });
  await edge.ledger.erase(1);
  expect(await get("1")).toMatchObject({ status: 404 });
  expect(edge.failures).toEqual([]);
});
