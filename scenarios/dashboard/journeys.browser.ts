import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callJson } from "../../packages/hub/src/access/testing/test-device.ts";
import { launchChromium } from "../../tools/chromium.ts";
import { aopEvent } from "../hub/hub-process.ts";
import { focusedName, tabTo } from "./keyboard.ts";
import { DEVICE, type OpenDashboard, openDashboard, PIN } from "./open-dashboard.ts";
import { playDemo, WAITS } from "./play-demo.ts";
import { settle } from "./settle.ts";

const PUSH = "run git push --force origin main";
const ASKED = `Claude Code in shop wants to ${PUSH}`;

describe("a person", () => {
  let browser: Browser;
  let dashboard: OpenDashboard;
  beforeAll(async () => {
    browser = await launchChromium();
    dashboard = await openDashboard(browser, { hasPin: true, context: { locale: "en-GB" } });
  });
  afterAll(async () => {
    expect(dashboard.complaints).toEqual([]);
    await dashboard[Symbol.asyncDispose]();
    await browser.close();
  });

  it("with several agents sees them come, finds the one that waits, and decides by keyboard alone; the agent goes on", async () => {
    const { page, hub } = dashboard;
    await page.getByRole("heading", { name: "No events yet" }).waitFor();
    // An open page counts as presence: agents wait for it.
    await expect.poll(async () => (await callJson(hub.url, "/api/control", undefined, hub.viewer()))["attended"]).toBe(true);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    const before = await focusedName(page);
    await using demo = playDemo(hub);
    await demo.said(WAITS);
    const now = page.getByRole("main");
    await now.getByRole("heading", { name: "Needs your approval: 1" }).waitFor();
    await now.getByRole("region", { name: "Activity" }).waitFor();
    const shop = now.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Claude Code in shop", exact: true }) });
    await shop.getByText(/Waiting for you$/).waitFor();
    await expect.poll(() => page.title()).toBe("(1) Overview – Earshot");
    // New content appears without moving the focus.
    expect(await focusedName(page)).toBe(before);

    const request = await openRequest(dashboard);
    await expectOnlyLooking(browser, dashboard, request);

    await tabTo(page, ASKED);
    await page.keyboard.press("Enter");
    await expect.poll(() => focusedName(page)).toBe(ASKED);
    await page.locator('[data-arming="false"]').waitFor();
    await tabTo(page, `Allow once: ${PUSH}`);
    await page.keyboard.press("Enter");
    await expect.poll(() => focusedName(page)).toBe(`Allow once all the same: ${PUSH}`);
    await page.locator('[data-arming="false"]').waitFor();
    await page.keyboard.press("Enter");
    await demo.said("You allowed it.");
    expect(await demo.ended).toBe(0);
    await page
      .getByText(new RegExp(`Allowed.* by ${DEVICE}`))
      .first()
      .waitFor();
    expect(await callJson(hub.url, `/api/requests/${request.id}`, undefined, hub.viewer())).toMatchObject({ state: "answered-by-person" });

    await tabTo(page, "Overview");
    await page.keyboard.press("Enter");
    await expect.poll(() => focusedName(page)).toBe("Overview");
    await now.getByRole("heading", { name: "Nothing needs your approval" }).waitFor();
    await now.getByRole("region", { name: "Failures and alerts" }).getByText("Failed").first().waitFor();
    await expect.poll(() => now.getByRole("region", { name: "Activity" }).getByText("Completed").count()).toBe(3);
    await expect.poll(() => page.title()).toBe("Overview – Earshot");
    await tabTo(page, "Claude Code in shop");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: /^Claude Code in shop/ }).waitFor();
    await page.getByText("main -> main (forced update)").first().waitFor();
  });

  it("who looks for something finds it by keyboard alone, and can send the address to somebody else", async () => {
    const { page, visit } = dashboard;
    await visit("search");
    await settle(page);
    await tabTo(page, "Words");
    await page.keyboard.type("northmill");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /^\d+ found$/ }).waitFor();
    expect(page.url()).toContain("text=northmill");
    await page.reload();
    await page.getByRole("heading", { name: /^\d+ found$/ }).waitFor();
    expect(await page.locator("mark").first().textContent()).toMatch(/^northmill$/i);
    await page.getByRole("heading", { level: 3 }).getByRole("link").first().waitFor();
    await page.getByRole("combobox", { name: "Kind" }).selectOption("error");
    await expect
      .poll(() => page.locator(".hits a").allTextContents())
      .toSatisfy((names: readonly string[]) => names.every((name) => name.endsWith(", error")));
    await page.getByRole("combobox", { name: "Kind" }).selectOption("any");
    await page.getByRole("combobox", { name: "Time" }).selectOption("today");
    await page.getByRole("heading", { name: /^\d+ found$/ }).waitFor();
    await tabTo(page, /^(?:Price scout|Terms reader|Paper buyer), /);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: /^(?:Price scout|Terms reader|Paper buyer)/ }).waitFor();
    expect(page.url()).toMatch(/\/ui\/session\/\d+\?at=\d+$/);
    await page.goBack();
    await page.getByRole("heading", { name: /^\d+ found$/ }).waitFor();
  });

  it("who writes agents sees which rule was broken, and goes to where it was, by keyboard alone", async () => {
    const { page, hub, visit } = dashboard;
    await hub.post("/v1/events", readFileSync("packages/cli/recordings/rollback.aaep.jsonl"), "application/x-ndjson");
    await visit("check");
    await page.getByRole("button", { name: /^Show the rules for .*AAEP$/ }).waitFor();
    await tabTo(page, /^Show the rules for .*AAEP$/);
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /aaep\/rejected-action-not-invoked error 1/ }).waitFor();
    await tabTo(page, /^First time that aaep\/rejected-action-not-invoked was broken/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/ui\/session\/\d+\?at=\d+$/);
    await page.getByText("aaep/rejected-action-not-invoked").first().waitFor();
    // Follows the links to the rule, filtered to this session, and to its alerts.
    await page.getByRole("link", { name: "aaep/rejected-action-not-invoked" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Protocol health" }).waitFor();
    expect(new URL(page.url()).searchParams.get("rule")).toBe("aaep/rejected-action-not-invoked");
    await page.getByRole("row", { name: /aaep\/rejected-action-not-invoked \(asked for\)/ }).waitFor();
    await expect.poll(() => page.getByRole("heading", { level: 2 }).count()).toBe(1);
    await page.getByRole("link", { name: "Show all sessions" }).click();
    await page.getByRole("textbox", { name: "Rule" }).fill("no-such-rule");
    await page.getByText("None of the latest 100 sessions broke a rule of this kind.").waitFor();
    await page.getByRole("textbox", { name: "Rule" }).fill("rejected-action");
    await page.getByRole("row", { name: /aaep\/rejected-action-not-invoked \(asked for\)/ }).waitFor();
    await expect.poll(() => page.getByRole("heading", { level: 2 }).count()).toBe(1);
    await page.getByRole("heading", { level: 2 }).getByRole("link").click();
    const alerts = page.locator("dl > div").filter({ has: page.getByRole("term").filter({ hasText: "Alerts" }) });
    await alerts.getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: "Alerts" }).waitFor();
    expect(page.url()).toMatch(/\/ui\/alerts\?session=\d+$/);
    await page.getByText("Of one session only:").waitFor();
    await expect.poll(() => page.getByRole("heading", { level: 2 }).allInnerTexts()).toEqual([expect.stringMatching(/^Broke a rule/)]);
    await page.getByRole("link", { name: "Show all sessions" }).click();
    await page.getByRole("listitem").filter({ hasText: "aaep/rejected-action-not-invoked" }).first().waitFor();
    await tabTo(page, "Kind");
    await page.keyboard.type("Repeats");
    await page.getByRole("link", { name: "Repeats the same call, Price scout" }).waitFor();
    await expect.poll(() => page.url()).toContain("type=loop");
  });

  it("who reads a list and filters it sees the new list, although the focus is in the old one", async () => {
    const { page, visit } = dashboard;
    await visit("alerts");
    const alert = page.getByRole("region", { name: "Alerts" }).getByRole("link").first();
    await alert.waitFor();
    await page.getByLabel("Kind").focus();
    await page.keyboard.press("Tab");
    await expect.poll(() => alert.evaluate((link) => link === document.activeElement)).toBe(true);
    await page.getByLabel("Kind").evaluate((select: HTMLSelectElement) => {
      select.value = "stall";
      select.dispatchEvent(new Event("change", { bubbles: true }));
    });
    await page.getByText("There are no alerts of this kind.").waitFor();
  });

  it("who has a client of one of the protocols points it here, and sees it without doing anything else", async () => {
    const { page, hub, visit } = dashboard;
    await visit("agents");
    const way = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: /^An existing AOP client/ }) });
    await way.getByText(`AOP_ENDPOINT=${hub.url}`).waitFor();
    await visit("sessions?protocol=aop&text=mail");
    await page.getByRole("heading", { name: "No session matches" }).waitFor();
    await hub.post("/events", aopEvent({ session: "theirs", sequence: 1, payload: { goal: "Sort the <b>mail</b>" } }));
    await page.getByRole("link", { name: "Sort the <b>mail</b>" }).click();
    await page.getByText("Unverified source").waitFor();
  });

  it("sets this browser to what they need by keyboard alone, and every tab follows", async () => {
    const { page, context, hub, visit } = dashboard;
    await visit("settings");
    const other = await context.newPage();
    await other.goto(`${hub.url}/ui/`);
    await settle(other);
    await page.bringToFront();
    await settle(page);
    await tabTo(page, /^Colours/);
    await page.keyboard.type("dark");
    await expect.poll(() => other.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("dark");
    await tabTo(page, "Reset all settings", 200);
    await page.keyboard.press("Enter");
    await expect.poll(() => other.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("light dark");
    await other.close();
  });
});

