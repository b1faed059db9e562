import { describe, expect, it } from "vitest";
import type { Verdict } from "../verdict.ts";
import { Histogram, Meter, readGauges, writeMetrics } from "./metrics.ts";
import { readExposition } from "./testing/read-exposition.ts";

const stored: Verdict = { ok: true, position: 1, duplicate: false, flags: [], redactions: 0 };

describe("the text for Prometheus", () => {
  it("escapes what has a meaning of its own", () => {
    const odd = 'a "b" \\ c\nd';
    const text = writeMetrics([{ name: "x_bytes", help: odd, type: "gauge", samples: [{ labels: { file: odd }, value: 1 }] }]);
    expect(text).toBe('# HELP x_bytes a "b" \\\\ c\\nd\n# TYPE x_bytes gauge\nx_bytes{file="a \\"b\\" \\\\ c\\nd"} 1\n');
    expect(readExposition(text)).toEqual([{ name: "x_bytes", type: "gauge", samples: [["x_bytes", { file: odd }, 1]] }]);
  });

  it("writes every number as Prometheus reads it", () => {
    const samples = [1e21, -0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map((value) => ({ value }));
    const text = writeMetrics([{ name: "x", help: "", type: "gauge", samples }]);
    expect(text.split("\n").slice(2, 7)).toEqual(["x 1e+21", "x -0.5", "x NaN", "x +Inf", "x -Inf"]);
  });

  it("says nothing about what has no sample", () => {
    expect(writeMetrics([{ name: "x", help: "x", type: "gauge", samples: [] }])).toBe("");
  });
});

describe("a histogram", () => {
  it("counts a value in every bucket that it fits in, bounds included", () => {
    const histogram = new Histogram([0.1, 1]);
    for (const value of [0.05, 0.1, 0.5, 5]) histogram.add(value);
    const values = histogram.samples().map(({ suffix, labels, value }) => [suffix, labels?.["le"], value]);
    expect(values).toEqual([
      ["_bucket", "0.1", 2],
      ["_bucket", "1", 3],
      ["_bucket", "+Inf", 4],
      ["_sum", undefined, 5.65],
      ["_count", undefined, 4],
    ]);
  });
});

describe("what the hub measures", () => {
  const meter = new Meter();
  meter.countVerdict("aop", stored);
  meter.countVerdict("aop", { ...stored, duplicate: true });
  meter.countVerdict("aep", { ...stored, flags: [{ code: "SEQUENCE_BROKEN", message: "", severity: "error", rule: "x" }] });
  meter.countVerdict("unknown", { ok: false, problem: { code: "NOT_JSON", message: "" } });
  meter.countCommit(3);
  const gauges = {
    version: "1.2.3",
    head: 10,
    viewsPosition: 7,
    queueBytes: 5,
    listeners: 2,
    subscriptions: 3,
    uptimeSeconds: 1.5,
    sleptSeconds: 0,
  };
  const text = writeMetrics([...meter.metrics(), ...readGauges({ ...gauges, files: [import.meta.filename, "/nowhere"] })]);
  const families = readExposition(text);

  it("counts events by protocol and by what became of them", () => {
    expect(text).toContain('earshot_events_stored_total{protocol="aop"} 1\n');
    expect(text).toContain('earshot_events_duplicate_total{protocol="aop"} 1\n');
    expect(text).toContain('earshot_events_flagged_total{protocol="aep"} 1\n');
    expect(text).toContain('earshot_events_refused_total{protocol="unknown"} 1\n');
    expect(text).toContain('earshot_commit_duration_seconds_bucket{le="0.005"} 1\n');
    expect(text).toContain("earshot_views_lag_positions 3\n");
    expect(text).toMatch(/earshot_file_bytes\{file="metrics.test.ts"\} \d+\n/);
  });

  it("is named as Prometheus asks: a prefix, a unit, and _total for what only grows", () => {
    const names = families.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, type } of families) {
      expect(name).toMatch(/^(?:earshot|process)_[a-z0-9_]+$/);
      expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"]);
    }
  });
});
