import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { readMergedId, writeMergedId } from "./merged-id.ts";
import { placeOf } from "./resume-point.ts";

const position = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 2 ** 45 }));
const facts = fc
  .record({
    last: position,
    span: fc.nat(5000),
    skip: fc.nat(16_384),
    ahead: fc.nat(10_000),
    behind: fc.uniqueArray(fc.integer({ min: 1, max: 5000 }), { maxLength: 40 }),
    skips: fc.array(fc.nat(16_384), { minLength: 1, maxLength: 5 }),
    key: fc.string({ minLength: 1, maxLength: 20 }),
  })
  .map(({ last, span, skip, ahead, behind, skips, key }) => {
    const upTo = last + ahead;
    const lanes = behind
      .filter((distance) => distance < upTo)
      .map((distance, index) => ({ position: upTo - distance, skip: index % 2 === 0 ? 0 : (skips[index % skips.length] ?? 0) }))
      .sort((a, b) => a.position - b.position);
    return { first: Math.max(1, last - span), last, skip, key, resume: { upTo, lanes } };
  });

describe("the id of a merged event", () => {
  it("is an id, and says what it was made from and where to go on", () => {
    fc.assert(
      fc.property(facts, ({ first, last, skip, key, resume }) => {
        const id = writeMergedId(first, last, skip, key, resume);
        expect(id).toMatch(/^evt_[A-Za-z0-9]{1,64}$/);
        const read = readMergedId(id);
        expect(read).toMatchObject({ first, last });
        if (read === undefined) return;
        const named = read.resume.lanes.length;
        expect(read.resume.lanes).toEqual(resume.lanes.slice(0, named));
        // What is not named lies beyond the point to go on from: it comes again, and is not lost.
        const next = resume.lanes[named];
        expect(read.resume.upTo).toBe(next === undefined ? resume.upTo : Math.min(resume.upTo, next.position - 1));
        expect(placeOf(read.resume)).toBeLessThanOrEqual(placeOf(resume));
      }),
      { numRuns: propertyRuns() },
    );
  });

  it("names a dozen lanes of a busy stream", () => {
    const lanes = Array.from({ length: 12 }, (_, index) => ({ position: 1_000_000 - 7 * (12 - index), skip: 0 }));
    const read = readMergedId(writeMergedId(999_950, 999_990, 0, "abc", { upTo: 1_000_003, lanes }));
    expect(read?.resume.lanes).toEqual(lanes);
  });

  it("is the same for the same merge, and another for other terms, another part or another place", () => {
    const resume = { upTo: 20, lanes: [] };
    const id = writeMergedId(10, 15, 0, "terms", resume);
    expect(writeMergedId(10, 15, 0, "terms", resume)).toBe(id);
    const others = [
      writeMergedId(10, 15, 0, "other", resume),
      writeMergedId(10, 15, 3, "terms", resume),
      writeMergedId(11, 15, 0, "terms", resume),
      writeMergedId(10, 15, 0, "terms", { upTo: 21, lanes: [] }),
      writeMergedId(10, 15, 0, "terms", { upTo: 20, lanes: [{ position: 15, skip: 4 }] }),
    ];
    expect(new Set([id, ...others]).size).toBe(6);
  });

  it("is told from other ids, also from one that was changed", () => {
    const id = writeMergedId(10, 15, 0, "terms", { upTo: 20, lanes: [] });
    for (const other of ["evt_1", "evt_M", "evt_MMMMMMMMMMMMMMMMMMMM", `${id}0`, id.slice(0, -1), id.replace(/.$/, "z"), "", "sess_1"]) {
      expect(readMergedId(other)).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9]{1,59}$/), (text) => {
        expect(() => readMergedId(`evt_M${text}`)).not.toThrow();
      }),
      { numRuns: propertyRuns() },
    );
  });
});
