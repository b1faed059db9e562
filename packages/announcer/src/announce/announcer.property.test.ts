import type { Activity } from "@earshot/protocol/activities";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sampleActivity } from "../../../narrate/src/testing/acts.ts";
import type { Announcement } from "./announcement.ts";
import type { Announcer } from "./announcer.ts";
import { createAnnouncer } from "./create-announcer.ts";
import type { AnnouncerSettings } from "./settings.ts";
import { speakUntil } from "./testing/speak-until.ts";

const GATHER_MS = 100;
const MAX_CRITICAL = 256;
const MAX_ITEMS = 16;
const MAX_STATES = 8;
/** Summaries of sessions, of requests and of their outcomes. */
const SUMMARIES = 3;
const DAY = 24 * 3_600_000;

type Step =
  | { readonly do: "say"; readonly what: number; readonly session: number; readonly times: number }
  | { readonly do: "wait"; readonly ms: number; readonly cut: boolean }
  | { readonly do: "change"; readonly changes: Partial<AnnouncerSettings> };

const changes = fc.record<Partial<AnnouncerSettings>>(
  {
    load: fc.constantFrom("low", "medium", "high"),
    verbosity: fc.constantFrom("terse", "normal", "detailed"),
    quiet: fc.boolean(),
    follow: fc.constantFrom(undefined, "s1", "s2"),
    mutes: fc.constantFrom([], [{ session: "s1" }], [{ project: "p2" }], [{ agent: "agent 3" }]),
    source: fc.constantFrom("always", "several"),
  },
  { requiredKeys: [] },
);

function steps(sessions: number): fc.Arbitrary<readonly Step[]> {
  const say = fc.record({
    do: fc.constant("say" as const),
    what: fc.nat(99),
    session: fc.nat(sessions - 1),
    times: fc.integer({ min: 1, max: 40 }),
  });
  const wait = fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(0, 50, 1000, 20_000, 200_000), cut: fc.boolean() });
  const change = fc.record({ do: fc.constant("change" as const), changes });
  return fc.array(fc.oneof({ weight: 6, arbitrary: say }, { weight: 4, arbitrary: wait }, { weight: 1, arbitrary: change }), {
    maxLength: 40,
  });
}

/** The announcer's inputs and outputs so far. */
class Story {
  readonly announcer: Announcer;
  at = 0;
  count = 0;
  /** Everything spoken to its end, with times. */
  readonly spoken: { readonly announcement: Announcement; readonly from: number; readonly heard: number }[] = [];
  readonly criticals = new Map<string, { readonly at: number }>();
  readonly states = new Map<string, { readonly words: string; readonly heard: number }>();
  /** Whether texts are shown at once, as on a braille display, instead of taking time to speak. */
  isShown = false;
  readonly tokens: { readonly session: string; readonly token: string }[] = [];
  /** Called whenever an announcement begins. */
  readonly onStart: (announcement: Announcement, story: Story) => void;

  constructor(announcer: Announcer, onStart: (announcement: Announcement, story: Story) => void = () => undefined) {
    this.announcer = announcer;
    this.onStart = onStart;
  }

  run(all: readonly Step[]): void {
    for (const step of all) {
      if (step.do === "change") this.announcer.change(step.changes, this.at);
      else if (step.do === "wait") this.wait(step.ms, step.cut);
      else for (let time = 0; time < step.times; time++) this.say(step.what + time * 7, step.session);
    }
  }

  say(what: number, number: number): void {
    this.count++;
    const activity = this.#activity(what, number, `e${this.count}`);
    if (activity !== undefined) this.announcer.handle(activity, this.at);
  }

