import { describe, expect, it } from "vitest";
import type { Announcement } from "../announce/announcement.ts";
import { createAnnouncer } from "../announce/create-announcer.ts";
import { AnnouncementSpeaker } from "./announcement-speaker.ts";
import { AnnouncerFeed, EntryQueue } from "./announcer-feed.ts";
import { KnownSources } from "./known-sources.ts";
import { someConfirmation, someEntry, someRequest } from "./testing/some-request.ts";
import type { LiveLedgerEntry, LiveRequest, LiveUpdate } from "./wire.ts";

const PACE_WPM = 180;
const NOTHING: LiveUpdate = { position: 0, entries: [], leftOut: 0, alerts: [], requests: [] };

/** A listener at 180 words per minute with a manual clock. */
function listener(settings: Parameters<typeof createAnnouncer>[0] = {}, answers: Readonly<Record<string, unknown>> = {}) {
  let now = 0;
  const announcer = createAnnouncer({ source: "always", paceWpm: PACE_WPM, ...settings });
  const ear = new AnnouncerFeed({
    announcer,
    sources: new KnownSources(),
    me: "me",
    wants: () => "It wants to run git push",
    now: () => now,
    wallNow: () => Date.parse("2026-11-15T12:00:00.000Z") + now,
    ask: async <Answer>(path: string) => answers[path] as Answer,
    onUpdate: () => {},
    share: () => {},
  });
  const said: Announcement[] = [];
  const backlogs: number[] = [];
  let over: { readonly at: number; readonly end: () => void } | undefined;
  const speaker = new AnnouncementSpeaker({
    announcer,
    now: () => now,
    speak: ({ words }) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      over = { at: now + (words * 60_000) / PACE_WPM, end: resolve };
      return promise;
    },
    stop: () => {
      over = undefined;
    },
    isKnown: () => false,
    onSay: (announcement) => said.push(announcement),
    onOver: () => {},
  });
  const pass = async (ms: number) => {
    for (const until = now + ms; now < until; now += 50) {
      if (over !== undefined && over.at <= now) {
        over.end();
        over = undefined;
        await Promise.resolve();
      }
      ear.pass(false);
      speaker.sayNext();
      backlogs.push(announcer.backlog);
    }
  };
  return { announcer, ear, said, backlogs, pass, texts: () => said.map(({ text }) => text) };
}

function aop(position: number, session: string, type: string, payload: object): LiveLedgerEntry {
  return someEntry({
    position,
    protocol: "aop",
    session,
    agent: "scout",
    type,
    event: {
      spec: "aop/1.0",
      session_id: session,
      agent_id: "scout",
      sequence: position,
      timestamp: "2026-11-15T12:00:00.000Z",
      type,
      payload,
    },
  });
}

/** 500 events of 25 sessions at once. Three of the sessions fail. */
function burst(): readonly LiveLedgerEntry[] {
  return Array.from({ length: 500 }, (_, index) => {
    const session = `s${index % 25}`;
    const step = Math.floor(index / 25);
    const position = index + 1;
    if (step === 0) return aop(position, session, "session.started", { goal: `Look up number ${index}` });
    if (step === 10 && index % 25 < 3)
      return aop(position, session, "session.ended", { outcome: "failed", error_message: `Broken ${session}` });
    const call = { tool_name: "web_search", tool_call_id: `c${index}` };
    return step % 2 === 0
      ? aop(position, session, "operation.tool_end", { ...call, success: step % 6 !== 0, duration_ms: 10 })
      : aop(position, session, "operation.tool_start", { ...call, input: { query: `paper ${index}` } });
  });
}

describe("a burst of 500 events at 180 words a minute", () => {
  it("is told with what is critical first, nothing of it lost, and a backlog that has a bound", async () => {
    const { ear, said, backlogs, pass, texts } = listener();
    ear.handle({ ...NOTHING, position: 500, entries: burst() }, false);
    ear.hearRequest(someRequest({ id: "r9", position: 1 }), { what: "asked", request: "r9", session: "s1", text: "" });
    await pass(20 * 60_000);
    const critical = said.filter(({ urgency }) => urgency === "critical");
    expect(said.slice(0, critical.length)).toEqual(critical);
    for (const wanted of ["git push", "Broken s0", "Broken s1", "Broken s2"]) expect(texts().join("\n")).toContain(wanted);
    expect(Math.max(...backlogs)).toBeLessThan(60);
    expect(backlogs.at(-1)).toBe(0);
    expect(said.length).toBeLessThan(100);
  });
});

