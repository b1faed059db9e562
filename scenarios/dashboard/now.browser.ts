import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../tools/chromium.ts";
import { aopEvent, type HubProcess } from "../hub/hub-process.ts";
import { tabTo } from "./keyboard.ts";
import { openDashboard } from "./open-dashboard.ts";

describe("the sessions at work", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
  });

  it("stay where they are under a pointer that moves, and come when it only lies there", async () => {
    await using dashboard = await openDashboard(browser, { context: { locale: "en-GB" } });
    const { page, hub } = dashboard;
    await page.mouse.move(0, 0);
    await say(hub, 1);
    const first = page.getByText("Goal number 1", { exact: true });
    const move = (turn: number) => first.hover({ position: { x: 1 + (turn % 7), y: 2 }, force: true });
    await move(0);
    const moving = setInterval(() => void move(Date.now()).catch(() => {}), 200);
    try {
      await say(hub, 2);
      await page.getByText("1 new session, shown when you leave this list.").waitFor();
      expect(await page.getByText("Goal number 2", { exact: true }).count()).toBe(0);
    } finally {
      clearInterval(moving);
    }
    await page.getByText("Goal number 2", { exact: true }).waitFor();
    expect(await page.getByText("shown when you leave this list").count()).toBe(0);
  });

  it("stay where they are under the focus of who came by keyboard, who can have them shown", async () => {
    await using dashboard = await openDashboard(browser, { context: { locale: "en-GB" } });
    const { page, hub } = dashboard;
    await page.mouse.move(0, 0);
    await say(hub, 1);
    await page.getByText("Goal number 1", { exact: true }).waitFor();
    await tabTo(page, "Agent"); // by which one filters; the list follows
    await page.keyboard.press("Tab");
    await say(hub, 2);
    await page.getByText("1 new session, shown when you leave this list.").waitFor();
    await tabTo(page, "Show now: 1 new session");
    await page.keyboard.press("Enter");
    await page.getByText("Goal number 2", { exact: true }).waitFor();
    const region = page.getByRole("region", { name: /^At work/ });
    await expect.poll(() => region.evaluate((element) => element === document.activeElement)).toBe(true);
    // Following a session link focuses its title, which is rendered later than the page.
    await region.getByRole("link").first().press("Enter");
    await expect.poll(() => page.evaluate(() => `${location.pathname} ${document.activeElement?.tagName}`)).toMatch(/session\/\d+ H1$/);
  });
});

async function say(hub: HubProcess, number: number): Promise<void> {
  await hub.post("/v1/events", aopEvent({ session: `session-${number}`, sequence: 1, payload: { goal: `Goal number ${number}` } }));
}
