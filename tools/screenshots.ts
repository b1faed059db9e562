import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { temporaryFolder } from "../packages/hub/src/ledger/testing/temporary-folder.ts";
import { openDashboard } from "../scenarios/dashboard/open-dashboard.ts";
import { playDemo, WAITS } from "../scenarios/dashboard/play-demo.ts";
import { settle } from "../scenarios/dashboard/settle.ts";
import { launchChromium } from "./chromium.ts";

/**
 * Takes a picture of every page, light and dark, wide and narrow, into docs/screenshots. A real hub, a real browser, and the story
 * of `earshot demo` at the speed at which people see it: 40 seconds.
 */
const FOLDER = "docs/screenshots";
const RULES = `extends: guard
rules:
  - name: tests may run
    match: { tool: Bash, command: npm test }
    answer: allow
  - name: nothing is published without me
    match: { tool: Bash, command: npm publish }
    answer: ask
    unanswered: deny
`;
const SIZES = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } } as const;

async function shoot(page: Page, name: string): Promise<void> {
  for (const [device, size] of Object.entries(SIZES)) {
    await page.setViewportSize(size);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.evaluate(() => scrollTo(0, 0));
      await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}-${device}.png`) });
    }
  }
  console.log(name);
}

mkdirSync(FOLDER, { recursive: true });
for (const file of readdirSync(FOLDER)) rmSync(join(FOLDER, file));
await using browser = await launchChromium();
const context = { locale: "en-GB", viewport: SIZES.desktop };
using home = temporaryFolder();
// As at everybody's: in the home folder.
const own = home.file(".earshot");
mkdirSync(own);
writeFileSync(join(own, "policy.yaml"), RULES);
await using dashboard = await openDashboard(browser, { context, home: own, env: { HOME: home.path } });
const { page, hub, visit } = dashboard;
const take = async (name: string, path = name) => {
  await visit(path);
  await settle(page);
  await shoot(page, name);
};

await take("connect");
await take("settings");
await using demo = playDemo(hub, 1);
await demo.said(WAITS);
// The pointer rests where nothing lies under it: a list with a pointer in it does not move.
await page.mouse.move(0, 0);
await visit("");
await page.getByRole("heading", { name: "Waiting for you: 1" }).waitFor();
await settle(page);
await shoot(page, "now");
await take("inbox");
await demo.said("tries the same thing again and again");
await visit("inbox");
await page.getByRole("button", { name: /^Allow once/ }).click({ delay: 700 });
await demo.said("You allowed it");
await demo.ended;
await visit("policy");
await page.getByRole("button", { name: "Accept your changed rules", disabled: false }).click();
await page.getByRole("heading", { name: "Your rules wait to be accepted" }).waitFor({ state: "hidden" });
await take("policy");
await take("search", "search?text=paper");
await take("alerts");
await take("check");
await take("heard");
await visit("");
await page.getByRole("link", { name: /^Claude Code in shop/ }).click();
await page.getByRole("heading", { level: 1, name: /Claude Code/ }).waitFor();
await settle(page);
await shoot(page, "session");

if (dashboard.complaints.length > 0) {
  console.log(`The page complained:\n${dashboard.complaints.join("\n")}`);
  process.exitCode = 1;
}
