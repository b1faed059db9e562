import { expect, test } from "vitest";
import { Statements } from "../statements.ts";
import { toMatchExpression } from "./search-query.ts";
import { entry, openIndex } from "./testing/open-index.ts";

const wanted = (text: string, isBeginning = false) => ({ text, isBeginning });

test("everything is quoted, and a quote ends nothing", () => {
  using search = openIndex();
  const sql = new Statements(search.db);
  const { match } = toMatchExpression({ required: [wanted('one" OR "two')], excluded: [wanted("three")] }, { text: "", limit: 1 }, sql);
  expect(match).toBe('("one  OR  two") NOT ("three")');
});

test("a word alone is looked for directly; what can be looked for in vain is not", () => {
  using search = openIndex();
  search.add(entry(1, "one onetwo"));
  const sql = new Statements(search.db);
  const direct = (required: readonly string[], more: object = {}, excluded: readonly string[] = []) =>
    toMatchExpression(
      { required: required.map((text) => wanted(text)), excluded: excluded.map((text) => wanted(text)) },
      { text: "", limit: 1, ...more },
      sql,
    ).isDirect;
  expect(direct(["one"])).toBe(true);
  expect(direct(["one", "two"])).toBe(false);
  expect(direct(["foo_bar"])).toBe(false);
  expect(direct(["東京"])).toBe(false);
  expect(direct(["one"], { session: 1 })).toBe(false);
  expect(direct(["one"], {}, ["two"])).toBe(false);
  expect(toMatchExpression({ required: [wanted("one", true)], excluded: [] }, { text: "", limit: 1 }, sql)).toEqual({
    match: '(" one" OR " onetwo")',
    isDirect: true,
  });
});
