import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { Ledger, LedgerEntry } from "../ledger/ledger.ts";
import { type LiveFilter, readyFilter } from "./frames.ts";
import type { LiveStream } from "./live-stream.ts";
import { LiveStreams } from "./live-streams.ts";
import { type EventLedger, openEventLedger } from "./testing/event-ledger.ts";
import { LINE_ENCODING, RecordingListener } from "./testing/recording-listener.ts";

type Step =
  | { readonly do: "say"; readonly count: number; readonly session: string; readonly type: string }
  | { readonly do: "join"; readonly filter: LiveFilter; readonly from: number | "now" }
  | { readonly do: "leave" | "resume" | "block" | "unblock"; readonly who: number }
  | { readonly do: "turns"; readonly count: number }
  | { readonly do: "tick" };

const session = fc.constantFrom("s1", "s2", "s3");
const type = fc.constantFrom("tool.start", "tool.end", "state");
const who = fc.nat(7);
const filter: fc.Arbitrary<LiveFilter> = fc.oneof(
  fc.constant({}),
  fc.record({ session }),
  fc.record({ type: fc.array(fc.constantFrom("tool.start", "tool.*", "state"), { minLength: 1, maxLength: 2 }) }),
  fc.record({ session, type: fc.constant(["tool.*"]) }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("say" as const), count: fc.integer({ min: 1, max: 40 }), session, type }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("join" as const), filter, from: fc.oneof(fc.nat(100), fc.constant("now" as const)) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("leave", "resume", "block", "unblock"), who }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("turns" as const), count: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.constant({ do: "tick" as const }) },
);

/** A listener that disconnects and reconnects from its last position. */
class Guest {
  readonly filter: LiveFilter;
  readonly began: number;
  readonly heard: number[] = [];
  listener = new RecordingListener();
  stream: LiveStream;

  constructor(stream: LiveStream, listener: RecordingListener, filter: LiveFilter) {
    this.stream = stream;
    this.listener = listener;
    this.filter = filter;
    this.began = Number(listener.lines[0]?.["hello"]);
  }

  /** Like a browser: the last frame's position of any kind is the resume point. */
  leave(): number {
    this.stream.leave();
    const positions = this.listener.lines.map(({ position, hello, heartbeat }) => Number(position ?? hello ?? heartbeat));
    this.heard.push(...this.listener.positions);
    this.listener = new RecordingListener();
    return positions.at(-1) ?? this.began;
  }

  drain(): void {
    this.listener.full = false;
    this.stream.drained();
  }
}

async function play(steps: readonly Step[], spoken: EventLedger, streams: LiveStreams): Promise<readonly Guest[]> {
  const guests: Guest[] = [];
  const enter = async (listener: RecordingListener, guestFilter: LiveFilter, after: number | "now"): Promise<LiveStream> => {
    const stream = await streams.join(listener, { after, filter: guestFilter, encoding: LINE_ENCODING });
    stream.start();
    return stream;
  };
  const sayings: Promise<unknown>[] = [];
  const resume = async (guest: Guest): Promise<void> => {
    const after = guest.leave();
    guest.stream = await enter(guest.listener, guest.filter, after);
  };
  for (const one of steps) {
    if (one.do === "say") sayings.push(spoken.say(...Array.from({ length: one.count }, () => ({ session: one.session, type: one.type }))));
    if (one.do === "turns") for (let turn = 0; turn < one.count; turn++) await nextTurn();
    if (one.do === "tick") streams.tick();
    if (one.do === "join") {
      const head = await spoken.ledger.head();
      const listener = new RecordingListener();
      const after = one.from === "now" ? "now" : Math.min(one.from, head);
      guests.push(new Guest(await enter(listener, one.filter, after), listener, one.filter));
    }
    if (!("who" in one)) continue;
    const guest = guests[one.who];
    if (guest === undefined) continue;
    if (one.do === "leave") guest.stream.leave();
    if (one.do === "resume") await resume(guest);
    if (one.do === "block") guest.listener.full = true;
    if (one.do === "unblock") guest.drain();
  }
  await Promise.all(sayings);
  for (const guest of guests) await resume(guest);
  return guests;
}

async function readAll(ledger: Ledger): Promise<readonly LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for (let after = 0; ; ) {
    const page = await ledger.read({ after, limit: 1000 });
    if (page.upTo === after) return entries;
    entries.push(...page.entries);
    after = page.upTo;
  }
}

describe("every listener", () => {
  it("hears what its filter lets through exactly once and in order, however often it leaves, stalls and resumes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), fc.boolean(), async (steps, slowly) => {
        await using spoken = openEventLedger();
        const read = spoken.ledger.read.bind(spoken.ledger);
        if (slowly)
          vi.spyOn(spoken.ledger, "read").mockImplementation(async (query) => {
            await nextTurn();
            const page = await read(query);
            await nextTurn();
            return page;
          });
        let now = 0;
        const streams = new LiveStreams(spoken.ledger, {
          now: () => (now += 500), // every look at the clock is half a second later: heartbeats are frequent
          recentCharacters: 1000,
          stuckAfterMs: Number.POSITIVE_INFINITY,
          maxPauseMs: 1,
          onFailure: (error) => {
            throw error;
          },
        });
        const guests = await play(steps, spoken, streams);
        const head = await spoken.ledger.head();
        await vi.waitFor(() => expect(guests.every(({ stream }) => stream.position === head)).toBe(true), {
          timeout: 5000,
          interval: 1,
        });
        const entries = await readAll(spoken.ledger);
        for (const guest of guests) {
          guest.leave();
          const { matches } = readyFilter(guest.filter);
          expect(guest.heard).toEqual(
            entries.filter((entry) => entry.position > guest.began && matches(entry)).map(({ position }) => position),
          );
        }
        await streams.close();
      }),
      { numRuns: 150 },
    );
  });
});
