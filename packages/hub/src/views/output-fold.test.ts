import fc from "fast-check";
import { expect, test } from "vitest";
import { foldChunk, openOutputFold, toOutputView } from "./output-fold.ts";

const BASE = { protocol: "aaep", type: "t", session: "s", agent: "a", kind: "output.chunk" } as const;

function assemble(chunks: readonly { readonly text: string; readonly position?: number; readonly last?: boolean }[]) {
  const output = openOutputFold("o", 1);
  for (const { last = false, ...chunk } of chunks) foldChunk(output, { ...BASE, outputId: "o", last, ...chunk });
  return toOutputView(output);
}

test("pieces come together by where they belong, whatever the order, also when they come twice", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 8 }),
      fc.nat(),
      (texts, seed) => {
        let at = 0;
        const chunks = texts.map((text, index) => {
          const position = at;
          at += [...text].length;
          return { text, position, last: index === texts.length - 1 };
        });
        const jumbled = [...chunks, ...chunks].sort(
          (left, right) => ((left.position * 7919 + seed) % 13) - ((right.position * 7919 + seed) % 13),
        );
        expect(assemble(jumbled)).toEqual({ outputId: "o", text: texts.join(""), complete: true, gaps: false, cut: false });
      },
    ),
  );
});

test("what is missing is marked, also at the beginning and at the end", () => {
  expect(assemble([{ text: "c", position: 2, last: true }])).toMatchObject({ text: "…c", gaps: true, complete: true });
  expect(
    assemble([
      { text: "a", position: 0 },
      { text: "c", position: 2, last: true },
    ]),
  ).toMatchObject({ text: "a…c", gaps: true });
  expect(
    assemble([
      { text: "a", position: 0 },
      { text: "", position: 5, last: true },
    ]),
  ).toMatchObject({ text: "a", gaps: true });
});

test("pieces without a place follow each other", () => {
  expect(assemble([{ text: "a" }, { text: "b" }, { text: "c", last: true }])).toMatchObject({ text: "abc", gaps: false, complete: true });
});

test("a long output is cut, and says so", () => {
  const chunks = Array.from({ length: 100 }, (_, index) => ({ text: "x".repeat(1000), position: index * 1000 }));
  const view = assemble(chunks);
  expect(view.cut).toBe(true);
  expect(view.text.length).toBeLessThan(40_000);
});