  #activity(what: number, number: number, id: string): Activity | undefined {
    const session = `s${number}`;
    const base = { session, agent: `agent ${number}`, agentName: `Agent ${number}`, workspace: `/work/p${number}`, eventId: id };
    switch (what % 13) {
      case 0:
      case 1:
        return sampleActivity("tool.started", { ...base, tool: `tool ${id}`, callId: id });
      case 2:
        return sampleActivity("tool.ended", { ...base, tool: "Bash", outcome: "failed", error: `exit ${id}` });
      case 3:
      case 4:
        this.states.set(session, { words: `is state ${id}`, heard: this.count });
        return sampleActivity("state", { ...base, to: `state ${id}` });
      case 5:
        return sampleActivity("progress", { ...base, percent: what });
      case 6:
        return sampleActivity("output.chunk", {
          ...base,
          text: `The ${id} says so. And`,
          last: what % 3 === 0,
          outputId: `out${what % 6}`,
        });
      case 7:
        return sampleActivity("response", { ...base, text: `Answer ${id}. ${"More words to it. ".repeat(what % 40)}` });
      case 8:
        this.criticals.set(id, { at: this.at });
        this.tokens.push({ session, token: id });
        return sampleActivity("request.asked", {
          ...base,
          request: "confirmation",
          token: id,
          prompt: `Do ${id}`,
          ...(what % 2 === 0 ? {} : { timeoutMs: 30_000 }),
        });
      case 9: {
        const answered = this.tokens.pop();
        return answered && sampleActivity("request.answered", { ...base, ...answered, answer: "accept" });
      }
      case 10:
        if (what % 3 > 0) return sampleActivity("notification", { ...base, text: `Note ${id}` });
        this.criticals.set(id, { at: this.at });
        return sampleActivity("notification", { ...base, text: `Fire ${id}`, urgency: "critical" });
      case 11: {
        const outcome = what % 3 === 0 ? "failed" : "completed";
        if (outcome === "failed") this.criticals.set(id, { at: this.at });
        this.states.set(session, { words: outcome === "failed" ? "failed" : "is done", heard: this.count });
        return sampleActivity("session.closed", { ...base, outcome });
      }
      default:
        this.states.set(session, { words: "", heard: this.count });
        return sampleActivity("session.opened", { ...base, goal: `Goal ${id}` });
    }
  }

  /** Speaks everything due. With `cut`, every second announcement is interrupted once. */
  wait(ms: number, cut: boolean): void {
    const until = this.at + ms;
    let number = 0;
    for (;;) {
      const due = this.announcer.dueAt();
      if (due === undefined || due > this.at) expect(this.announcer.next(this.at), "said before it was due").toBeUndefined();
      if (due === undefined || Math.max(due, this.at) > until) break;
      this.at = Math.max(due, this.at);
      const announcement = this.announcer.next(this.at);
      if (announcement === undefined) {
        expect(this.announcer.dueAt() ?? DAY * 1000, "due, and nothing to say").toBeGreaterThan(this.at);
        continue;
      }
      this.onStart(announcement, this);
      const from = this.at;
      if (cut && number++ % 2 === 1) {
        this.at += 10;
        this.announcer.interrupted(announcement.id, this.at);
        continue;
      }
      if (!this.isShown) this.at += (announcement.words * 60_000) / this.announcer.settings.paceWpm;
      this.announcer.spoken(announcement.id, this.at);
      this.spoken.push({ announcement, from, heard: this.count });
    }
    this.at = Math.max(this.at, until);
  }

  drain(): void {
    this.announcer.change({ quiet: false }, this.at);
    this.wait(DAY, false);
  }
}

const RUNS = { numRuns: 150 };

