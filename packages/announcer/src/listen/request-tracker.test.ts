import { describe, expect, it } from "vitest";
import type { Announcer } from "../announce/announcer.ts";
import { createAnnouncer } from "../announce/create-announcer.ts";
import { KnownSources } from "./known-sources.ts";
import { RequestTracker } from "./request-tracker.ts";
import { decidedRequest, someConfirmation, someEntry, someRequest } from "./testing/some-request.ts";
import type { LiveRequestNews } from "./wire.ts";

interface Desk {
  readonly announcer: Announcer;
  readonly desk: RequestTracker;
  /** The announcements between two times with their urgency. */
  listen(from: number, to: number): readonly string[];
}

function openDesk(settings: Parameters<typeof createAnnouncer>[0] = {}): Desk {
  const announcer = createAnnouncer({ source: "always", paceWpm: 1000, ...settings });
  const desk = new RequestTracker({ announcer, sources: new KnownSources(), me: "my browser", wants: () => "It wants to run git push" });
  const listen = (from: number, to: number) => {
    const heard: string[] = [];
    for (let at = from; at <= to; at += 50) {
      const announcement = announcer.next(at);
      if (announcement === undefined) continue;
      heard.push(`${announcement.urgency}: ${announcement.text}`);
      announcer.spoken(announcement.id, at);
    }
    return heard;
  };
  return { announcer, desk, listen };
}

function news(what: string, text = ""): LiveRequestNews {
  return { what, request: "r1", session: "s1", text };
}

const ASKS = "critical: Claude Code in shop asks: It wants to run git push. You have about ten minutes.";

describe("requests that are heard", () => {
  it("is told once that a coding agent asks, and not that it acts, when the hub is faster than the ledger", () => {
    const { desk, listen } = openDesk();
    desk.take(someRequest(), 0);
    expect(desk.isKnown(7)).toBe(true);
    desk.handle(someEntry(), 10);
    expect(listen(20, 20_000)).toEqual([ASKS]);
  });

  it("is told once that it asks when the hub is slower", () => {
    const { desk, listen } = openDesk();
    desk.handle(someEntry(), 0);
    desk.take(someRequest(), 10);
    desk.take(someRequest(), 20);
    expect(listen(200, 20_000).filter((text) => text.includes("asks"))).toEqual([ASKS]);
  });

  it("is told although the entry was one of too many to be heard", () => {
    const { desk, listen } = openDesk();
    desk.take(someRequest(), 0);
    expect(listen(0, 500)).toEqual([]);
    desk.heardUpTo(8, 500);
    expect(listen(600, 20_000)).toEqual([ASKS]);
  });

  it("is told in the agent's own words where it has some, and once", () => {
    const { desk, listen } = openDesk();
    desk.handle(someConfirmation(), 0);
    desk.take(someRequest(), 10);
    expect(listen(200, 20_000)).toEqual(["critical: Query doctor asks: Drop the table orders. You have about ten minutes."]);
  });

  it("says who answered, and what silence is", () => {
    for (const [view, words] of [
      [decidedRequest("Ana's phone", "deny", "answered-by-person"), "was refused by Ana's phone"],
      [decidedRequest("policy: tests pass", "allow", "answered-by-policy"), "was allowed by the rule tests pass"],
    ] as const) {
      const { desk, listen } = openDesk();
      desk.handle(someEntry(), 0);
      desk.take(someRequest(), 0);
      listen(0, 5000);
      desk.take(view, 6000);
      expect(listen(6000, 20_000).join()).toContain(words);
    }
  });

  it("says nothing of what a rule answered at once", () => {
    const { desk, listen } = openDesk();
    desk.take(decidedRequest("policy: tests pass", "allow", "answered-by-policy"), 0);
    desk.handle(someEntry(), 10);
    expect(listen(20, 20_000).join()).not.toContain("asks");
  });

  it("says by which tool a rule refused something, and leaves it to the hub to say who did", () => {
    const response = (callId: string) =>
      someEntry({
        position: 9,
        kind: "message",
        type: "response",
        event: {
          request_event_id: "evt_1",
          action_id: callId,
          control: { behavior: "deny" },
          decision: { outcome: "denied", by: "policy" },
        },
      });
    const { desk, listen } = openDesk();
    desk.handle(someEntry(), 0);
    listen(0, 5000);
    desk.handle(response("call_1"), 6000);
    expect(listen(6000, 20_000)).toEqual([expect.stringMatching(/^normal: Claude Code in shop may not /)]);
    desk.take(someRequest(), 20_000);
    listen(20_000, 30_000);
    desk.handle(response("call_1"), 30_000);
    expect(listen(30_000, 40_000)).toEqual([]);
    desk.take(decidedRequest("Ana's phone", "deny", "answered-by-person"), 40_000);
    expect(listen(40_000, 50_000)).toEqual(["normal: Claude Code in shop was refused by Ana's phone: It wants to run git push."]);
  });

  it("knows what was decided here", () => {
    const { announcer, desk, listen } = openDesk();
    desk.handle(someEntry(), 0);
    desk.take(someRequest(), 0);
    const [asked] = announcer.waiting(0);
    listen(0, 5000);
    desk.take(decidedRequest("my browser", "allow", "answered-by-person"), 6000);
    expect(desk.isOwn(asked?.key ?? "")).toBe(true);
    expect(desk.isOwn("another")).toBe(false);
    expect(desk.open).toEqual([]);
  });

  it("does not ask again when an older answer of the hub comes after a newer one", () => {
    const { announcer, desk } = openDesk();
    desk.handle(someEntry(), 0);
    desk.take(decidedRequest("Ana's phone", "allow", "answered-by-person"), 10);
    desk.take(someRequest(), 20);
    expect(announcer.waiting(30)).toEqual([]);
  });

  it("waits for as long as it was given", () => {
    const { announcer, desk } = openDesk();
    desk.take(someRequest({ leftMs: 1000 }), 0, true);
    desk.take(someRequest({ leftMs: 60_000, deadlineAt: "2026-11-15T12:20:00.000Z" }), 500);
    expect(announcer.waiting(30_000)).toHaveLength(1);
    expect(announcer.waiting(61_000)).toHaveLength(0);
  });

  it("passes quiet mode with a last call and an alarm, and not with half-time", () => {
    const { desk, listen } = openDesk({ quiet: true });
    desk.take(someRequest(), 0, true);
    listen(0, 5000);
    desk.applyNews(news("half-time"), someRequest(), 6000);
    desk.applyNews(news("last-call"), someRequest(), 6010);
    desk.applyNews(news("alarm", "Bash ran although it had been refused."), someRequest(), 6020);
    expect(listen(6100, 30_000)).toEqual([
      "critical: Claude Code in shop: 20 seconds left to answer. It wants to run git push.",
      "critical: Claude Code in shop: Bash ran although it had been refused.",
    ]);
  });

  it("tells a question that nobody can vouch for as a message, in its turn", () => {
    const { desk, listen } = openDesk();
    desk.handle(someConfirmation({ verified: false }), 0);
    expect(listen(0, 20_000)).toEqual(["normal: Query doctor says: A question from an unverified source: Drop the table orders."]);
  });
});
