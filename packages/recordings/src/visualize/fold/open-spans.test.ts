import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OpenSpans, type RowSpan } from "./open-spans.ts";

const at = (entry: number) => ({ entry, line: entry });
const plain = (begun: RowSpan) => begun;

describe("spans", () => {
  it("never share a row while they overlap, as long as there are rows", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 6 })), { maxLength: 120 }), (steps) => {
        const spans = new OpenSpans<RowSpan>();
        steps.forEach(([begins, key], index) => {
          if (begins) spans.begin(String(key), at(index), plain);
          else spans.end(String(key), at(index));
        });
        const lane = spans.lane(at(steps.length));
        const kept = lane.spans ?? [];
        expect(kept).toHaveLength(steps.filter(([begins]) => begins).length);
        for (const one of kept)
          for (const other of kept) {
            const overlap = one !== other && one.row === other.row && one.from.entry < other.to.entry && other.from.entry < one.to.entry;
            expect(overlap).toBe(false);
          }
        expect(lane.atOnce).toBeLessThanOrEqual(7);
      }),
    );
  });

  it("are open while nothing says that they ended", () => {
    const spans = new OpenSpans<RowSpan>();
    spans.begin("a", at(1), plain);
    spans.begin("b", at(2), plain);
    spans.end("a", at(3));
    spans.end("never begun", at(4));
    expect(spans.lane(at(9)).spans).toMatchObject([
      { from: { entry: 1 }, to: { entry: 3 }, open: false },
      { from: { entry: 2 }, to: { entry: 9 }, open: true },
    ]);
  });

  it("are two when one begins again before it ended", () => {
    const spans = new OpenSpans<RowSpan>();
    spans.begin("a", at(1), plain);
    spans.begin("a", at(2), plain);
    expect(spans.lane(at(3)).spans).toMatchObject([
      { to: { entry: 2 }, open: true },
      { from: { entry: 2 }, to: { entry: 3 } },
    ]);
  });

  it("are counted and not kept when there are too many", () => {
    const spans = new OpenSpans<RowSpan>();
    for (let entry = 1; entry <= 601; entry++) spans.instant(at(entry), plain);
    expect(spans.lane(at(601))).toEqual({ spans: undefined, count: 601, atOnce: 1 });
  });

  it("are followed up to a bound, so that what is never ended cannot fill the memory", () => {
    const spans = new OpenSpans<RowSpan>();
    for (let entry = 1; entry <= 10_000; entry++) spans.begin(`call ${entry}`, at(entry), plain);
    expect(spans.openNow).toBe(256);
    expect(spans.count).toBe(10_000);
  });
});
