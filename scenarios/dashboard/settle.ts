import type { Page } from "playwright-core";

/** Waits until the page is complete: its title, pending loads, enabled buttons and fonts. */
export async function settle(page: Page): Promise<void> {
  await page.locator("main h1").waitFor();
  await page.waitForFunction(
    () => !/^(?:Loading|Looking|Searching|Connecting to the hub)\.?$/m.test((document.querySelector("main") ?? document.body).innerText),
  );
  await page.waitForFunction(() => document.querySelector('[data-arming="true"]') === null);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}