describe("the ear", () => {
  it("says in the language of its listener that something was left out, and what an alert is", async () => {
    const alert = { type: "stall", agent: "price-scout", message: "Nothing was heard for ten minutes.", sessionId: "s1" };
    for (const [language, words] of [
      ["en", ["7 more events were not announced.", "Silent for too long."]],
      ["de-AT", ["7 weitere Ereignisse wurden nicht angesagt.", "Zu lange still."]],
    ] as const) {
      const { ear, pass, texts } = listener({ language });
      ear.handle({ ...NOTHING, alerts: [alert], leftOut: 7 }, false);
      await pass(60_000);
      for (const wanted of words) expect(texts().join("\n")).toContain(wanted);
      expect(texts().join("\n")).toContain("Price scout");
      expect(texts().join("\n").includes("Nothing was heard")).toBe(language === "en");
    }
  });

  it("calls an agent by one name, whatever it calls itself", async () => {
    const { ear, pass, texts } = listener();
    const event = { type: "session.started", session_id: "s1", producer: { agent_id: "invoice-desk", agent_name: "Invoices of Ana" } };
    ear.handle(
      {
        ...NOTHING,
        position: 1,
        entries: [someEntry({ protocol: "aaep", agent: "invoice-desk", type: "session.started", position: 1, event })],
      },
      false,
    );
    const { asked, terms } = someRequest().card;
    const view: LiveRequest = { ...someRequest({ position: 1 }), card: { asked: { ...asked, agent: "invoice-desk", facts: {} }, terms } };
    ear.hearRequest(view, { what: "asked", request: "r1", session: "s1", text: "" });
    await pass(60_000);
    expect(texts().join("\n")).toMatch(/Invoice desk asks/);
    expect(texts().join("\n")).not.toMatch(/invoice-desk|Invoices of Ana/);
  });

  it("looks up what became of requests that were open before", async () => {
    const gone = someRequest({
      id: "r2",
      position: 8,
      decision: { state: "answered-by-person", by: "Ana's phone", answer: { word: "deny" } },
    });
    const { ear, pass, texts } = listener({}, { "/api/requests/r2": gone });
    await ear.hearOpen([someRequest({ id: "r1", position: 7 }), someRequest({ id: "r2", position: 8, decision: null })]);
    await pass(30_000);
    expect(await ear.hearOpen([someRequest({ id: "r1", position: 7 })])).toBe(1);
    await pass(30_000);
    expect(texts().at(-1)).toContain("was refused by Ana's phone");
    expect(ear.tracker.open).toEqual(["r1"]);
    const key = ear.tracker.keyOf("r1") ?? "";
    expect(ear.tracker.viewOf(key)?.id).toBe("r1");
    expect(ear.tracker.viewOf("nobody")).toBeUndefined();
  });
});

const never = () => false;

it("what may ask waits a moment for the hub's word, and what follows waits with it", () => {
  const queue = new EntryQueue();
  queue.push([someConfirmation({ position: 1 }), someEntry({ position: 2 }), someConfirmation({ position: 3 })], 1000);
  expect(queue.take(1000, never).map(({ position }) => position)).toEqual([1]);
  expect(queue.dueAt()).toBe(3000);
  expect(queue.take(2999, never)).toEqual([]);
  expect(queue.take(3000, never).map(({ position }) => position)).toEqual([2, 3]);
  expect(queue.dueAt()).toBeUndefined();
});

it("waits no longer once the hub has spoken", () => {
  const queue = new EntryQueue();
  queue.push([someEntry({ position: 2 }), someEntry({ position: 3 })], 1000);
  expect(queue.take(1001, (position) => position === 2).map(({ position }) => position)).toEqual([2]);
});

it("waits for nobody who cannot ask", () => {
  const queue = new EntryQueue();
  queue.push([someEntry({ verified: false }), someEntry({ type: "action.completed" })], 1000);
  expect(queue.take(1000, never)).toHaveLength(2);
});

it("waits no longer once something came of the action, or its hook was answered", () => {
  const { event } = someEntry();
  for (const after of [
    someEntry({ position: 9, type: "action.completed" }),
    someEntry({ position: 9, kind: "message", type: "hook.response", event: { action_id: "call_1" } }),
  ]) {
    const queue = new EntryQueue();
    const other = someEntry({ position: 8, event: { ...event, action: { type: "tool_call", id: "call_2" } } });
    queue.push([someEntry({ position: 7 }), other, after], 1000);
    expect(queue.take(1001, never).map(({ position }) => position)).toEqual([7]);
  }
});

it("what came of the same action of another session says nothing about it", () => {
  const queue = new EntryQueue();
  queue.push([someEntry(), someEntry({ session: "s2", type: "action.completed" })], 1000);
  expect(queue.take(1001, never)).toEqual([]);
});