describe("whatever is said, in whatever order", () => {
  test("everything critical is told once, or how it ended where that was before", () => {
    fc.assert(
      fc.property(steps(6), (all) => {
        const story = new Story(createAnnouncer());
        story.run(all);
        story.drain();
        const critical = story.spoken
          .filter(({ announcement }) => announcement.urgency === "critical")
          .map(({ announcement }) => announcement);
        expect(critical.reduce((sum, { count }) => sum + count, 0)).toBe(story.criticals.size);
        const told = critical.flatMap(({ about, events, requests }) => (about === "request" || about === "settled" ? requests : events));
        expect(new Set(told).size).toBe(told.length);
      }),
      RUNS,
    );
  });

  test("nothing else begins while something critical waits", () => {
    fc.assert(
      fc.property(steps(6), (all) => {
        const told = new Set<string>();
        const story = new Story(createAnnouncer(), (announcement, { criticals, at }) => {
          for (const id of announcement.requests) told.add(id.slice(id.indexOf("/") + 1));
          for (const id of announcement.events) told.add(id);
          if (announcement.urgency === "critical") return;
          expect([...criticals].filter(([id, { at: heard }]) => !told.has(id) && heard + GATHER_MS <= at)).toEqual([]);
        });
        // Few enough that none of them is only counted.
        story.run(all.map((step) => (step.do === "say" ? { ...step, times: Math.min(step.times, 3) } : step)).slice(0, 30));
        story.drain();
      }),
      RUNS,
    );
  });

  test("the backlog is bounded, also in words", () => {
    fc.assert(
      fc.property(fc.oneof(steps(3), steps(400)), (all) => {
        const story = new Story(createAnnouncer());
        for (const step of all) {
          story.run([step]);
          expect(story.announcer.backlog).toBeLessThanOrEqual(
            Math.min(story.criticals.size, MAX_CRITICAL) + MAX_ITEMS + MAX_STATES + SUMMARIES,
          );
        }
        const before = story.spoken.length;
        story.drain();
        const left = story.spoken.slice(before).filter(({ announcement }) => announcement.urgency !== "critical");
        expect(left.reduce((sum, { announcement }) => sum + announcement.words, 0)).toBeLessThan(1000);
      }),
      RUNS,
    );
  });

  test("the last state of every session is told in the end, muted or not", () => {
    fc.assert(
      fc.property(steps(6), (all) => {
        const story = new Story(createAnnouncer());
        story.run(all);
        story.drain();
        for (const [session, { words, heard }] of story.states) {
          const telling = story.spoken.some(
            ({ announcement: { sessions, text, about }, heard: when }) =>
              when >= heard &&
              sessions.includes(session) &&
              (text.toLowerCase().includes(words) || text.includes("waits for you") || sessions.length > 5) &&
              (words !== "" || about === "started" || about === "digest" || about === "state"),
          );
          expect(telling, `${session}: ${words}\n${story.spoken.map(({ announcement }) => announcement.text).join("\n")}`).toBe(true);
        }
      }),
      RUNS,
    );
  });

  test("everything is said or summed up in the end: nothing waits for ever", () => {
    fc.assert(
      fc.property(steps(20), (all) => {
        const story = new Story(createAnnouncer());
        story.run(all);
        story.drain();
        expect(story.announcer.backlog).toBe(0);
        expect(story.announcer.dueAt()).toBeUndefined();
      }),
      RUNS,
    );
  });

  test("nothing but what is critical is older than ten seconds when it is said, and nothing of a session follows its end", () => {
    fc.assert(
      fc.property(steps(6), (all) => {
        const ends = new Map<string, number>();
        const story = new Story(createAnnouncer(), ({ about, urgency, heardAt, sessions, text }, { at }) => {
          if (urgency !== "critical") expect(at - heardAt, text).toBeLessThanOrEqual(10_000);
          const [session = "", ...others] = sessions;
          if (others.length > 0) return;
          if (about === "tool" || about === "state") expect(heardAt, text).toBeGreaterThanOrEqual(ends.get(session) ?? heardAt);
          if (about === "ended" || about === "failure") ends.set(session, heardAt);
        });
        story.run(all);
        story.drain();
      }),
      RUNS,
    );
  });

  test("no more words than the pace allows, but for what is critical", () => {
    fc.assert(
      fc.property(steps(6), fc.integer({ min: 50, max: 1000 }), fc.boolean(), (all, paceWpm, isShown) => {
        let free = Number.NEGATIVE_INFINITY;
        const story = new Story(createAnnouncer({ paceWpm }), ({ urgency, words }, { at }) => {
          if (urgency !== "critical") expect(at).toBeGreaterThanOrEqual(free - 1);
          free = Math.max(free, at) + (words * 60_000) / paceWpm;
        });
        story.isShown = isShown;
        story.run(all);
        story.drain();
      }),
      RUNS,
    );
  });
});

test.each([1, 5, 20, 100])("with %i calls a second from one session, a state of another is heard within a minute", (rate) => {
  const announcer = createAnnouncer();
  announcer.handle(sampleActivity("state", { session: "quiet one", agentName: "Mouse", to: "thinking" }), 0);
  const heard: Announcement[] = [];
  for (let at = 0; at < 60_000; at += 1000 / rate) {
    announcer.handle(sampleActivity("tool.started", { tool: "Bash" }), at);
    heard.push(...speakUntil(announcer, at, at + 1000 / rate));
  }
  expect(heard.some(({ text }) => text.includes("Mouse"))).toBe(true);
});
