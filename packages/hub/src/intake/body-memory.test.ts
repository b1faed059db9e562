import { JSON_LIMITS } from "@earshot/protocol";
import { describe, expect, test } from "vitest";
import { type BodyOptions, readBody } from "./body.ts";

const JSON_BODY: BodyOptions = { layout: "json", maxEventBytes: 1 << 20, batchEvents: 100, batchBytes: 1 << 20 };
const LINES_BODY: BodyOptions = { ...JSON_BODY, layout: "lines" };

describe("a body in bounded memory", () => {
  const line = Buffer.from(`${JSON.stringify({ id: "0123456789", text: "é".repeat(200) })}\n`);
  const event = line.subarray(0, -1);
  const chunkLines = 150;

  async function* megabytes(layout: "lines" | "array", totalBytes: number): AsyncGenerator<Buffer> {
    const unit = layout === "lines" ? line : Buffer.concat([Buffer.from(","), event]);
    const chunk = Buffer.concat(Array.from({ length: chunkLines }, () => unit));
    if (layout === "array") yield Buffer.concat([Buffer.from("["), event]);
    for (let bytes = 0; bytes < totalBytes; bytes += chunk.length) yield Buffer.from(chunk);
    if (layout === "array") yield Buffer.from("]");
  }

  test.each([["lines", 200e6] as const, ["array", 50e6] as const])("%s of %d bytes are read", async (layout, totalBytes) => {
    const before = process.memoryUsage();
    let pieces = 0;
    let mostRss = 0;
    let mostHeap = 0;
    for await (const batch of readBody(megabytes(layout, totalBytes), layout === "lines" ? LINES_BODY : JSON_BODY)) {
      pieces += batch.pieces.filter((piece) => "text" in piece).length;
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
    const options: BodyOptions = { ...JSON_BODY, maxEventBytes: JSON_LIMITS.maxCharacters };
    const { value } = await readBody(watched(), options).next();
    expect(value?.pieces[0]?.sizeBytes).toBe(sizeBytes);
    expect(most).toBeLessThan(200e6);
  });
});
