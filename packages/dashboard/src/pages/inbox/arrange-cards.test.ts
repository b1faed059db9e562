import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arrangeCards, type CardPlace } from "./arrange-cards.ts";

interface Item {
  readonly id: string;
  readonly kind?: string;
}

const arrange = (before: readonly CardPlace[], open: readonly Item[], held = -1) =>
  arrangeCards(before, open, { idOf: ({ id }) => id, kindOf: ({ kind }) => kind, held });
const ids = (cards: readonly CardPlace[]) => cards.map((card) => card.ids.join("+"));

describe("where cards stand", () => {
  it("in the order in which they were asked, those that are the same together", () => {
    expect(ids(arrange([], [{ id: "a" }, { id: "b", kind: "x" }, { id: "c" }, { id: "d", kind: "x" }]))).toEqual(["a", "b+d", "c"]);
  });

  it("what has ended goes when nothing holds it, and stays where a pointer or the focus is, with all before it", () => {
    const before = arrange([], [{ id: "a" }, { id: "b" }, { id: "c" }]);
    expect(ids(arrange(before, [{ id: "b" }]))).toEqual(["b"]);
    expect(ids(arrange(before, [{ id: "b" }], 1))).toEqual(["a", "b"]);
    expect(ids(arrange(before, [{ id: "b" }, { id: "d" }], 1))).toEqual(["a", "b", "d"]);
    expect(ids(arrange(before, [{ id: "d" }], Number.POSITIVE_INFINITY))).toEqual(["a", "b", "c"]);
  });

  it("a card that is looked at is not given another request", () => {
    const before = arrange(
      [],
      [
        { id: "a", kind: "x" },
        { id: "b", kind: "x" },
      ],
    );
    const open = [
      { id: "a", kind: "x" },
      { id: "b", kind: "x" },
      { id: "c", kind: "x" },
    ];
    expect(ids(arrange(before, open, 0))).toEqual(["a+b", "c"]);
    expect(ids(arrange(before, open))).toEqual(["a+b+c"]);
  });

  it("the open card keeps its requests while it is read, among others that move, and when all of them have ended", () => {
    const same = (...names: string[]) => names.map((id) => ({ id, kind: "x" }));
    const before = arrange([], [{ id: "a" }, ...same("b", "c"), { id: "d" }]);
    const arrangeRead = (open: readonly Item[]) =>
      arrangeCards(before, open, { idOf: ({ id }) => id, kindOf: ({ kind }) => kind, held: -1, read: before[1] });
    expect(ids(arrangeRead([{ id: "risky" }, ...same("b", "c", "e")]))).toEqual(["risky", "b+c", "e"]);
    expect(arrangeRead(same("b", "c"))[0]).toBe(before[1]);
    expect(ids(arrangeRead([{ id: "a" }, ...same("e"), { id: "d" }]))).toEqual(["a", "b+c", "e", "d"]);
    expect(ids(arrangeRead([]))).toEqual(["b+c"]);
  });

  it("nothing moves up to where it is held, and nothing that waits is missing, whatever happens", () => {
    const step = fc.record({
      open: fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 8 }),
      held: fc.integer({ min: -1, max: 6 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let cards: readonly CardPlace[] = [];
        for (const { open, held } of steps) {
          const items = open.sort((one, other) => one - other).map((id) => ({ id: String(id), ...(id % 3 === 0 ? { kind: "same" } : {}) }));
          const at = Math.min(held, cards.length - 1);
          const next = arrange(cards, items, at);
          expect(next.slice(0, at + 1)).toEqual(cards.slice(0, at + 1));
          const shown = next.flatMap((card) => card.ids);
          expect(new Set(shown).size).toBe(shown.length);
          for (const { id } of items) expect(shown).toContain(id);
          cards = next;
        }
      }),
    );
  });
});
