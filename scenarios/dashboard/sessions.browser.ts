import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../tools/chromium.ts";
import { aopEvent } from "../hub/hub-process.ts";
import { createAsker } from "./asker.ts";
import { type OpenDashboard, openDashboard } from "./open-dashboard.ts";
import { aep, aepCall, keyOf, tell } from "./session-events.ts";
import { settle } from "./settle.ts";

const MANY = 250;

describe("sessions and costs", () => {
  let browser: Browser;
  let dashboard: OpenDashboard;
  beforeAll(async () => {
    browser = await launchChromium();
    dashboard = await openDashboard(browser, { context: { locale: "en-GB", viewport: { width: 1440, height: 900 } } });
    const { hub } = dashboard;
    const begin = (index: number) => aopEvent({ session: `many-${index}`, sequence: 1, payload: { goal: `Many number ${index}.` } });
    await hub.post("/v1/events", Array.from({ length: MANY }, (_, index) => begin(index)).join("\n"), "application/x-ndjson");
    const call = { id: "c1", tool: "Bash", input: { command: "npm test" }, seconds: [1, 2], output: "" } as const;
    const child = aep("prices", "session.start", 1, {
      session: { id: "prices", parent: { session_id: "shop" } },
      goal: "Compare the prices",
    });
    await tell(hub, [aep("shop", "session.start", 0), ...aepCall("shop", call), child], "shop");
    await keyOf(hub, "prices");
  });
  afterAll(async () => {
    expect(dashboard.complaints).toEqual([]);
    await dashboard[Symbol.asyncDispose]();
    await browser.close();
  });

  it("finds any part of a name, keeps the filter in the address, and says when nothing matches", async () => {
    const { page, visit } = dashboard;
    await visit("sessions");
    await page.getByRole("table", { name: "Sessions" }).waitFor();
    await page.getByRole("combobox", { name: "Agent, project or goal" }).fill("numBER 17.");
    await expect.poll(() => goals(page)).toEqual(["Many number 17."]);
    await expect.poll(() => page.url()).toContain("text=numBER");
    await page.reload();
    await expect.poll(() => goals(page)).toEqual(["Many number 17."]);
    await page.getByRole("combobox", { name: "Agent, project or goal" }).fill("elephant");
    await page.getByRole("heading", { name: "No session matches" }).waitFor();
    await page.getByRole("link", { name: "Clear the filters" }).click();
    await page.getByRole("table", { name: "Sessions" }).waitFor();
  });

  it("saves filters, and takes them back", async () => {
    const { page, visit } = dashboard;
    await visit("sessions?text=17&protocol=aop");
    await page.getByRole("button", { name: "Save these filters …" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Seventeen");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove this filter" }).waitFor();
    await visit("sessions");
    await page.getByRole("combobox", { name: "Saved" }).selectOption("Seventeen");
    await expect.poll(() => page.url()).toContain("text=17&protocol=aop");
    await page.getByRole("button", { name: "Remove this filter" }).click();
    expect(await page.getByRole("option", { name: "Seventeen" }).count()).toBe(0);
  });

  it("pages through everything while it draws only what is seen", async () => {
    const { page, visit } = dashboard;
    await visit("sessions?text=many");
    await expect.poll(async () => (await goals(page)).length).toBeGreaterThan(5);
    const seen = new Set<string>();
    await expect
      .poll(
        async () => {
          const drawn = await goals(page);
          for (const goal of drawn) seen.add(goal);
          expect(drawn.length).toBeLessThan(80);
          await page.mouse.wheel(0, 600);
          return seen.size;
        },
        { timeout: 60_000 },
      )
      .toBe(MANY);
    // Rows in sight are drawn.
    const isBlank = await page.evaluate(() => document.elementFromPoint(720, 450)?.closest("tr.spacer") instanceof Element);
    expect(isBlank).toBe(false);
  });

  it("folds subagents under the agent that started them, and compares two sessions", async () => {
    const { page, visit } = dashboard;
    await visit("sessions");
    const subagents = page.getByRole("button", { name: "Subagents of Claude Code: 1" });
    await subagents.waitFor();
    expect(await page.locator('tr[data-depth="1"]').count()).toBe(0);
    await subagents.click();
    await expect.poll(() => subagents.getAttribute("aria-expanded")).toBe("true");
    await expect.poll(() => page.locator('tr[data-depth="1"]').count()).toBe(1);
    const boxes = page.getByRole("checkbox", { name: /^Compare Claude Code/ });
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await page.getByRole("link", { name: "Compare these two sessions" }).click();
    await page.getByRole("heading", { level: 1, name: "Compare two sessions" }).waitFor();
    await page.getByRole("row", { name: /^Bash 1 0$|^Bash 0 1$/ }).waitFor();
  });

  it("shows costs by day, agent, model, project, tool and session", async () => {
    const { page, visit } = dashboard;
    await visit("costs?by=project");
    await settle(page);
    const table = page.getByRole("region", { name: "By project" });
    await table.getByRole("row", { name: /^shop/ }).waitFor();
    await page.getByRole("radio", { name: "Tool" }).check({ force: true });
    await page.getByRole("region", { name: "By tool" }).getByRole("row", { name: /^Bash/ }).waitFor();
    expect(page.url()).toContain("by=tool");
    await page.getByRole("img", { name: /^Cost of the last 30 days: \$0\.01 on the last day/ }).waitFor();
  });

  it("says in lists and on its page that a session waits", async () => {
    const { page, hub, visit } = dashboard;
    await using asker = createAsker(hub);
    await asker.hook("Bash", { command: "npm run deploy" }, { session: { id: "shop" } });
    await visit("sessions?status=waiting");
    await page.getByRole("row", { name: /Waiting for you Claude Code/ }).waitFor();
    await visit(`session/${await keyOf(hub, "shop")}`);
    await page.locator(".session-title").getByText("Waiting for you").waitFor();
  });
});

function goals(page: Page): Promise<readonly string[]> {
  return page.getByRole("table", { name: "Sessions" }).locator("tbody th").allTextContents();
}
