import { mkdirSync, readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callJson } from "../../packages/hub/src/access/testing/test-device.ts";
import { temporaryTestFolder } from "../../packages/hub/src/ledger/testing/temporary-folder.ts";
import { launchChromium } from "../../tools/chromium.ts";
import { type Asker, createAsker } from "./asker.ts";
import { findUnreachable } from "./keyboard.ts";
import { findOverflow, findViolations, LOOKS, lookAt } from "./look-at.ts";
import { type OpenDashboard, openDashboard } from "./open-dashboard.ts";
import { playDemo, WAITS } from "./play-demo.ts";
import { settle } from "./settle.ts";

/** A page of the dashboard with the steps to take before the check. */
type View = readonly [name: string, path: string, open?: (page: Page) => Promise<void>];

const QUESTION = {
  questions: [
    {
      question: "Which one?",
      header: "One",
      multiSelect: false,
      options: [
        { label: "This", description: "The first" },
        { label: "That", description: "" },
      ],
    },
  ],
};
const press = (name: RegExp) => async (page: Page) => page.getByRole("button", { name }).first().click();

const VIEWS: readonly View[] = [
  ["overview", ""],
  ["inbox", "inbox"],
  ["inbox, with a reason", "inbox", press(/^Deny, with a reason: run git push/)],
  ["inbox, edited", "inbox", press(/^Edit first: run git push/)],
  ["session", "session/SHOP"],
  ["session, tools", "session/SHOP?view=tools"],
  ["session, costs", "session/SHOP?view=spending"],
  ["session, subagents", "session/LEAD?view=family"],
  ["search", "search?text=paper"],
  ["search, nothing found", "search?text=nowhere"],
  ["alerts", "alerts"],
  ["heard", "heard"],
  ["policy", "policy"],
  ["policy, edited", "policy/edit"],
  ["check", "check", press(/^Show the rules for/)],
  ["agents", "agents"],
  ["agents, to be connected", "agents", press(/^Connect Claude Code/)],
  ["sessions", "sessions"],
  ["sessions, none match", "sessions?text=nowhere"],
  ["costs", "costs"],
  ["compare", "compare/SHOP/LEAD"],
  ["settings", "settings"],
  ["shortcuts", "", (page) => page.keyboard.press("?")],
  ["not found", "no-such-page"],
];

describe("every page", () => {
  let browser: Browser;
  let dashboard: OpenDashboard;
  let asker: Asker;
  const user = temporaryTestFolder();
  const keys = new Map<string, number>();
  beforeAll(async () => {
    browser = await launchChromium();
    // Axe comes from another origin for the page's content security policy, which is not tested here.
    mkdirSync(user.file(".claude"));
    dashboard = await openDashboard(browser, { context: { bypassCSP: true, locale: "en-GB" }, env: { HOME: user.path } });
    const { hub } = dashboard;
    await hub.post("/v1/events", readFileSync("packages/cli/recordings/rollback.aaep.jsonl"), "application/x-ndjson");
    asker = createAsker(hub);
    await asker.hook("Bash", { command: "git push --force origin main && rm -rf build\u202e", description: "Publish" });
    await asker.hook("Edit", { file_path: "/home/ana/shop/a.ts", old_string: "one\ntwo", new_string: "one\nthree" });
    await asker.hook("AskUserQuestion", QUESTION);
    await using demo = playDemo(hub);
    await demo.said(WAITS);
    const { items } = (await (await hub.get("/api/sessions?limit=100")).json()) as { items: readonly { id: string; key: number }[] };
    for (const { id, key } of items) {
      if (id.startsWith("demo-shop-")) keys.set("SHOP", key);
      if (id.startsWith("demo-lead-")) keys.set("LEAD", key);
    }
  });
  afterAll(async () => {
    await asker[Symbol.asyncDispose]();
    await dashboard[Symbol.asyncDispose]();
    await browser.close();
    user[Symbol.dispose]();
  });

  const show = async ([, path, open]: View) => {
    const { page } = dashboard;
    await lookAt(page, { width: 1280, colours: "light" });
    await dashboard.visit(path.replace(/[A-Z]{4}/g, (name) => String(keys.get(name))));
    await settle(page);
    await open?.(page);
    await settle(page);
    return page;
  };

  it("is looked at closely: mistakes are found", async () => {
    const page = await show(["not found", "no-such-page"]);
    await page.evaluate(() => {
      const image = document.createElement("img");
      const wide = document.createElement("p");
      wide.style.cssText = "inline-size: 2000px; color: #aaaaaa";
      wide.textContent = "Hardly to be seen.";
      document.querySelector("main")?.append(image, wide);
    });
    const found = await findViolations(page, { width: 1280, colours: "light" });
    expect(found.map((line) => line.split(": ")[1])).toEqual(["color-contrast", "image-alt"]);
    expect(await findOverflow(page)).toContain("The page scrolls sideways.");
  });

  it("of a browser that is not admitted yet keeps to the same", async () => {
    await using context = await browser.newContext({ bypassCSP: true });
    const { hub } = dashboard;
    const page = await context.newPage();
    const found: string[] = [];
    const look = async (name: string) => {
      await page.getByRole("heading", { name }).waitFor();
      found.push(...(await lookAll(page)), ...(await findUnreachable(page)));
    };
    await page.goto(`${hub.url}/ui/#start=AAAAAAAAAAAAAAAAAAAAAA`);
    await look("Approve your agents' actions here");
    await page.goto(`${hub.url}/ui/?`);
    await look("Admit this browser");
    const link = String((await callJson(hub.url, "/api/pairings", { role: "viewer" }, hub.viewer()))["link"]);
    await page.goto("about:blank");
    await page.goto(`${link}nonsense`);
    await page.getByRole("button", { name: "Ask to be admitted" }).click();
    await page.getByRole("alert").getByText(/./).waitFor();
    await look("Admit this browser");
    await page.goto("about:blank");
    await page.goto(link);
    await page.getByRole("button", { name: "Ask to be admitted" }).click();
    await look("Waiting for an approver");
    expect(found).toEqual([]);
  });

  it.each(VIEWS.map((view) => ({ name: view[0], view })))(
    "$name: axe-core finds nothing, nothing sticks out, and Tab reaches everything; narrow and wide, light, dark and forced colours",
    async ({ view }) => {
      const page = await show(view);
      const found = [...(await lookAll(page)), ...(await findUnreachable(page))];
      // Right-to-left: mirrored with the same width.
      await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
      for (const width of [320, 1280]) {
        await lookAt(page, { width, colours: "light" });
        found.push(...(await findOverflow(page)).map((line) => `from right to left: ${line}`));
      }
      const brand = await page.getByRole("link", { name: "Earshot", exact: true }).boundingBox();
      expect(brand?.x).toBeGreaterThan(640);
      expect(found).toEqual([]);
      expect(dashboard.complaints).toEqual([]);
    },
  );

  // Last, because it stops the hub.
  it("says that the hub is away, over what was last heard, and keeps to the same", async () => {
    const page = await show(["overview", ""]);
    await dashboard.hub.kill("SIGKILL");
    await page.getByText(/^The hub is not connected\. This page shows/).waitFor();
    expect([...(await lookAll(page)), ...(await findUnreachable(page))]).toEqual([]);
    expect(await page.getByRole("heading", { name: "Activity" }).count()).toBe(1);
  });
});

/** All problems found in any presentation. */
async function lookAll(page: Page): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const look of LOOKS) {
    await lookAt(page, look);
    for (const line of [...(await findViolations(page, look)), ...(await findOverflow(page))]) found.add(line);
  }
  return [...found];
}
