import type { Page } from "playwright-core";

/** Presses Tab until an element with this name has the focus. */
export async function tabTo(page: Page, name: string | RegExp, most = 80): Promise<void> {
  const found: string[] = [];
  for (let steps = 0; steps <= most; steps++) {
    const focused = await focusedName(page);
    if (typeof name === "string" ? focused === name : name.test(focused)) return;
    found.push(focused);
    await page.keyboard.press("Tab");
  }
  throw new Error(`The key Tab does not lead to ${name}, but to: ${[...new Set(found)].join(" | ")}`);
}

/** The accessible name of the focused element, limited to labels and contents. */
export function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return "";
    const labels = element instanceof HTMLInputElement || element instanceof HTMLSelectElement ? element.labels : null;
    const name = element.getAttribute("aria-label") ?? labels?.[0]?.textContent ?? element.textContent ?? "";
    return name.replaceAll(/\s+/g, " ").trim();
  });
}

/** Lists usable elements that Tab does not reach, and focused ones without a visible indicator. Moves the focus. */
export async function findUnreachable(page: Page): Promise<readonly string[]> {
  const count = await page.evaluate(() => {
    const part = document.querySelector("dialog:modal") ?? document;
    const usable = [...part.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary, [tabindex='0']")].filter(
      (element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches(":disabled, [tabindex='-1'], .skip"),
    );
    const unmarked = new Set<HTMLElement>();
    const reached = new Set<HTMLElement>();
    document.addEventListener("focusin", ({ target }) => {
      if (!(target instanceof HTMLElement) || target === document.body) return;
      reached.add(target);
      // The focus indicator may surround an ancestor.
      const isMarked = [target, target.parentElement, target.parentElement?.parentElement].some((element) => {
        if (!(element instanceof HTMLElement)) return false;
        const { outlineStyle, boxShadow } = getComputedStyle(element);
        return outlineStyle !== "none" || boxShadow !== "none";
      });
      if (!isMarked) unmarked.add(target);
    });
    Object.assign(globalThis, { tried: { usable, reached, unmarked } });
    document.body.tabIndex = -1;
    document.body.focus();
    return usable.length;
  });
  for (let press = 0; press < count + 3; press++) await page.keyboard.press("Tab");
  return page.evaluate(() => {
    const { usable, reached, unmarked } = (globalThis as unknown as { tried: Tried }).tried;
    const isOfGroup = (element: HTMLElement) => {
      // Tab reaches only the selected radio button; arrow keys lead to the others.
      if (!(element instanceof HTMLInputElement) || element.type !== "radio") return false;
      return usable.some((other) => other instanceof HTMLInputElement && other.name === element.name && reached.has(other));
    };
    const told = (element: HTMLElement) => `${element.tagName} ${element.getAttribute("aria-label") ?? element.textContent}`.slice(0, 100);
    return [
      ...usable
        .filter((element) => element.isConnected && !reached.has(element) && !isOfGroup(element))
        .map((one) => `not reached: ${told(one)}`),
      ...[...unmarked].map((one) => `without a mark of focus: ${told(one)}`),
    ];
  });
}

interface Tried {
  readonly usable: readonly HTMLElement[];
  readonly reached: ReadonlySet<HTMLElement>;
  readonly unmarked: ReadonlySet<HTMLElement>;
}
