import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryTestFolder } from "../../packages/hub/src/ledger/testing/temporary-folder.ts";
import { launchChromium } from "../../tools/chromium.ts";
import { openDashboard } from "./open-dashboard.ts";

describe("the first five minutes", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
  });

  it("connect an agent from the page as it was shown, with a proven gate, and play the demo", async () => {
    using home = temporaryTestFolder();
    const own = home.file(".earshot");
    mkdirSync(own);
    mkdirSync(home.file(".claude"));
    const settings = home.file(".claude/settings.json");
    writeFileSync(settings, '{\n  "model": "x"\n}\n');
    await using dashboard = await openDashboard(browser, { home: own, env: { HOME: home.path } });
    const { page, visit, complaints } = dashboard;
    await page.getByRole("heading", { level: 1, name: "No events yet" }).waitFor();
    await page.getByRole("button", { name: "Connect Claude Code" }).click();
    await page.getByRole("heading", { name: "This would be written for Claude Code" }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("This would be written for Claude Code");
    const shown = await page.locator(".setup-text").innerText();
    expect(shown).toContain(settings);
    expect(shown).toContain("Nothing was written.");
    expect(existsSync(`${own}/policy.yaml`)).toBe(false);

    // Settings that changed after they were shown are not written over.
    writeFileSync(settings, '{\n  "model": "y"\n}\n');
    await page.getByRole("button", { name: "Write this" }).click();
    await page.getByText("changed after they were shown").first().waitFor();
    expect(readFileSync(settings, "utf8")).not.toContain("earshot-hook");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Connect Claude Code" }).click();
    await page.getByRole("button", { name: "Write this" }).click();
    await page.getByRole("heading", { name: "Claude Code is connected" }).waitFor();
    const text = await page.locator(".setup-text").innerText();
    expect(text).toContain("Claude Code: a test call through PreToolUse was denied. The gate holds.");
    expect(text).toContain("To undo it: earshot init --undo.");
    for (const line of readFileSync(settings, "utf8")
      .split("\n")
      .filter((one) => one.includes("earshot-hook")))
      expect(shown).toContain(line.trim());
    expect(readFileSync(`${own}/policy.yaml`, "utf8")).toContain("extends: guard");

    await visit("agents");
    const row = page.getByRole("region", { name: "On this machine" }).getByRole("listitem").filter({ hasText: "Claude Code" });
    await row.getByText("Gated", { exact: true }).waitFor();
    await row.getByText("No events received yet.").waitFor();
    // Without the launcher no call is held, and the page says so while it is open.
    writeFileSync(settings, '{\n  "disableAllHooks": true\n}\n');
    await row.getByText("Not gated", { exact: true }).waitFor();

    await page.getByRole("button", { name: "Play the demo" }).click();
    await page.getByText("The demo is playing.").first().waitFor();
    await visit("");
    await page.getByRole("heading", { name: "Needs your approval: 1" }).waitFor({ timeout: 60_000 });
    expect(complaints).toEqual([expect.stringContaining("409")]);
  });
});
