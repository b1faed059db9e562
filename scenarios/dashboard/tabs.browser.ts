import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../tools/chromium.ts";
import type { HubProcess } from "../hub/hub-process.ts";
import { findLeaps, listenAlong } from "./listen-along.ts";
import { openDashboard } from "./open-dashboard.ts";
import { sayGoal } from "./say-goal.ts";

const TABS = 12;

describe("twelve tabs", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  it("share one stream, all of them hear everything, and when the one that listens is closed another goes on exactly there", async () => {
    await using dashboard = await openDashboard(browser);
    const { hub, context, page: first, complaints } = dashboard;
    const along = await listenAlong(context, hub.url);
    const others = await Promise.all(Array.from({ length: TABS - 1 }, () => open(context, hub)));
    await sayGoal(hub, 1);
    for (const tab of [first, ...others]) await goalOf(tab, 1).waitFor();
    expect(await subscribers(hub)).toBe(1);

    // The first tab is the one that listens; it is closed while events arrive.
    const saying = (async () => {
      for (let number = 2; number <= 30; number++) await sayGoal(hub, number);
    })();
    await first.close();
    await saying;
    for (const tab of others) await goalOf(tab, 30).waitFor();
    await expect.poll(() => subscribers(hub)).toBe(1);
    const { head } = (await (await hub.get("/api/status")).json()) as { readonly head: number };
    await expect.poll(async () => (await along.positions()).at(-1)).toBe(head);
    const positions = await along.positions();
    expect(positions).toHaveLength(30);
    expect(findLeaps(positions)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

async function open(context: Awaited<ReturnType<typeof openDashboard>>["context"], hub: HubProcess): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${hub.url}/ui/`);
  return page;
}

function goalOf(page: Page, number: number) {
  return page.getByText(`Goal number ${number}`, { exact: true });
}

async function subscribers(hub: HubProcess): Promise<number> {
  return ((await (await hub.get("/health")).json()) as { readonly subscribers: number }).subscribers;
}
