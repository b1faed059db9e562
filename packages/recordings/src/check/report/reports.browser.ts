import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../../../../tools/chromium.ts";
import { renderCheckHtml } from "./html.ts";
import { renderJunit } from "./junit.ts";
import { CONTEXT, HOSTILE_CONTEXT, hostileReport, SAMPLE_REPORT } from "./testing/sample-report.ts";

describe("the page in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  async function open(html: string, options: { width?: number; colorScheme?: "light" | "dark" } = {}): Promise<Page> {
    const page = await browser.newPage({
      viewport: { width: options.width ?? 1280, height: 800 },
      colorScheme: options.colorScheme ?? "light",
    });
    await page.setContent(html);
    return page;
  }

  it("runs no script and requests nothing for a hostile report", async () => {
    const pages: Readonly<Record<string, string>> = {
      "http://report.test/report": renderCheckHtml(hostileReport(), HOSTILE_CONTEXT),
      "http://report.test/control": "<!doctype html><img src=x onerror=steal()>",
    };
    const page = await browser.newPage();
    const events: string[] = [];
    page.on("request", (request) => events.push(`request ${request.url()}`));
    page.on("dialog", (dialog) => events.push(`dialog ${dialog.message()}`));
    page.on("pageerror", (error) => events.push(`error ${error.message}`));
    page.on("console", (message) => events.push(`console ${message.text()}`));
    await page.addInitScript("globalThis.steal = () => console.log('stolen')");
    await page.route("**", (route) => {
      const body = pages[route.request().url()];
      return body === undefined ? route.abort() : route.fulfill({ contentType: "text/html; charset=utf-8", body });
    });

    await page.goto("http://report.test/report");
    await page.evaluate(`for (const element of document.querySelectorAll("*")) {
      if (element.tagName === "DETAILS") element.open = true;
      element.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
    }`);
    expect(events).toEqual(["request http://report.test/report"]);
    expect(await page.evaluate("document.scripts.length + document.images.length")).toBe(0);
    expect(await page.locator("h2").count()).toBe(3);

    // The negative control: on a page without escaping, the quoted code runs and is detected.
    await page.goto("http://report.test/control");
    await expect.poll(() => events).toContain("console stolen");
    expect(events).toContain("request http://report.test/x");
  });

  it("has one h1, headings without gaps, landmarks, a language and a title", async () => {
    const page = await open(renderCheckHtml(SAMPLE_REPORT, CONTEXT));
    const levels = await page.evaluate<number[]>(
      "[...document.querySelectorAll('h1,h2,h3,h4')].map((heading) => Number(heading.tagName[1]))",
    );
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels.every((level, index) => level <= (levels[index - 1] ?? 0) + 1)).toBe(true);
    for (const role of ["banner", "main", "contentinfo"] as const) expect(await page.getByRole(role).count()).toBe(1);
    expect(await page.evaluate("document.documentElement.lang")).toBe("en");
    expect(await page.title()).toBe("Not passed: 2 files – Earshot check");
    expect(await page.getByRole("region", { name: "recording.jsonl" }).count()).toBe(1);
  });

  it.each([1280, 320])("has real tables with captions and headers at %d pixels", async (width) => {
    const page = await open(renderCheckHtml(SAMPLE_REPORT, CONTEXT), { width });
    await page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })");
    for (const name of ["Files checked", "Further places of aaep/tool-completed-needs-invoked", "Accepted by the baseline, not counted"]) {
      expect(await page.getByRole("table", { name }).count()).toBe(1);
    }
    const summary = page.getByRole("table", { name: "Files checked" });
    expect(await summary.getByRole("columnheader").allTextContents()).toEqual([
      "File",
      "Result",
      "Protocol",
      "Events",
      "Sessions",
      "Errors",
      "Warnings",
      "Notes",
    ]);
    expect(await summary.getByRole("rowheader").allTextContents()).toEqual(["recording.jsonl", "clean.jsonl"]);
    expect(
      await page.evaluate("[...document.querySelectorAll('th')].every((header) => header.scope === 'col' || header.scope === 'row')"),
    ).toBe(true);
    expect(
      await page.evaluate(
        "document.querySelectorAll('[id]').length === new Set([...document.querySelectorAll('[id]')].map(({ id }) => id)).size",
      ),
    ).toBe(true);
  });

  it.each([
    ["an ordinary", SAMPLE_REPORT, CONTEXT],
    ["a hostile", hostileReport(), HOSTILE_CONTEXT],
  ])("needs no sideways scrolling for %s report at 320 pixels, nor with text twice as large", async (_, value, context) => {
    const page = await open(renderCheckHtml(value, context), { width: 320 });
    await page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    await page.setViewportSize({ width: 640, height: 800 });
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(640);
  });

  it.each(["light", "dark"] as const)("has a contrast of at least 4.5 everywhere in the %s scheme", async (colorScheme) => {
    const page = await open(renderCheckHtml(SAMPLE_REPORT, CONTEXT), { colorScheme });
    await page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })");
    const contrasts = await page.evaluate<{ text: string; contrast: number }[]>(`(() => {
      const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
      const luminance = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
        .reduce((sum, c, index) => sum + c * [0.2126, 0.7152, 0.0722][index], 0);
      const background = (element) => {
        for (let at = element; at !== null; at = at.parentElement) {
          const colour = parse(getComputedStyle(at).backgroundColor);
          if (colour.length === 3 || colour[3] === 1) return colour;
        }
        return [255, 255, 255];
      };
      return [...document.body.querySelectorAll("*")]
        .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ""))
        .map((element) => {
          const [high, low] = [luminance(parse(getComputedStyle(element).color)), luminance(background(element))].sort((a, b) => b - a);
          return { text: element.textContent.slice(0, 40), contrast: (high + 0.05) / (low + 0.05) };
        });
    })()`);
    expect(contrasts.length).toBeGreaterThan(50);
    expect(contrasts.filter(({ contrast }) => contrast < 4.5)).toEqual([]);
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(
      colorScheme === "dark" ? "rgb(20, 24, 28)" : "rgb(247, 247, 245)",
    );
  });

  it("shows the focus and opens lists by keyboard", async () => {
    const page = await open(renderCheckHtml(SAMPLE_REPORT, CONTEXT));
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the results");
    expect(await page.evaluate("document.activeElement.getBoundingClientRect().top >= 0")).toBe(true);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.getAttribute('href')")).toBe("#file-1");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.tagName")).toBe("SUMMARY");
    expect(await page.evaluate("parseFloat(getComputedStyle(document.activeElement).outlineWidth)")).toBeGreaterThanOrEqual(2);
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.parentElement.open")).toBe(true);
  });

  it("selects a whole id with one click", async () => {
    const page = await open(renderCheckHtml(SAMPLE_REPORT, CONTEXT));
    await page.getByText("evt_14", { exact: true }).click();
    expect(await page.evaluate("getSelection().toString()")).toBe("evt_14");
  });
});

describe("the JUnit report", () => {
  it("is read by a browser's XML parser", async () => {
    await using browser = await launchChromium();
    const page = await browser.newPage();
    for (const xml of [renderJunit(SAMPLE_REPORT, CONTEXT), renderJunit(hostileReport(), HOSTILE_CONTEXT)]) {
      const parsed = await page.evaluate<{ errors: number; root: string; cases: number }>(`(() => {
        const read = new DOMParser().parseFromString(${JSON.stringify(xml)}, "application/xml");
        return { errors: read.querySelectorAll("parsererror").length, root: read.documentElement.tagName, cases: read.querySelectorAll("testcase").length };
      })()`);
      expect(parsed).toMatchObject({ errors: 0, root: "testsuites" });
      expect(xml).toContain(`<testsuites name="earshot check" tests="${parsed.cases}"`);
    }
  });
});
