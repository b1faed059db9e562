import { afterAll, expect, it } from "vitest";
import { readAaepQuestion } from "./aaep-question.ts";
import { createHeldRequest } from "./held-request.ts";
import { HeldTable, MAX_ENDED_REQUEST_BYTES, MAX_ENDED_REQUESTS, MAX_OPEN_REQUEST_BYTES, MAX_OPEN_REQUESTS } from "./held-table.ts";
import { toNewRequest } from "./question.ts";
import { BENCH_START_MS, confirmationRequested, openBench, submissionOf } from "./testing/engine-bench.ts";

const bench = await openBench();
afterAll(() => bench[Symbol.asyncDispose]());
const openTable = () => new HeldTable(bench.ledger, () => ({ now: BENCH_START_MS, timeOf: () => 0 }));

function held(sizeBytes: number) {
  const question = readAaepQuestion(submissionOf(confirmationRequested({ extra_context: { tool_call_id: "call" } }), BENCH_START_MS));
  if (question === undefined) throw new Error("It asks.");
  return createHeldRequest(question, toNewRequest(question, "secret", BENCH_START_MS), {
    at: BENCH_START_MS,
    eventId: "e",
    now: 0,
    sizeBytes,
  });
}

it("is full when too many wait, or when they are too large together", () => {
  const many = openTable();
  const one = held(0);
  for (let index = 0; index < MAX_OPEN_REQUESTS; index++) many.add({ ...one, id: `r${index}` });
  expect(many.hasRoom(1)).toBe(false);
  const large = openTable();
  const big = held(MAX_OPEN_REQUEST_BYTES / 4);
  for (let index = 0; index < 3; index++) large.add({ ...big, id: `r${index}` });
  expect(large.hasRoom(MAX_OPEN_REQUEST_BYTES / 4)).toBe(false);
  expect(large.hasRoom(1000)).toBe(true);
  large.forget(big);
  expect(large.hasRoom(MAX_OPEN_REQUEST_BYTES / 4)).toBe(false);
  const first = large.find("r0");
  if (first !== undefined) large.end(first);
  expect(large.hasRoom(MAX_OPEN_REQUEST_BYTES / 4)).toBe(true);
});

it("forgets the oldest that have ended, by number and by size, and what they were about", () => {
  const table = openTable();
  const one = held(0);
  for (let index = 0; index <= MAX_ENDED_REQUESTS; index++) table.end({ ...one, id: `r${index}` });
  expect(table.find("r0")).toBeUndefined();
  expect(table.find("r1")).toBeDefined();
  expect(table.aboutAction(one.scope, "call")).toHaveLength(MAX_ENDED_REQUESTS);
  table.end({ ...held(MAX_ENDED_REQUEST_BYTES), id: "huge" });
  expect(table.find("r1")).toBeUndefined();
  expect(table.aboutAction(one.scope, "call").length).toBeLessThanOrEqual(1);
});

it("knows the open ones of a session, and never the same twice", () => {
  const table = openTable();
  const one = held(10);
  table.add(one);
  expect(table.inSession(one.scope)).toEqual([one]);
  table.end(one);
  table.end(one);
  expect(table.inSession(one.scope)).toEqual([]);
  expect(table.hasOpen).toBe(false);
  expect(table.find(one.id)).toBe(one);
});