interface Asked {
  readonly id: string;
  readonly digest: string;
}

async function openRequest({ hub }: OpenDashboard): Promise<Asked> {
  const { requests } = await callJson(hub.url, "/api/requests?state=open", undefined, hub.viewer());
  const [request] = requests as readonly Asked[];
  if (request === undefined) throw new Error("Nothing waits.");
  return request;
}

/** A viewer sees the same page without decision buttons and is refused when trying. */
async function expectOnlyLooking(browser: Browser, { hub }: OpenDashboard, { id, digest }: Asked): Promise<void> {
  await using context = await browser.newContext();
  const page = await context.newPage();
  const { link } = await callJson(hub.url, "/api/pairings", { role: "viewer" }, hub.viewer());
  await page.goto(String(link));
  await page.getByRole("button", { name: "Ask to be admitted" }).click();
  await page.getByLabel("Or the PIN").fill(PIN);
  await page.getByRole("button", { name: "Admit with the PIN" }).click();
  await page.getByRole("link", { name: /^Inbox/ }).click();
  await page.getByRole("heading", { name: ASKED }).waitFor();
  expect(await page.getByRole("main").getByRole("button", { name: PUSH }).count()).toBe(0);
  const headers = { ...hub.viewer(), "content-type": "application/json" };
  const body = JSON.stringify({ digest, answer: "allow" });
  expect((await fetch(`${hub.url}/api/requests/${id}/answer`, { method: "POST", headers, body })).status).toBe(403);
}
