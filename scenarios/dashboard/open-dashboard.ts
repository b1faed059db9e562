import type { Browser, BrowserContext, Page } from "playwright-core";
import { callJson } from "../../packages/hub/src/access/testing/test-device.ts";
import { type HubProcess, type HubProcessOptions, startHub } from "../hub/hub-process.ts";

/** A hub with its dashboard, and a browser that is its first approver. */
export interface OpenDashboard extends AsyncDisposable {
  readonly hub: HubProcess;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Script errors and content security policy violations. */
  readonly complaints: readonly string[];
  /** Opens a dashboard page by its path under `/ui/`. */
  visit(path: string): Promise<void>;
}

export interface DashboardOptions extends HubProcessOptions {
  readonly context?: Parameters<Browser["newContext"]>[0];
  /** Sets the PIN, for a second device or a terminal. */
  readonly hasPin?: boolean;
}

export const PIN = "lantern 90210";
/** The name that the browser suggests for itself. */
export const DEVICE = "Chrome on Linux";

export async function openDashboard(browser: Browser, options: DashboardOptions = {}): Promise<OpenDashboard> {
  const hub = await startHub(options);
  const context = await browser.newContext(options.context);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(String((await callJson(hub.url, "/api/start-code", {}, hub.viewer()))["link"]));
  await page.getByRole("button", { name: "Make this browser an approver" }).click();
  try {
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
  } catch (cause) {
    const shown = await page.locator("body").innerText();
    throw new Error(`The browser was not admitted.\n${complaints.join("\n")}\n${shown}\nThe hub's log:\n${hub.log()}`, { cause });
  }
  if (options.hasPin === true) {
    await page.goto(`${hub.url}/ui/settings`);
    await page.getByLabel("New PIN").fill(PIN);
    await page.getByLabel("The same PIN again").fill(PIN);
    await page.getByRole("button", { name: "Set the PIN" }).click();
    await page.getByText("A PIN is set.").waitFor();
    await page.goto(`${hub.url}/ui/`);
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
  }
  return {
    hub,
    context,
    page,
    complaints,
    visit: async (path) => {
      await page.goto(`${hub.url}/ui/${path}`);
      await page.getByRole("navigation", { name: "Pages" }).waitFor();
    },
    async [Symbol.asyncDispose]() {
      await context.close();
      await hub[Symbol.asyncDispose]();
    },
  };
}
