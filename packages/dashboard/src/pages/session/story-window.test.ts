import type { StoryItem } from "@earshot/hub";
import type { Activity } from "@earshot/protocol/activities";
import { describe, expect, it } from "vitest";
import { openStory, type ReadStory, readEarlier, readLater, readTail, type StoryExtent, type StoryWindow } from "./story-window.ts";

/** A fake hub with one session whose items are at every third position. Counts its requests. */
function hubOf(length: number, more: { readonly ended?: boolean; readonly running?: number } = {}) {
  const items = Array.from({ length }, (_, index) => item(index * 3 + 1));
  let asked = 0;
  const read: ReadStory = async (query) => {
    asked++;
    if ("last" in query) {
      const preceding = items.filter(({ position }) => position < (query.before ?? Number.POSITIVE_INFINITY));
      const page = preceding.slice(-query.last);
      return { items: page, ...(preceding.length > page.length ? { earlier: page[0]?.position ?? 1 } : {}) };
    }
    const { limit } = query;
    const from = "from" in query && query.from !== undefined ? query.from : 0;
    const after = "after" in query && query.after !== undefined ? Number(query.after) : 0;
    const rest = items.filter(({ position }) => position >= from && position > after);
    const page = rest.slice(0, limit);
    return { items: page, ...(rest.length > limit ? { next: String(page.at(-1)?.position) } : {}) };
  };
  const extent = (): StoryExtent => ({
    lastPosition: items.at(-1)?.position ?? 1,
    counts: { events: items.length } as StoryExtent["counts"],
    ...(more.ended === true ? { endedAt: 1 } : {}),
  });
  return { items, read, extent, asked: () => asked };
}

function item(position: number, state?: string): StoryItem {
  const activity = { protocol: "aep", type: "t", session: "s", agent: "a", kind: "thought", text: `${position}` } as Activity;
  const call = state === undefined ? {} : { call: { state, position } };
  return { position, receivedAt: position, activity, ...call, flags: [], alerts: [], redactions: 0 } as unknown as StoryItem;
}

const ends = ({ items, isFirst, later }: StoryWindow) => [items[0]?.position, items.at(-1)?.position, isFirst, later === undefined];

describe("the part of a story that is read", () => {
  it("is all of a small one", async () => {
    const hub = hubOf(350);
    expect(ends(await openStory(hub.extent(), undefined, hub.read))).toEqual([1, 1048, true, true]);
  });

  it("is the beginning of a long one that is over, and the end of one that goes on", async () => {
    const over = hubOf(5000, { ended: true });
    expect(ends(await openStory(over.extent(), undefined, over.read))).toEqual([1, 598, true, false]);
    const goesOn = hubOf(5000);
    const end = await openStory(goesOn.extent(), undefined, goesOn.read);
    expect(ends(end).slice(1)).toEqual([14_998, false, true]);
    expect(end.items.length).toBeGreaterThanOrEqual(120);
  });

  it("is what stands around the position that somebody came for", async () => {
    const hub = hubOf(5000, { ended: true });
    const { items } = await openStory(hub.extent(), 7501, hub.read);
    const index = items.findIndex(({ position }) => position >= 7501);
    expect(index).toBeGreaterThan(20);
    expect(new Set(items.map(({ position }) => position)).size).toBe(items.length);
  });

  it("takes as many questions for a hundred thousand as for a thousand", async () => {
    const counts = await Promise.all(
      [1000, 100_000].flatMap((length) =>
        [undefined, 1501].map(async (at) => {
          const hub = hubOf(length);
          await openStory(hub.extent(), at, hub.read);
          return hub.asked();
        }),
      ),
    );
    expect(counts.every((count) => count <= 6)).toBe(true);
  });

  it("grows in both directions without a gap or a repeat", async () => {
    const hub = hubOf(1200);
    let window = await openStory(hub.extent(), 1800, hub.read);
    while (!window.isFirst) window = await readEarlier(window, hub.read);
    while (window.later !== undefined) window = await readLater(window, hub.read);
    expect(window.items.map(({ position }) => position)).toEqual(hub.items.map(({ position }) => position));
  });
});

describe("the end of a story that goes on", () => {
  it("grows, and what did not change stays the same object", async () => {
    const hub = hubOf(300);
    const before = await openStory(hub.extent(), undefined, hub.read);
    hub.items.push(item(2000));
    const after = await readTail(before, hub.read);
    expect(after.items).toHaveLength(301);
    expect(before.items.every((one, index) => after.items[index] === one)).toBe(true);
  });

  it("tells how a call ended that began long before it", async () => {
    const hub = hubOf(300);
    hub.items[20] = item(61, "running");
    hub.items[200] = item(601, "running");
    const before = await openStory(hub.extent(), undefined, hub.read);
    hub.items[20] = item(61, "succeeded");
    hub.items[200] = item(601, "failed");
    const after = await readTail(before, hub.read);
    expect([after.items[20]?.call?.state, after.items[200]?.call?.state]).toEqual(["succeeded", "failed"]);
  });

  it("stops following when more came than anybody reads at once, and says where it goes on", async () => {
    const hub = hubOf(300);
    const before = await openStory(hub.extent(), undefined, hub.read);
    for (let index = 0; index < 3000; index++) hub.items.push(item(2000 + index));
    const after = await readTail(before, hub.read);
    expect(after.later).toBeDefined();
    expect(after.items.length).toBeLessThan(1000);
    expect((await readLater(after, hub.read)).items.length).toBe(after.items.length + 200);
  });
});

it("a part never grows beyond what is kept: what is furthest away goes, and can be read again", async () => {
  const hub = hubOf(3000, { ended: true });
  let window = await openStory(hub.extent(), undefined, hub.read);
  for (let times = 0; times < 6; times++) window = await readLater(window, hub.read, 600);
  expect([window.items.length, window.isFirst]).toEqual([600, false]);
  for (let times = 0; times < 4; times++) window = await readEarlier(window, hub.read, 600);
  expect(window.items.length).toBe(600);
  const last = window.items.at(-1)?.position ?? 0;
  window = await readLater(window, hub.read, 600);
  expect(window.items.find(({ position }) => position > last)?.position).toBe(last + 3);
});
