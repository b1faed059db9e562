import { focusHeading } from "../../parts/focus-heading.ts";

/** Moves the focus to the heading of a card; without one, to that of the page. */
export function focusTitle(region: HTMLElement | null, card: string | undefined, options?: FocusOptions): void {
  const title = card === undefined ? "h1" : `[data-title="${CSS.escape(card)}"]`;
  focusHeading(region?.querySelector<HTMLElement>(title) ?? null, options);
}
