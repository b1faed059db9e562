import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { IntakeAdmission } from "../intake/admission.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { openEdge, type TestEdge, VIEWER_TOKEN } from "./testing/edge.ts";
import { validEventText } from "./testing/valid-event.ts";

const text = (name: string) => validEventText("aep", { extensions: { "x-name": name.padEnd(600, ".") } });
const lines = { headers: { "content-type": "application/x-ndjson" }, chunked: true };

/** A ledger whose disk is blocked until released. */
function hold(ledger: Ledger): { readonly release: () => void; readonly waiting: () => number } {
  const append = ledger.append.bind(ledger);
  const gate = Promise.withResolvers<void>();
  let waiting = 0;
  ledger.append = async (batch) => {
    waiting++;
    await gate.promise;
    return append(batch);
  };
  return { release: gate.resolve, waiting: () => waiting };
}

async function countsOf({ app }: TestEdge): Promise<unknown> {
  const response = await app.inject({ url: "/api/status", headers: { authorization: `Bearer ${VIEWER_TOKEN}` } });
  return (response.json() as { readonly counts: unknown }).counts;
}

describe("more than the queue holds", () => {
  it("is refused with 503, a time to come back, and a count; what was let in is stored", async () => {
    await using edge = await openEdge({}, new IntakeAdmission({ queueBytes: 5000, sourceShare: 1 }));
    const disk = hold(edge.ledger);
    const events = Array.from({ length: 20 }, (_, index) => text(String(index)));
    const answering = events.map((event) => edge.post(event));
    const refused = await Promise.race(answering);
    expect(refused).toMatchObject({ status: 503, body: { code: "OVERLOADED", hint: expect.any(String) } });
    expect(refused.headers["retry-after"]).toMatch(/^\d+$/);
    disk.release();
    const answers = await Promise.all(answering);
    const stored = answers.filter(({ status }) => status === 200).length;
    expect(stored).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(events.length - stored);
    expect(await edge.ledger.head()).toBe(stored);
    expect(await countsOf(edge)).toMatchObject([{ what: "overloaded", source: "local", howMany: events.length - stored }]);
    for (const event of events) expect((await edge.post(event)).status).toBe(200);
    expect(await edge.ledger.head()).toBe(events.length);
  });

  it("is not read any further when it is a stream, and goes on when there is room", async () => {
    await using edge = await openEdge({}, new IntakeAdmission({ queueBytes: 5000, sourceShare: 1 }));
    const disk = hold(edge.ledger);
    const streams = Array.from({ length: 20 }, (_, index) => edge.post([text(`${index} a`), text(`${index} b`)].join("\n"), lines));
    while (disk.waiting() === 0) await new Promise((resolve) => setImmediate(resolve));
    disk.release();
    for (const { status, body } of await Promise.all(streams)) {
      expect({ status, body }).toMatchObject({ status: 200, body: { stored: 2, refused: 0 } });
    }
    expect(await countsOf(edge)).toEqual([]);
  });

  it("is refused after all when a stream waited too long, told how much of it was stored, and counted", async () => {
    await using edge = await openEdge({ roomMs: 1 }, new IntakeAdmission({ queueBytes: 3000, sourceShare: 1 }));
    const disk = hold(edge.ledger);
    const first = edge.post([text("a"), text("b")].join("\n"), lines);
    while (disk.waiting() === 0) await new Promise((resolve) => setImmediate(resolve));
    const second = await edge.post([text("c"), text("d")].join("\n"), lines);
    expect(second).toMatchObject({ status: 503, body: { code: "OVERLOADED", stored: 0 } });
    disk.release();
    expect(await first).toMatchObject({ status: 200, body: { stored: 2 } });
    expect(await countsOf(edge)).toMatchObject([{ what: "overloaded", howMany: 1 }]);
  });
});

describe("bodies that are begun and not finished", () => {
  it("are let in as far as there is memory for what they have sent, and no further", async () => {
    await using edge = await openEdge({ eventBytes: 100 * 1024 * 1024, idleMs: 2000 });
    const begun = Buffer.alloc(40 * 1024 * 1024, "x");
    const unfinished = Array.from({ length: 4 }, () => {
      const payload = new Readable({ read() {} });
      payload.push(begun); // and never goes on
      return edge.app.inject({
        method: "POST",
        url: "/v1/events",
        headers: { "content-type": "application/x-ndjson", host: "127.0.0.1" },
        payload,
      });
    });
    const first = await Promise.race(unfinished);
    expect([first.statusCode, (first.json() as { code: string }).code]).toEqual([503, "OVERLOADED"]);
    const statuses = (await Promise.all(unfinished)).map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([408, 503, 503, 503]);
    expect((await edge.post(text("after"))).status).toBe(200); // what they held was given back
  });
});
