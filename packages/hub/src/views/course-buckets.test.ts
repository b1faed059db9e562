import fc from "fast-check";
import { expect, test } from "vitest";
import { CourseBuckets } from "./course-buckets.ts";

const at = { position: 1, tool: "Bash" };

test("a span fills the parts that it covers, and counts where it begins and where it fails", () => {
  const course = new CourseBuckets(1000, 2000, 4);
  course.add({ ...at, state: "waiting", from: 1000, to: 1300 });
  course.add({ ...at, state: "failed", from: 1300, to: 1600 });
  course.add({ ...at, state: "tool", from: 1900 });
  expect(course.toCourse()).toEqual({
    from: 1000,
    to: 2000,
    buckets: [
      { calls: 0, failed: 0, toolMs: 0, waitingMs: 250 },
      { calls: 1, failed: 0, toolMs: 200, waitingMs: 50 },
      { calls: 0, failed: 1, toolMs: 100, waitingMs: 0 },
      { calls: 1, failed: 0, toolMs: 100, waitingMs: 0 },
    ],
  });
});

test("no span is lost or fills a part more than once, wherever it lies", () => {
  const span = fc.record({ from: fc.integer({ min: -500, max: 1500 }), lengthMs: fc.integer({ min: 0, max: 900 }) });
  fc.assert(
    fc.property(fc.array(span, { maxLength: 20 }), fc.integer({ min: 1, max: 30 }), (spans, count) => {
      const course = new CourseBuckets(0, 1000, count);
      for (const { from, lengthMs } of spans) course.add({ ...at, state: "tool", from, to: from + lengthMs });
      const { buckets } = course.toCourse();
      expect(buckets.reduce((sum, { calls }) => sum + calls, 0)).toBe(spans.length);
      for (const { toolMs } of buckets) expect(toolMs).toBeLessThanOrEqual(Math.ceil(1000 / count));
    }),
  );
});
