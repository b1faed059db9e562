import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../tools/chromium.ts";
import { freePort, startHub } from "../hub/hub-process.ts";
import { createAsker } from "./asker.ts";
import { findLeaps, listenAlong } from "./listen-along.ts";
import { DEVICE, openDashboard } from "./open-dashboard.ts";
import { sayGoal } from "./say-goal.ts";

describe("a hub that is killed", () => {
  let browser: Browser;
  const home = mkdtempSync(join(tmpdir(), "earshot-restart-"));
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(home, { recursive: true });
  });

  it("is missed and heard again by the same page, which loses nothing, says so, and decides what was asked before", async () => {
    const port = await freePort();
    await using dashboard = await openDashboard(browser, { home, port, context: { locale: "en-GB" } });
    const { page, context, hub } = dashboard;
    await page.mouse.move(0, 0); // a list with the pointer in it does not move
    const along = await listenAlong(context, hub.url);
    await using asker = createAsker(hub);
    const request = await asker.hook("Bash", { command: "npm run deploy" });
    await sayGoal(hub, 1);
    await page.getByRole("heading", { name: "Needs your approval: 1" }).waitFor();
    await page.getByText("Goal number 1", { exact: true }).waitFor();
    const focused = page.getByRole("link", { name: "All alerts" });
    await focused.focus();

    const notices = await watchNotices(page);
    await hub.kill("SIGKILL");
    await page.getByText(/^The hub is not connected\. This page shows/).waitFor();
    // The last content stays visible.
    await page.getByText("Goal number 1", { exact: true }).waitFor();

    await using again = await startHub({ home, port });
    for (let number = 2; number <= 5; number++) await sayGoal(again, number);
    await page.getByText(/^The hub is back\. It was away from \d\d:\d\d to \d\d:\d\d; nothing was missed\.$/).waitFor();
    for (let number = 1; number <= 5; number++) await page.getByText(`Goal number ${number}`, { exact: true }).waitFor();
    // No other message appears, even briefly: that the restarted hub rejects old tickets is irrelevant to the user.
    expect(await notices()).toEqual([expect.stringMatching(/^The hub is not connected\./), expect.stringMatching(/^The hub is back\./)]);
    expect(await focused.evaluate((element) => element === document.activeElement)).toBe(true);
    const { head } = (await (await again.get("/api/status")).json()) as { readonly head: number };
    await expect.poll(async () => (await along.positions()).at(-1)).toBe(head);
    expect(findLeaps(await along.positions())).toEqual([]);

    await page.getByRole("link", { name: /npm run deploy/ }).click();
    await page.locator('[data-arming="false"]').waitFor();
    await page.getByRole("button", { name: "Allow once: run npm run deploy" }).click();
    expect(await asker.heard(request)).toMatchObject({ response: { control: { behavior: "allow" } } });
    await page
      .getByText(new RegExp(`Allowed.* by ${DEVICE}`))
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Hide this" }).click();
    expect(await page.getByText("The hub is back.").count()).toBe(0);
  });
});

/** The page's messages about the hub from now on. */
async function watchNotices(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const notices: string[] = [];
    const look = () => {
      const text = document.querySelector(".notice")?.textContent ?? "";
      if (text !== "" && text !== notices.at(-1)) notices.push(text);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    Object.assign(globalThis, { notices });
  });
  return () => page.evaluate(() => (globalThis as unknown as { readonly notices: readonly string[] }).notices);
}
