import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchChromium } from "../../tools/chromium.ts";
import { startPostgres, type TestPostgres } from "../../tools/postgres.ts";
import { openDashboard } from "./open-dashboard.ts";

let browser: Browser;
let server: TestPostgres;
beforeAll(async () => {
  browser = await launchChromium();
  server = await startPostgres();
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

it("a page says that the hub cannot reach its database, until it can", async () => {
  const store = await server.createDatabase("away");
  await using dashboard = await openDashboard(browser, { args: ["--store", store] });
  const notice = dashboard.page.getByText(/^The hub cannot reach its database and stores nothing/);
  expect(await notice.count()).toBe(0);
  await server.kill();
  try {
    await notice.waitFor();
  } finally {
    await server.start();
  }
  await notice.waitFor({ state: "detached" });
});
