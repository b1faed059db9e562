import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { openDashboard } from "../scenarios/dashboard/open-dashboard.ts";
import { playDemo, WAITS } from "../scenarios/dashboard/play-demo.ts";
import { tellLong } from "../scenarios/dashboard/session-events.ts";
import { launchChromium } from "../tools/chromium.ts";
import { medianRatio, number, printLoad, spread } from "./ingest/figures.ts";

/**
 * Prints how large the dashboard is, how soon it shows something useful beside a page of the same hub that has nothing to show, and how
 * long a session of 100,000 events takes to open beside one of 1,000; in the same run, in turns, in a real browser.
 */
const { values } = parseArgs({ options: { rounds: { type: "string", default: "9" }, events: { type: "string", default: "100000" } } });
const rounds = Number(values.rounds);
const events = Number(values.events);
const FEW = 1000;

await using browser = await launchChromium();
await using dashboard = await openDashboard(browser);
const { page, hub } = dashboard;
console.log(`The dashboard. Chromium ${browser.version()}; median (lowest to highest) of ${rounds} rounds.`);
printLoad();
printSize();
await printFirstPaint();
await printLongSession();

/** Of everything that is built, whether or not a visit loads it; and of what the first page loads. */
function printSize(): void {
  const folder = "packages/dashboard/dist";
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.(?:html|js|css|svg)$/.test(name));
  const sizes = new Map(files.map((name) => [name, gzipSync(readFileSync(join(folder, name)), { level: 9 }).length / 1000]));
  const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  console.log(`\nSize, gzipped: ${number(all, 1)} kB in ${files.length} files (at most 300 are asked for)`);
  const largest = [...sizes].sort(([, one], [, other]) => other - one).slice(0, 6);
  for (const [name, size] of largest) console.log(`  ${number(size, 1).padStart(6)} kB  ${name}`);
}

async function printFirstPaint(): Promise<void> {
  await using demo = playDemo(hub);
  await demo.said(WAITS);
  const session = await page.context().newCDPSession(page);
  const [empty, cold, warm]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    empty.push(await timeVisit(page, `${hub.url}/health`, "pre"));
    await session.send("Network.setCacheDisabled", { cacheDisabled: true });
    cold.push(await timeVisit(page, `${hub.url}/ui/`, "main .rows h3 a"));
    await session.send("Network.setCacheDisabled", { cacheDisabled: false });
    await timeVisit(page, `${hub.url}/ui/`, "main .rows h3 a"); // fills the cache
    warm.push(await timeVisit(page, `${hub.url}/ui/`, "main .rows h3 a"));
  }
  console.log("\nFrom the request to the first useful picture: who is at work");
  printTimes("a page with one line of text", empty);
  printTimes("the dashboard, nothing kept", cold);
  printTimes("the dashboard, seen before", warm);
  console.log(`  nothing kept / one line: ${ratio(cold, empty)} times as long`);
  console.log(`  seen before / one line: ${ratio(warm, empty)} times as long`);
}

async function printLongSession(): Promise<void> {
  const few = await tellLong(hub, "few", FEW);
  const many = await tellLong(hub, "many", events);
  const open = (key: number) => timeVisit(page, `${hub.url}/ui/session/${key}`, "[data-row]");
  for (const key of [few, many]) await open(key);
  const [short, long]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    short.push(await open(few));
    long.push(await open(many));
  }
  console.log("\nFrom the request to the first rows of a session");
  printTimes(`${number(FEW)} events`, short);
  printTimes(`${number(events)} events`, long);
  console.log(`  ${number(events)} / ${number(FEW)} events: ${ratio(long, short)} times as long (at most 1.5 are asked for)`);
}

/** By the clock of the page: until something is there that fits, and the picture with it was drawn. */
async function timeVisit(page: Page, url: string, selector: string): Promise<number> {
  await page.goto(url, { waitUntil: "commit" });
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = () => {
          if (document.querySelector(wanted) === null) requestAnimationFrame(look);
          else requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
        };
        look();
      }),
    selector,
  );
}

function ratio(one: readonly number[], other: readonly number[]): string {
  return number(medianRatio(one, other), 2);
}

function printTimes(name: string, times: readonly number[]): void {
  console.log(`  ${name.padEnd(30)} ${spread(times)} ms`);
}
