import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../../tools/test-volume.ts";
import { INDEX_START_MS, openIndex, searchDocument } from "./testing/open-index.ts";

describe("what is found", () => {
  test.each<[typed: string, text: string]>([
    ["handler", "the error handler failed"],
    ["HANDLER", "the error handler failed"],
    ["failed handler", "the error handler failed"],
    ['"error handler"', "the error handler failed"],
    ["hand*", "the error handler failed"],
    ["handler*", "the error handler failed"],
    ['"error hand"*', "the error handler failed"],
    ["foo_bar", "const foo_bar = 1"],
    ["bar", "const foo_bar = 1"],
    ["foo_b*", "const foo_bar = 1"],
    ["src/orders/3.ts", "edit /home/ana/src/orders/3.ts now"],
    ["orders", "edit /home/ana/src/orders/3.ts now"],
    ["--force", "git push --force"],
    ["cafe", "Le Café"],
    ["CAFÉ", "le cafe"],
    ["Cafe\u0301", "Le Café"],
    ["東京", "私は東京都に住んでいます"],
    ["京都", "私は東京都に住んでいます"],
    ["住", "私は東京都に住んでいます"],
    ["東京*", "私は東京都に住んでいます"],
    ["สวัสดี", "พูดว่าสวัสดีครับ"],
    ["한국*", "한국어를 공부합니다"],
    ["हिन्दी", "यह हिन्दी है"],
    ["привет", "Скажи ПРИВЕТ"],
    ["don't", "I don't know"],
    ["3.14", "pi is 3.14 or so"],
  ])("%j finds %j", async (typed, text) => {
    using search = openIndex();
    search.add(searchDocument(1, "something else"), searchDocument(2, text), searchDocument(3, "and another"));
    expect(await search.positions(typed)).toEqual([2]);
  });

  test.each<[typed: string, text: string]>([
    ["hand", "the error handler failed"],
    ["handler missing", "the error handler failed"],
    ["handler -failed", "the error handler failed"],
    ["handler -fail*", "the error handler failed"],
    ['"handler error"', "the error handler failed"],
    ['"failed the"', "the error handler failed"],
    ["foo_baz", "const foo_bar = 1"],
    ["都東", "私は東京都に住んでいます"],
    ["zzz*", "the error handler failed"],
  ])("%j does not find %j", async (typed, text) => {
    using search = openIndex();
    search.add(searchDocument(1, text));
    expect(await search.positions(typed)).toEqual([]);
  });

  test("no phrase reaches from one text of an entry into the next", async () => {
    using search = openIndex();
    search.add(searchDocument(1, ["one two", "three four"]));
    expect(await search.positions('"two three"')).toEqual([]);
    expect(await search.positions('"three four" "one two"')).toEqual([1]);
  });

  test("a word that is longer than anybody types is found by its beginning, and takes no more room", async () => {
    using search = openIndex();
    search.add(searchDocument(1, `key ${"a1".repeat(5000)} end`));
    expect(await search.positions("a1".repeat(400))).toEqual([1]);
    expect(await search.positions("a1a1*")).toEqual([1]);
    expect(await search.positions("end")).toEqual([1]);
  });

  test("words of our own cannot be looked for, nor forged", async () => {
    using search = openIndex();
    search.add(searchDocument(1, "one \ue000s7 \ue000", { session: 5 }), searchDocument(2, "one", { session: 7 }));
    expect(await search.positions({ text: "one", session: 7, limit: 9 })).toEqual([2]);
    expect(await search.positions("one \ue000s5")).toEqual([]);
  });

  test("a hit tells where it was found", async () => {
    using search = openIndex();
    search.add({
      ...searchDocument(3, "", { session: 8, agent: "ana", type: "t" }),
      texts: [
        { field: "tool", text: "Bash" },
        { field: "command", text: "npm test" },
      ],
    });
    expect(await search.all("NPM")).toEqual([
      {
        position: 3,
        session: 8,
        agent: "ana",
        type: "t",
        receivedAt: INDEX_START_MS + 3000,
        field: "command",
        snippet: "npm test",
        marks: [[0, 3]],
      },
    ]);
  });

  test("nothing that is typed is an error of the index", async () => {
    using search = openIndex();
    search.add(searchDocument(1, "one AND two"), searchDocument(2, "東京 NEAR(a b) col:x ^caret"));
    await fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary", maxLength: 40 }),
          fc
            .array(
              fc.constantFrom('"', "*", "-", "AND", "OR", "NOT", "NEAR(", ")", "^", "+", ":", "{", "}", "one", "東", "\0", "\ue000", " "),
              { maxLength: 20 },
            )
            .map((all) => all.join("")),
        ),
        (text) => {
          try {
            search.index.search({ text, limit: 5 });
          } catch (error) {
            expect(error).toMatchObject({ problem: { code: "WRONG_QUERY" } });
          }
        },
      ),
      { numRuns: propertyRuns() },
    );
  });
});

