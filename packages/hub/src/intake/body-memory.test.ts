import { JSON_LIMITS } from "@earshot/protocol";
import { describe, expect, test } from "vitest";
import { type LinesOptions, readLines } from "./read-lines.ts";

const LINES_BODY: LinesOptions = { maxEventBytes: 1 << 20, batchEvents: 100, batchBytes: 1 << 20 };

describe("a body in bounded memory", () => {
  const line = Buffer.from(`${JSON.stringify({ id: "0123456789", text: "é".repeat(200) })}\n`);
  const chunk = Buffer.concat(Array.from({ length: 150 }, () => line));

  async function* megabytes(totalBytes: number): AsyncGenerator<Buffer> {
    for (let bytes = 0; bytes < totalBytes; bytes += chunk.length) yield Buffer.from(chunk);
  }

  test("200 MB of lines are read", async () => {
    const totalBytes = 200e6;
    const before = process.memoryUsage();
    let pieces = 0;
    let mostRss = 0;
    let mostHeap = 0;
    for await (const batch of readLines(megabytes(totalBytes), LINES_BODY)) {
      pieces += batch.filter((piece) => "text" in piece).length;
      const { rss, heapUsed } = process.memoryUsage();
      mostRss = Math.max(mostRss, rss - before.rss);
      mostHeap = Math.max(mostHeap, heapUsed - before.heapUsed);
    }
    expect(pieces).toBeGreaterThanOrEqual(Math.floor(totalBytes / line.length));
    expect(mostHeap).toBeLessThan(100e6);
    expect(mostRss).toBeLessThan(200e6);
  });

  test("an event that arrives byte by byte costs its size, not a hundred times as much", async () => {
    const sizeBytes = 4 * 1024 * 1024;
    function* drip(): Generator<Buffer> {
      const source = Buffer.alloc(1024, "x");
      for (let index = 0; index < sizeBytes; index++) yield source.subarray(index % 1024, (index % 1024) + 1);
    }
    const before = process.memoryUsage();
    let most = 0;
    let count = 0;
    async function* watched(): AsyncGenerator<Buffer> {
      for (const byte of drip()) {
        if (++count % 100_000 === 0) most = Math.max(most, process.memoryUsage().rss - before.rss);
        yield byte;
      }
    }
    const options: LinesOptions = { ...LINES_BODY, maxEventBytes: JSON_LIMITS.maxCharacters };
    const { value } = await readLines(watched(), options).next();
    expect(value?.[0]?.sizeBytes).toBe(sizeBytes);
    expect(most).toBeLessThan(200e6);
  });
});
