import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../tools/chromium.ts";
import { createAsker } from "./asker.ts";
import { tabTo } from "./keyboard.ts";
import { openDashboard } from "./open-dashboard.ts";
import { sayGoal } from "./say-goal.ts";

const CONTEXT = { context: { locale: "en-GB" } };

describe("the overview", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
  });

  it("says what to do first, and shows the first agent as soon as it is heard", async () => {
    await using dashboard = await openDashboard(browser, CONTEXT);
    const { page, hub } = dashboard;
    await page.getByRole("heading", { level: 1, name: "No events yet" }).waitFor();
    await page.getByRole("button", { name: "Play the demo" }).waitFor();
    await page.getByRole("button", { name: "Connect Claude Code" }).waitFor();
    await sayGoal(hub, 1);
    await page.getByRole("region", { name: "Activity" }).getByText("Goal number 1").waitFor();
    await page.getByRole("heading", { name: "Nothing needs your approval" }).waitFor();
    expect(dashboard.complaints).toEqual([]);
  });

  it("decides what is harmless in place, and leads to the inbox for what is risky", async () => {
    await using dashboard = await openDashboard(browser, CONTEXT);
    await using asker = createAsker(dashboard.hub);
    const { page } = dashboard;
    const [test, push] = [
      await asker.hook("Bash", { command: "npm test" }),
      await asker.hook("Bash", { command: "git push --force origin main" }),
    ];
    const approvals = page.getByRole("region", { name: "Needs your approval: 2" });
    const rows = approvals.getByRole("listitem");
    await expect.poll(() => rows.count()).toBe(2);
    // The riskiest comes first, and is not allowed without being read.
    expect(await rows.first().getByRole("link").first().textContent()).toContain("git push --force origin main");
    expect(await approvals.getByRole("button", { name: /^Allow once: run git push/ }).count()).toBe(0);
    await rows.first().getByRole("timer").waitFor();
    await page.locator('.approval-row[data-arming="false"]').nth(1).waitFor();
    await approvals.getByRole("button", { name: "Allow once: run npm test" }).click({ delay: 100 });
    expect(JSON.stringify(await asker.heard(test))).toContain("allow");
    await page.mouse.move(0, 0);
    await page.getByRole("button", { name: "Deny: run git push --force origin main" }).click({ delay: 100 });
    expect(JSON.stringify(await asker.heard(push))).toContain("deny");
    await page.mouse.move(0, 0);
    await page.getByRole("heading", { name: "Nothing needs your approval" }).waitFor();
    expect(dashboard.complaints).toEqual([]);
  });

  it("keeps lanes in place under a moving pointer, and adds new ones when the pointer rests", async () => {
    await using dashboard = await openDashboard(browser, CONTEXT);
    const { page, hub } = dashboard;
    await page.mouse.move(0, 0);
    await sayGoal(hub, 1);
    const first = page.getByText("Goal number 1", { exact: true });
    const move = (turn: number) => first.hover({ position: { x: 1 + (turn % 7), y: 2 }, force: true });
    await move(0);
    const moving = setInterval(() => void move(Date.now()).catch(() => {}), 200);
    try {
      await sayGoal(hub, 2);
      await page.getByText("1 new session, shown when you leave this list.").waitFor();
      expect(await page.getByText("Goal number 2", { exact: true }).count()).toBe(0);
    } finally {
      clearInterval(moving);
    }
    await page.getByText("Goal number 2", { exact: true }).waitFor();
    expect(await page.getByText("shown when you leave this list").count()).toBe(0);
  });

  it("keeps lanes in place under the focus, and shows new ones on demand", async () => {
    await using dashboard = await openDashboard(browser, CONTEXT);
    const { page, hub } = dashboard;
    await page.mouse.move(0, 0);
    await sayGoal(hub, 1);
    await page.getByText("Goal number 1", { exact: true }).waitFor();
    await tabTo(page, "Agent");
    await sayGoal(hub, 2);
    await page.getByText("1 new session, shown when you leave this list.").waitFor();
    await tabTo(page, "Show now: 1 new session");
    await page.keyboard.press("Enter");
    await page.getByText("Goal number 2", { exact: true }).waitFor();
    const region = page.getByRole("region", { name: "Activity" });
    await expect.poll(() => region.evaluate((element) => element === document.activeElement)).toBe(true);
    // Following a session link focuses its title, which is rendered later than the page.
    await region.getByRole("link").first().press("Enter");
    await expect.poll(() => page.evaluate(() => `${location.pathname} ${document.activeElement?.tagName}`)).toMatch(/session\/\d+ H1$/);
  });
});