describe("the order and the pages", () => {
  test("newest first, page by page, while new ones come in", async () => {
    using search = openIndex();
    search.add(...Array.from({ length: 25 }, (_, index) => searchDocument(index + 1, `word ${index}`)));
    const first = search.index.search({ text: "word", limit: 10 });
    search.add(searchDocument(99, "word of later"));
    const second = search.index.search({ text: "word", limit: 10, after: first.next ?? "" });
    const third = search.index.search({ text: "word", limit: 10, after: second.next ?? "" });
    const found = [first, second, third].map(({ items }) => items.map(({ position }) => position));
    expect(found.flat()).toEqual(Array.from({ length: 25 }, (_, index) => 25 - index));
    expect(third.next).toBeUndefined();
    expect(first.cut).toBe(false);
  });

  test("a place to go on from that is none is refused", async () => {
    using search = openIndex();
    for (const after of ["x", "-1", "1_2", "1; DROP TABLE search_entry", "9".repeat(20)]) {
      expect(() => search.index.search({ text: "word", limit: 10, after })).toThrow(
        expect.objectContaining({ problem: expect.objectContaining({ code: "WRONG_QUERY" }) }),
      );
    }
  });

  test("by relevance: often in little text, and in what was asked or went wrong, comes first", async () => {
    using search = openIndex();
    search.add(
      searchDocument(1, "timeout timeout timeout", { field: "output" }),
      searchDocument(2, `timeout ${"and much else ".repeat(200)}`, { field: "output" }),
      searchDocument(3, "a timeout", { field: "output" }),
      searchDocument(4, "a timeout", { field: "prompt" }),
    );
    expect(await search.positions({ text: "timeout", order: "relevance", limit: 10 })).toEqual([4, 1, 3, 2]);
    expect(await search.positions({ text: "timeout", order: "relevance", limit: 1 })).toEqual([4, 1, 3, 2]);
  });

  test("newest first, a search that runs out of time says so, and its next page goes on", async () => {
    using search = openIndex(":memory:", -1);
    search.add(searchDocument(1, "word"), searchDocument(2, "other"), searchDocument(3, "word"));
    expect(search.index.search({ text: "word", limit: 10 })).toMatchObject({ items: [{ position: 3 }], next: "3", cut: true });
    expect(await search.positions("word")).toEqual([3, 1]);
  });

  test("by relevance, only the newest few thousand are compared, and that is said", async () => {
    using search = openIndex();
    search.add(
      searchDocument(1, "word word word"),
      ...Array.from({ length: 2000 }, (_, index) => searchDocument(index + 2, "word and more")),
    );
    const page = search.index.search({ text: "word", order: "relevance", limit: 500 });
    expect(page.cut).toBe(true);
    expect(page.items.map(({ position }) => position)).not.toContain(1);
    expect(await search.positions({ text: "word", order: "relevance", limit: 500 })).toHaveLength(2000);
  });
});

