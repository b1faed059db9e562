import type { Page } from "playwright-core";

/** Everything that the page shows has come: its title is there, nothing is being loaded, buttons count, and letters are drawn. */
export async function settle(page: Page): Promise<void> {
  await page.locator("main h1").waitFor();
  await page.waitForFunction(
    () => !/^(?:Loading|Looking|Searching|Connecting to the hub)\.?$/m.test((document.querySelector("main") ?? document.body).innerText),
  );
  await page.waitForFunction(() => document.querySelector('[data-arming="true"]') === null);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}
