import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../tools/chromium.ts";
import { openDashboard } from "./open-dashboard.ts";

const ALERTS = "**/assets/alerts-page-*.js";

/** The answer of a newer hub to a file of an older dashboard. */
const GONE = { status: 404, contentType: "application/problem+json", body: '{"code":"NOT_FOUND"}' };

describe("a tab that stays open while the hub is updated", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
  });

  it("loads itself anew, once, when a page of it is gone", async () => {
    await using dashboard = await openDashboard(browser);
    const { page } = dashboard;
    const loads = countLoads(page);
    await page.route(ALERTS, (route) => route.fulfill(GONE), { times: 1 });
    await page.getByRole("link", { name: "Alerts", exact: true }).click();
    await page.getByText("No alerts.").waitFor();
    await expect.poll(loads).toBe(1);
  });

  it("says so where that does not help, with the focus on the heading, and goes on at the same place when it is told to", async () => {
    await using dashboard = await openDashboard(browser);
    const { page } = dashboard;
    const loads = countLoads(page);
    await page.route(ALERTS, (route) => route.fulfill(GONE));
    await page.getByRole("link", { name: "Alerts", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "The hub was updated" }).waitFor();
    await page.getByRole("link", { name: "Announcements" }).click();
    await page.getByRole("heading", { level: 1, name: "Announcements" }).waitFor();
    await page.getByRole("link", { name: "Alerts", exact: true }).click();
    const title = page.getByRole("heading", { level: 1, name: "The hub was updated" });
    await title.waitFor();
    await expect.poll(() => title.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(loads()).toBe(1);
    await page.unroute(ALERTS);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("No alerts.").waitFor();
    await expect.poll(loads).toBe(2);
  });

  it("waits for a hub that is away, and loads the page when it is back", async () => {
    await using dashboard = await openDashboard(browser);
    const { page, context } = dashboard;
    await context.setOffline(true);
    await page.getByRole("link", { name: "Alerts", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "The hub is not connected" }).waitFor();
    await context.setOffline(false);
    await page.getByText("No alerts.").waitFor();
  });

  it("shows the rest where one page of it breaks, as when a newer hub answers in another way", async () => {
    await using dashboard = await openDashboard(browser);
    const { page } = dashboard;
    await page.route("**/api/alerts?*", (route) => route.fulfill({ contentType: "application/json", body: '{"items":[null]}' }));
    await page.getByRole("link", { name: "Alerts", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "This cannot be shown" }).waitFor();
    await page.getByRole("button", { name: "Reload the page" }).waitFor();
    await page.getByRole("link", { name: "Announcements" }).click();
    await page.getByRole("heading", { level: 1, name: "Announcements" }).waitFor();
  });
});

/** Number of document loads since. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on("load", () => {
    loads += 1;
  });
  return () => loads;
}