describe("filters", () => {
  test("by session, agent and type, alone and together", async () => {
    using search = openIndex();
    let position = 0;
    for (const session of [1, 11, 2]) {
      for (const agent of ["ana", "ben"])
        for (const type of ["x", "x.y"]) search.add(searchDocument(++position, "word", { session, agent, type }));
    }
    const find = (filter: object) => search.positions({ text: "word", limit: 100, ...filter });
    expect(await find({ session: 1 })).toEqual([4, 3, 2, 1]);
    expect(await find({ agent: "ben" })).toEqual([12, 11, 8, 7, 4, 3]);
    expect(await find({ type: "x" })).toEqual([11, 9, 7, 5, 3, 1]);
    expect(await find({ session: 11, agent: "ana", type: "x.y" })).toEqual([6]);
    expect(await find({ session: 99 })).toEqual([]);
    expect(await find({ agent: "nobody" })).toEqual([]);
  });

  test("by time, also where the clock was set back", async () => {
    using search = openIndex();
    const HOUR = 3_600_000;
    const times = [0, 5 * HOUR, 5 * HOUR + 60_000, HOUR, 2 * HOUR, 9 * HOUR];
    search.add(...times.map((ms, index) => searchDocument(index + 1, "word", { receivedAt: INDEX_START_MS + ms })));
    const find = (since?: number, until?: number) =>
      search.positions({
        text: "word",
        limit: 100,
        ...(since === undefined ? {} : { since: INDEX_START_MS + since }),
        ...(until === undefined ? {} : { until: INDEX_START_MS + until }),
      });
    expect(await find(5 * HOUR)).toEqual([6, 3, 2]);
    expect(await find(5 * HOUR + 1)).toEqual([6, 3]);
    expect(await find(undefined, 2 * HOUR)).toEqual([5, 4, 1]);
    expect(await find(HOUR, 5 * HOUR)).toEqual([5, 4, 2]);
    expect(await find(20 * HOUR)).toEqual([]);
    search.add(
      searchDocument(7, "word", { receivedAt: INDEX_START_MS + 2 * HOUR + 1 }),
      searchDocument(8, "word", { receivedAt: INDEX_START_MS + 30 * HOUR }),
    );
    search.transaction(() => search.index.removePosition(2));
    search.add(searchDocument(2, "word", { receivedAt: INDEX_START_MS + 30 * HOUR + 1 })); // is added anew, after those that follow it
    expect(await find(20 * HOUR)).toEqual([8, 2]);
    expect(await find(2 * HOUR, 3 * HOUR)).toEqual([7, 5]);
  });
});

test("what is found is what a look at every entry finds", async () => {
  const word = fc.constantFrom("a", "b", "c", "ab", "abc");
  const documents = fc.array(
    fc.record({ session: fc.nat(2), words: fc.array(word, { minLength: 1, maxLength: 6 }), gap: fc.constantFrom(1, 2, 30_000) }),
    {
      maxLength: 60,
      size: "max",
    },
  );
  const wanted = fc.array(fc.record({ words: fc.array(word, { minLength: 1, maxLength: 2 }), beginning: fc.boolean() }), {
    minLength: 1,
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(
      documents,
      wanted,
      fc.array(word, { maxLength: 1 }),
      fc.option(fc.nat(2), { nil: undefined }),
      async (all, must, not, session) => {
        using search = openIndex();
        const entries = all.map((one, index) => ({ ...one, position: all.slice(0, index + 1).reduce((sum, { gap }) => sum + gap, 0) }));
        search.add(...entries.map((one) => searchDocument(one.position, one.words.join(" "), { session: one.session })));
        const has = (words: readonly string[], phrase: readonly string[], beginning: boolean) =>
          words.some((_, at) =>
            phrase.every((part, index) =>
              beginning && index === phrase.length - 1 ? words[at + index]?.startsWith(part) === true : words[at + index] === part,
            ),
          );
        const expected = entries
          .filter((one) => session === undefined || one.session === session)
          .filter(
            (one) =>
              must.every(({ words, beginning }) => has(one.words, words, beginning)) && !not.some((part) => one.words.includes(part)),
          )
          .map((one) => one.position)
          .reverse();
        const text = [
          ...must.map(({ words, beginning }) => `"${words.join(" ")}"${beginning ? "*" : ""}`),
          ...not.map((part) => `-${part}`),
        ].join(" ");
        expect(await search.positions({ text, limit: 7, ...(session === undefined ? {} : { session }) })).toEqual(expected);
      },
    ),
    { numRuns: 150 },
  );
});
