import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { temporaryTestFolder } from "../packages/hub/src/ledger/testing/temporary-folder.ts";
import { openDashboard } from "../scenarios/dashboard/open-dashboard.ts";
import { playDemo, WAITS } from "../scenarios/dashboard/play-demo.ts";
import { settle } from "../scenarios/dashboard/settle.ts";
import { launchChromium } from "./chromium.ts";

/**
 * Writes the screenshots for README.md and docs/dashboard.md to docs/screenshots, from a real hub and a real browser. It plays the
 * story of `earshot demo` at its normal speed, which takes 40 seconds.
 */
const FOLDER = "docs/screenshots";
const SIZES = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } } as const;

type Variant = `${"light" | "dark"}-${keyof typeof SIZES}`;

async function takePictures(page: Page, name: string, ...variants: readonly Variant[]): Promise<void> {
  await page.mouse.move(0, 0);
  await settle(page);
  for (const variant of variants) {
    const [colorScheme, device] = variant.split("-") as ["light" | "dark", keyof typeof SIZES];
    await page.setViewportSize(SIZES[device]);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: join(FOLDER, `${name}-${variant}.png`) });
    console.log(`${name}-${variant}.png`);
  }
}

mkdirSync(FOLDER, { recursive: true });
for (const file of readdirSync(FOLDER)) rmSync(join(FOLDER, file));
await using browser = await launchChromium();
const context = { locale: "en-GB", viewport: SIZES.desktop };
using home = temporaryTestFolder();
// As in an installation, the hub's folder is in the home folder.
const own = home.file(".earshot");
mkdirSync(own);
await using dashboard = await openDashboard(browser, { context, home: own, env: { HOME: home.path } });
const { page, hub, visit } = dashboard;

await using demo = playDemo(hub, { speed: 1 });
await demo.said(WAITS);
await visit("");
await page.getByRole("heading", { name: "Needs your approval: 1" }).waitFor();
await takePictures(page, "overview", "light-desktop");
await visit("inbox");
await takePictures(page, "inbox", "light-desktop", "dark-desktop", "dark-phone");
await demo.said("tries the same thing again and again");
await page.setViewportSize(SIZES.desktop);
await visit("inbox");
await page.getByRole("button", { name: /^Allow once:/ }).click({ delay: 700 });
// Irreversible actions are confirmed a second time.
await page.getByRole("button", { name: /^Allow once all the same/ }).click({ delay: 700 });
await demo.said("You allowed it");
await demo.ended;
await visit("");
await page.getByRole("link", { name: /^Claude Code in shop/ }).click();
await page.getByRole("heading", { level: 1, name: /Claude Code/ }).waitFor();
await takePictures(page, "session", "light-desktop");

if (dashboard.complaints.length > 0) {
  console.log(`The page complained:\n${dashboard.complaints.join("\n")}`);
  process.exitCode = 1;
}
