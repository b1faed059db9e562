import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../tools/chromium.ts";
import { createAsker } from "./asker.ts";
import { openDashboard } from "./open-dashboard.ts";
import { settle } from "./settle.ts";

describe("attention", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
  });

  it("asks for notifications at the first request, and notifies of the next one while the page is not looked at", async () => {
    await using dashboard = await openDashboard(browser);
    await using asker = createAsker(dashboard.hub);
    const { page, context, visit } = dashboard;
    await context.addInitScript(() => {
      const shown: string[] = [];
      class FakeNotification {
        static permission = "default";
        static async requestPermission() {
          FakeNotification.permission = "granted";
          return "granted";
        }
        constructor(title: string, { body }: { readonly body: string }) {
          shown.push(`${title}: ${body}`);
        }
        close() {}
      }
      Object.assign(globalThis, { shown, Notification: FakeNotification });
    });
    await visit("settings");
    await settle(page);
    const asking = page.getByRole("region", { name: "Notifications" });
    expect(await asking.count()).toBe(0);
    expect(await page.locator('link[rel="icon"]').getAttribute("href")).toBe("/ui/icon.svg");
    await asker.hook("Bash", { command: "npm test" });
    await asking.getByRole("button", { name: "Turn on notifications" }).click();
    await asking.waitFor({ state: "detached" });
    expect(await page.locator('link[rel="icon"]').getAttribute("href")).toBe("/ui/icon-waiting.svg");
    await page.evaluate(() => Object.defineProperty(document, "visibilityState", { value: "hidden" }));
    await asker.hook("Bash", { command: "npm run deploy" });
    const shown = () => page.evaluate(() => (globalThis as unknown as { shown: readonly string[] }).shown);
    await expect.poll(shown).toEqual([expect.stringMatching(/^An agent waits for you: .*npm run deploy/)]);
    expect(dashboard.complaints).toEqual([]);
  });

  it("can be installed: the manifest and its icon are there", async () => {
    await using dashboard = await openDashboard(browser);
    const { page } = dashboard;
    const manifest = await page.evaluate(async () => {
      const { href } = document.querySelector('link[rel="manifest"]') as HTMLLinkElement;
      const read = (await (await fetch(href)).json()) as { readonly name: string; readonly icons: readonly { readonly src: string }[] };
      return { name: read.name, icon: (await fetch(read.icons[0]?.src ?? "")).headers.get("content-type") };
    });
    expect(manifest).toEqual({ name: "Earshot", icon: "image/svg+xml" });
  });

  it("keeps Allow and Deny in sight on a phone, with the time that is left", async () => {
    await using dashboard = await openDashboard(browser, { context: { viewport: { width: 390, height: 700 } } });
    await using asker = createAsker(dashboard.hub);
    const { page, visit } = dashboard;
    await asker.hook("Bash", { command: Array.from({ length: 60 }, (_, index) => `echo ${index}`).join("\n") });
    await visit("inbox");
    const deny = page.getByRole("button", { name: /^Deny: / });
    await deny.waitFor();
    await expect.poll(() => deny.evaluate((button) => button.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
    await page.getByRole("article").getByRole("timer").waitFor();
  });

  it("starts with Guard in two steps", async () => {
    await using dashboard = await openDashboard(browser);
    const { page, visit } = dashboard;
    await visit("policy");
    await page.getByRole("link", { name: "Start with Guard (recommended)" }).click();
    await page.getByRole("heading", { level: 1, name: "Edit and try the rules" }).waitFor();
    await expect.poll(() => page.getByRole("textbox", { name: /^Rules in/ }).inputValue()).toContain("guard");
    await page.getByRole("button", { name: "Save the rules" }).click();
    await page
      .getByText(/^Saved\./)
      .first()
      .waitFor();
    await page.getByRole("navigation", { name: "Rules" }).getByRole("link", { name: "Rules", exact: true }).click();
    await page.getByRole("heading", { name: /^Active rules: \d+$/ }).waitFor();
  });
});
