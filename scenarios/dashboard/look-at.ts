import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A viewport and color setting. */
export interface Look {
  readonly width: number;
  readonly colours: "light" | "dark" | "forced";
}

/** 320 CSS pixels also equal 1280 at a zoom of 400 %. */
export const LOOKS: readonly Look[] = [320, 1280].flatMap((width) =>
  (["light", "dark", "forced"] as const).map((colours) => ({ width, colours })),
);

export async function lookAt(page: Page, { width, colours }: Look): Promise<void> {
  const forcedColors = colours === "forced" ? "active" : "none";
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme: colours === "dark" ? "dark" : "light", forcedColors, reducedMotion: "reduce" });
}

/** Violations found by axe-core, one per line. With other colors only contrast is checked again. */
export async function findViolations(page: Page, { width, colours }: Look): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  const only: RunOptions = colours === "light" ? {} : { runOnly: ["color-contrast", "link-in-text-block"] };
  const { violations } = await page.evaluate(
    (options) => (globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(options),
    { ...only, resultTypes: ["violations"] } satisfies RunOptions,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = "" }) => `${width} ${colours}: ${id}: ${String(target)}: ${failureSummary.split("\n")[1]?.trim()}`,
    ),
  );
}

/** Elements that exceed the page's width and would require horizontal scrolling. */
export function findOverflow(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const room = document.documentElement.clientWidth;
    if ((document.scrollingElement?.scrollWidth ?? 0) <= room) return [];
    const wide = [...document.body.querySelectorAll<HTMLElement>("*")].filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return (right > room + 1 || left < -1) && element.closest(".told, .skip") === null;
    });
    return wide
      .slice(0, 5)
      .map((element) => `${element.tagName}.${element.className}: ${element.innerText.slice(0, 60)}`)
      .concat("The page scrolls sideways.");
  });
}
