import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ReadStory, readLastItems } from "./last-items.ts";
import { activity, item, session } from "./testing/samples.ts";

/** A story at these positions, read as a hub reads it. */
function storyAt(positions: readonly number[]) {
  const items = positions.map((position) => item(activity("thought", { text: "" }), { position }));
  let pages = 0;
  const read: ReadStory = async ({ from = 0, after, limit }) => {
    pages++;
    const rest = items.filter(({ position }) => (after === undefined ? position >= from : position > Number(after)));
    // Less than was asked for, now and then, as a page that is full of pieces.
    const page = rest.slice(0, pages % 3 === 0 ? Math.ceil(limit / 2) : limit);
    return { items: page, ...(rest.length > page.length ? { next: String(page.at(-1)?.position) } : {}) };
  };
  const one = session({ firstPosition: positions[0] ?? 1, lastPosition: positions.at(-1) ?? 1 });
  const whole = { ...one, counts: { ...one.counts, events: positions.length * 2 } };
  return { whole, read, pages: () => pages };
}

describe("the end of a story", () => {
  it("is all of it when it is short", async () => {
    const { whole, read } = storyAt([3, 5, 9]);
    expect((await readLastItems(whole, { limit: 10 }, read)).items.map(({ position }) => position)).toEqual([3, 5, 9]);
    const before = await readLastItems(whole, { limit: 10, before: 9 }, read);
    expect([before.items.map(({ position }) => position), before.hasEarlier]).toEqual([[3, 5], false]);
  });

  it("knows that one item is before it", async () => {
    const { whole, read } = storyAt(Array.from({ length: 11 }, (_, index) => index + 1));
    const { items, hasEarlier } = await readLastItems(whole, { limit: 10 }, read);
    expect([items[0]?.position, hasEarlier]).toEqual([2, true]);
  });

  it("takes few pages of a session of 100,000 items among others", async () => {
    const { whole, read, pages } = storyAt(Array.from({ length: 100_000 }, (_, index) => index * 7 + 1));
    const { items, hasEarlier } = await readLastItems(whole, { limit: 200 }, read);
    expect([items.at(-1)?.position, hasEarlier]).toEqual([699_994, true]);
    expect(items.length).toBeGreaterThanOrEqual(120);
    expect(pages()).toBeLessThan(20);
  });

  it("is the end, without a hole, whatever lies between the items", async () => {
    const steps = fc.array(fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5000 })), {
      minLength: 1,
      maxLength: 300,
    });
    const asked = fc.record({ limit: fc.integer({ min: 1, max: 40 }), part: fc.double({ min: 0, max: 1.2, noNaN: true }) });
    await fc.assert(
      fc.asyncProperty(steps, asked, async (gaps, { limit, part }) => {
        let position = 0;
        const positions = gaps.map((gap) => {
          position += gap;
          return position;
        });
        const { whole, read, pages } = storyAt(positions);
        const before = Math.ceil(position * part) + 1;
        const { items, hasEarlier } = await readLastItems(whole, { limit, before }, read);
        const expected = positions.filter((one) => one < before);
        const shown = items.map((one) => one.position);
        expect(shown).toEqual(expected.slice(expected.length - shown.length));
        expect(shown.length).toBeLessThanOrEqual(limit);
        expect(shown.length).toBeGreaterThanOrEqual(Math.min(1, expected.length));
        expect(hasEarlier).toBe(shown.length < expected.length);
        expect(pages()).toBeLessThan(100);
      }),
    );
  });
});
