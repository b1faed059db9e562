import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { LogFeed } from "./log-feed.ts";
import { RecentEvents } from "./pump.ts";
import { EventMaker } from "./testing/test-producer.ts";

describe("a log in memory", () => {
  it("gives what follows a position, in order, and wakes listeners", async () => {
    const log = new LogFeed();
    const make = new EventMaker();
    const wake = vi.fn();
    const stop = log.onMore(wake);
    const heard = [make.started(), make.tool(), make.completed()].map((event) => log.append(event));
    expect(wake).toHaveBeenCalledTimes(3);
    stop();
    expect(await log.read(0, 2)).toEqual({ heard: heard.slice(0, 2), upTo: 2, missed: false });
    expect(await log.read(2, 2)).toEqual({ heard: heard.slice(2), upTo: 3, missed: false });
    expect(await log.read(3, 2)).toEqual({ heard: [], upTo: 3, missed: false });
    expect(await log.find(heard[1]?.eventId ?? "")).toBe(2);
    expect(log.head()).toBe(3);
  });

  it("keeps the newest within its bounds, and says what was missed", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 300, max: 20_000 }),
        fc.nat(100),
        async (events, characters, count) => {
          const log = new LogFeed({ maxEvents: events, maxCharacters: characters });
          const make = new EventMaker();
          const all = Array.from({ length: count }, () => log.append(make.tool()));
          const page = await log.read(0, 1000);
          expect(page.heard.length).toBeLessThanOrEqual(events);
          expect(page.heard.slice(1).reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(characters);
          expect(page.heard).toEqual(all.slice(all.length - page.heard.length));
          expect(page.missed).toBe(page.heard.length < all.length);
          expect(page.upTo).toBe(count);
          for (const one of all) expect(await log.find(one.eventId)).toBe(page.heard.includes(one) ? one.position : undefined);
        },
      ),
      { numRuns: propertyRuns() },
    );
  });

  it("knows which sessions run, what they do and what they ask", async () => {
    const log = new LogFeed();
    const make = new EventMaker();
    log.append(make.started());
    log.append(make.make("state.changed", { from_state: "idle", to_state: "thinking", summary_normal: "Looking it up." }));
    log.append(make.started("sess_two"));
    log.append(make.tool("sess_three"));
    const asked = log.append(make.confirmation("sess_two"));
    expect(await log.running()).toMatchObject([
      {
        session: "sess_one",
        state: "thinking",
        summary: "Looking it up.",
        position: 2,
        language: "en",
        producer: { agent_id: "test-agent" },
      },
      { session: "sess_two", state: "awaiting_input", asks: [asked], position: 5 },
    ]);
    log.append(make.state("awaiting_input", "thinking", "sess_two"));
    log.append(make.completed());
    const [left, ...rest] = await log.running();
    expect(left).toMatchObject({ session: "sess_two", state: "thinking" });
    expect(left?.asks).toBeUndefined();
    expect(rest).toEqual([]);
  });
});

describe("what was read last", () => {
  it("is the same as what the feed says, or nothing", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 9000 }),
        fc.integer({ min: 1, max: 400 }),
        fc.array(fc.tuple(fc.nat(9000), fc.integer({ min: 1, max: 300 })), { maxLength: 10 }),
        async (count, pageSize, asked) => {
          const log = new LogFeed({ maxEvents: 100_000, maxCharacters: Number.POSITIVE_INFINITY });
          const make = new EventMaker();
          const recent = new RecentEvents(0);
          for (let index = 0; index < count; index++) log.append(make.tool());
          while (recent.upTo < count) recent.push(await log.read(recent.upTo, pageSize));
          for (const [after, limit] of [...asked, [count, 10] as const, [Math.max(0, count - 100), 20] as const]) {
            const page = recent.read(after, limit);
            if (page !== undefined) expect(page).toEqual(await log.read(after, limit));
            else expect(after > count || after < count - 4000).toBe(true);
          }
        },
      ),
      { numRuns: propertyRuns(1 / 8) },
    );
  });
});
