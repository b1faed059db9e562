import type { StoryItem } from "@earshot/hub";
import type { Activity } from "@earshot/protocol/activities";
import { describe, expect, it } from "vitest";
import { toTimelineRows, toTurns, turnHeadingOf } from "./rows.ts";

const said = (kind: Activity["kind"], more: object = {}) =>
  ({ protocol: "aep", type: "t", session: "s", agent: "a", kind, ...more }) as unknown as Activity;

function story(...activities: readonly Activity[]): readonly StoryItem[] {
  return activities.map((activity, index) => ({
    position: index + 1,
    receivedAt: index * 1000,
    activity,
    flags: [],
    alerts: [],
    redactions: 0,
  }));
}

const turns = (items: readonly StoryItem[], more: Partial<Parameters<typeof toTurns>[1]> = {}) =>
  toTurns(toTimelineRows(items), { isFirst: true, goal: undefined, firstNumber: 1, ...more }).map((turn) => [
    turnHeadingOf(turn),
    turn.rows.length,
  ]);

describe("turns", () => {
  it("begin with a prompt, which is their heading", () => {
    const items = story(
      said("session.opened"),
      said("prompt", { text: "Mend the tests\nand then stop" }),
      said("thought", { text: "Hm" }),
      said("prompt", { text: "Go on" }),
    );
    expect(turns(items)).toEqual([
      ["Turn 1: Mend the tests", 3],
      ["Turn 2: Go on", 1],
    ]);
    expect(toTurns(toTimelineRows(items), { isFirst: true, goal: undefined, firstNumber: 1 }).map(({ isWhole }) => isWhole)).toEqual([
      false,
      true,
    ]);
  });

  it("are one where nothing was prompted: what the session is for is its heading", () => {
    expect(turns(story(said("thought", { text: "Hm" })), { goal: "Find a supplier" })).toEqual([["Turn 1: Find a supplier", 1]]);
  });

  it("say that they began earlier, where they did, and leave out a number that nobody knows", () => {
    const items = story(said("thought", { text: "Hm" }), said("prompt", { text: "Go on" }));
    expect(turns(items, { isFirst: false, firstNumber: 7 })).toEqual([
      ["Turn 6, continued", 1],
      ["Turn 7: Go on", 1],
    ]);
    expect(turns(items, { isFirst: false, firstNumber: undefined })).toEqual([
      ["Earlier turn, continued", 1],
      ["Turn: Go on", 1],
    ]);
  });

  it("have something before the first prompt only when that is worth a heading", () => {
    const items = story(said("session.opened"), said("notification", { text: "Hi" }), said("prompt", { text: "Go" }));
    expect(turns(items)).toEqual([
      ["Before the first prompt", 2],
      ["Turn 1: Go", 1],
    ]);
  });

  it("have short headings", () => {
    const [[heading] = [""]] = turns(story(said("prompt", { text: "word ".repeat(100) })));
    expect(String(heading).length).toBeLessThan(110);
  });
});

describe("rows", () => {
  it("count heartbeats that say the same, but not those at which something was noticed", () => {
    const beat = said("heartbeat", { status: "running" });
    expect(toTimelineRows(story(beat, beat, said("heartbeat", { status: "idle" }), beat)).map(({ times }) => times)).toEqual([2, 1, 1]);
    const [one, ...rest] = story(beat, beat);
    const noted = { ...one, flags: [{}] } as unknown as StoryItem;
    expect(toTimelineRows([noted, ...rest])).toHaveLength(2);
  });

  it("have different names, also when one event is told as several things", () => {
    const items = story(said("response", { text: "a" }), said("turn.ended")).map((item) => ({ ...item, position: 7 }));
    expect(toTimelineRows(items).map(({ key }) => key)).toEqual(["7", "7.1"]);
  });
});
