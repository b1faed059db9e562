import { expect, test } from "vitest";
import { Statements } from "../statements.ts";
import { findHits } from "./searcher.ts";
import { entry, openIndex } from "./testing/open-index.ts";

const FAR_APART = 50_000;
const vain = { match: '"even" AND "odd"', isDirect: false };

test("a search in vain is given up, and goes on where it was left until everything was looked at", async () => {
  using search = openIndex();
  search.add(...Array.from({ length: 20 }, (_, index) => entry((index + 1) * FAR_APART, index % 2 === 0 ? "even" : "odd")));
  search.add(entry(FAR_APART + 1, "even and odd"));
  const sql = new Statements(search.db);
  const hunt = { expression: vain, low: 1, high: 20 * FAR_APART, limit: 10, accept: () => true };
  expect(await findHits(sql, hunt)).toEqual({ positions: [FAR_APART + 1], reached: undefined, cut: false });

  const found: number[] = [];
  let times = 0;
  for (let high: number | undefined = hunt.high; high !== undefined; times++) {
    const part = await findHits(sql, { ...hunt, high, mostMs: 0 });
    expect(part.cut).toBe(part.reached !== undefined);
    found.push(...part.positions);
    high = part.reached === undefined ? undefined : part.reached - 1;
  }
  expect(found).toEqual([FAR_APART + 1]);
  expect(times).toBeGreaterThan(10);
});

test("what is not accepted is passed over, however much of it there is", async () => {
  using search = openIndex();
  search.add(...Array.from({ length: 1000 }, (_, index) => entry(index + 1, "word")));
  const hunt = { expression: { match: '"word"', isDirect: true }, low: 1, high: 1000, limit: 3 };
  const found = await findHits(new Statements(search.db), { ...hunt, accept: (position) => position <= 100 });
  expect(found).toEqual({ positions: [100, 99, 98], reached: 98, cut: false });
});

test("whoever does not wait any more stops the search", async () => {
  using search = openIndex();
  search.add(entry(1, "even"), entry(FAR_APART, "odd"));
  const signal = AbortSignal.abort();
  await expect(
    findHits(new Statements(search.db), { expression: vain, low: 1, high: FAR_APART, limit: 1, accept: () => true, signal }),
  ).rejects.toThrow();
});
