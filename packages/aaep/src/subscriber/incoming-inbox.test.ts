import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import type { IncomingEvent } from "./incoming.ts";
import { IncomingQueue, ResumePoint } from "./incoming-inbox.ts";

function incoming(session: string, critical: boolean, eventId: string): IncomingEvent {
  return { event: {}, text: "", eventId, type: "aaep:agent.tool.invoked", session, agent: "a", critical, core: true };
}

describe("what waits to be taken", () => {
  it("keeps the order of each session, loses nothing, and lets what is critical pass the other sessions", () => {
    const said = fc.array(fc.record({ session: fc.constantFrom("a", "b", "c"), critical: fc.boolean(), take: fc.nat(3) }));
    fc.assert(
      fc.property(said, (all) => {
        const queue = new IncomingQueue(1000);
        const taken: IncomingEvent[] = [];
        all.forEach(({ session, critical: isCritical, take }, index) => {
          queue.push(incoming(session, isCritical, String(index)));
          const got = queue.take(take);
          const first = got[0];
          if (first !== undefined && !first.critical) {
            // Only events that precede a critical one of their session overtake others.
            const waiting = queue.take(1000);
            const rest = [...got, ...waiting].filter(({ critical }) => critical);
            if (!rest.some(({ session }) => session === first.session)) expect(rest).toEqual([]);
            taken.push(...got, ...waiting);
          } else taken.push(...got);
        });
        taken.push(...queue.take(10_000));
        expect(taken.map(({ eventId }) => Number(eventId)).sort((one, other) => one - other)).toEqual(all.map((_one, index) => index));
        for (const session of ["a", "b", "c"]) {
          const own = taken.filter((one) => one.session === session).map(({ eventId }) => Number(eventId));
          expect(own).toEqual([...own].sort((one, other) => one - other));
        }
      }),
      { numRuns: propertyRuns() },
    );
  });

  it("says when it is full", () => {
    const queue = new IncomingQueue(2);
    queue.push(incoming("a", false, "1"));
    expect(queue.isFull).toBe(false);
    queue.push(incoming("a", true, "2"));
    expect(queue.isFull).toBe(true);
  });
});

describe("the place to resume from", () => {
  it("is never after something that was not dealt with", () => {
    const order = fc.integer({ min: 1, max: 3000 }).chain((count) => fc.shuffledSubarray([...Array(count).keys()]));
    fc.assert(
      fc.property(order, (dealt) => {
        const point = new ResumePoint("evt_before");
        const count = Math.max(0, ...dealt) + 1;
        const marks = [...Array(count).keys()].map((index) => point.arrived(index % 3 === 0 ? `evt_${index}` : undefined));
        const done = new Set<number>();
        for (const index of dealt) {
          const mark = marks[index];
          if (mark !== undefined) point.dealtWith(mark);
          done.add(index);
        }
        let upTo = 0;
        while (done.has(upTo)) upTo++;
        const last = [...Array(upTo).keys()].filter((index) => index % 3 === 0).at(-1);
        expect(point.after).toBe(last === undefined ? "evt_before" : `evt_${last}`);
      }),
      { numRuns: propertyRuns(1 / 4) },
    );
  });
});
