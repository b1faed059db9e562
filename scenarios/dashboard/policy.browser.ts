import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callJson, provePinInTest } from "../../packages/hub/src/access/testing/test-device.ts";
import { launchChromium } from "../../tools/chromium.ts";
import type { HubProcess } from "../hub/hub-process.ts";
import { createAsker } from "./asker.ts";
import { openDashboard, PIN } from "./open-dashboard.ts";

const POLICY = `# Mine
rules:
  - name: tests
    match: { command: npm test }
    answer: ask
    hold: always
  - name: pushes
    match: { command: git push * }
    answer: deny
`;
const LOOSER = POLICY.replace("answer: ask\n    hold: always", "answer: allow");

describe("the policy page", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
  });

  it("finds an error at its line, tries a text over what was asked, and saves what lets more through once that was agreed to", async () => {
    await using dashboard = await openDashboard(browser, { hasPin: true, context: { viewport: { width: 320, height: 800 } } });
    await using asker = createAsker(dashboard.hub);
    const { page, hub, complaints } = dashboard;
    const path = join(hub.home, "policy.yaml");
    writeFileSync(path, POLICY);
    await decide(hub, await asker.hook("Bash", { command: "npm test" }), "deny");
    await decide(hub, await asker.hook("Bash", { command: "npm test" }), "allow");

    await dashboard.visit("policy/edit");
    const editor = page.getByRole("textbox", { name: "Rules in policy.yaml" });
    await expect.poll(() => editor.inputValue()).toBe(POLICY);
    await editor.fill(LOOSER.replace("answer: deny", "anser: deny"));
    await page.getByRole("heading", { name: "2 errors" }).waitFor();
    await expect.poll(() => told(page)).toBe("2 errors. Line 8: There is no `anser` in a rule.");
    expect(await editor.getAttribute("aria-invalid")).toBe("true");
    await page.getByRole("button", { name: "Line 8, column 5" }).click();
    expect(await editor.evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd))).toBe(
      "anser: deny",
    );
    expect(await editor.evaluate((area) => area === document.activeElement)).toBe(true);
    expect(await page.getByRole("button", { name: "Try these rules" }).getAttribute("aria-disabled")).toBe("true");
    await page.keyboard.type("answer: deny");
    await page.getByRole("heading", { name: "What it changes: 1" }).waitFor();
    expect(await page.getByRole("heading", { name: /error/ }).count()).toBe(0);

    await page.getByRole("button", { name: "Try these rules" }).click();
    await page.getByRole("heading", { name: "It would pass, where you are asked now: 2 times" }).waitFor();
    await page.getByText("Careful: 1 that you refused would pass.").waitFor();
    await expect.poll(() => told(page)).toBe("2 of 2 actions would be decided differently.");
    const table = page.getByRole("table", { name: "How often each result would have occurred" });
    expect(await table.getByRole("row").allInnerTexts()).toContainEqual(expect.stringMatching(/^A rule lets it pass\s+0\s+0\s+2 \(\+2\)$/));
    expect(await page.getByRole("link", { name: "Claude Code in shop wants to run npm test" }).count()).toBe(2);

    // A draft survives leaving the page and returning.
    await page.getByRole("navigation", { name: "Rules" }).getByRole("link", { name: "Rules", exact: true }).click();
    await page.getByRole("heading", { name: "Active rules: 2" }).waitFor();
    await page.goBack();
    await expect.poll(() => editor.inputValue()).toBe(LOOSER);

    await page.getByRole("button", { name: "Save the rules" }).click();
    const dialog = page.getByRole("dialog", { name: "These rules allow more" });
    await dialog.getByText("Changed. Before: ask, hold always, for command npm test. Now: allow, for command npm test.").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    const save = page.getByRole("button", { name: "Save the rules" });
    await expect.poll(() => save.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(readFileSync(path, "utf8")).toBe(POLICY);
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Save and accept the changes", disabled: false }).click();
    await expect.poll(() => told(page)).toBe("Saved. These rules are active now.");
    expect(readFileSync(path, "utf8")).toBe(LOOSER);
    expect(await asker.heard(await asker.hook("Bash", { command: "npm test" }))).toMatchObject({
      response: { control: { behavior: "allow" } },
    });

    await dashboard.visit("policy");
    await page.getByText("tests Allows line 3").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    expect(complaints).toEqual([]);
  });

  it("shows what waits and is not used, accepts it, explains an action, and pauses", async () => {
    await using dashboard = await openDashboard(browser, { hasPin: true });
    await using asker = createAsker(dashboard.hub);
    const { page, hub, complaints } = dashboard;
    const path = join(hub.home, "policy.yaml");
    writeFileSync(path, POLICY);
    await decide(hub, await asker.hook("Bash", { command: "npm test" }), "deny");

    writeFileSync(path, LOOSER);
    await dashboard.visit("policy");
    const waiting = page.getByRole("region", { name: "Your rules wait to be accepted" });
    await waiting.getByText("added: answer: allow").waitFor();
    await waiting.getByRole("button", { name: "Accept your changed rules", disabled: false }).click();
    await waiting.waitFor({ state: "detached" });
    await page.getByText("tests Allows line 3").waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");

    writeFileSync(path, "rules: 3\n");
    await dashboard.visit("policy");
    await page.getByRole("region", { name: "The file is not used" }).getByRole("link", { name: "Fix the file" }).click();
    await page.getByRole("group").filter({ hasText: "Begin with a preset" }).getByText("Begin with a preset").click();
    await page.getByRole("button", { name: "Use 1: guard" }).click();
    await page.getByText("No errors. 4 rules.").first().waitFor();
    await page.getByRole("button", { name: "Back to the file" }).click();
    await page.getByRole("button", { name: /^Line 1, column/ }).waitFor();

    await page.getByRole("link", { name: "Explain", exact: true }).click();
    await page.getByLabel("A shell command").fill("cd api && git push --force");
    await page.getByRole("button", { name: "Explain the command" }).click();
    await page.getByRole("heading", { name: "The answer is deny, by the rule pushes." }).waitFor();
    await page.getByText("Replaces history that others may have.").waitFor();
    await page.getByRole("link", { name: "Claude Code in shop wants to run npm test" }).click();
    await page.getByRole("heading", { name: "The answer is allow, by the rule tests." }).waitFor();

    await page.getByRole("navigation", { name: "Rules" }).getByRole("link", { name: "Rules", exact: true }).click();
    await page.getByText("Pause all rules for a while").click();
    await page.getByLabel("Why").fill("Trying something");
    await page.getByRole("button", { name: "Pause all rules" }).click();
    await page
      .getByRole("main")
      .getByText(/^Agents decide everything themselves until .*: Trying something$/)
      .waitFor();
    await page.getByRole("button", { name: "End the pause" }).click();
    await expect.poll(() => told(page)).toBe("The pause is over: the rules are active again.");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Right now");
    expect(complaints).toEqual([]);
  });
});

async function decide(hub: HubProcess, request: string, answer: "allow" | "deny"): Promise<void> {
  const { ticket } = await callJson(hub.url, "/api/unlock", await provePinInTest(hub.url, PIN), hub.viewer());
  const { digest } = await callJson(hub.url, `/api/requests/${request}`, undefined, hub.viewer());
  await callJson(hub.url, `/api/requests/${request}/answer`, { digest, answer }, { authorization: `Bearer ${String(ticket)}` });
}

/** The last announcement, allowing it some time. */
async function told(page: Page): Promise<string> {
  return (await page.locator("#polite").innerText()).replaceAll("\u00a0", "").trim();
}
