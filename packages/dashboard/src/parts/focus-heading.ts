/**
 * Moves the focus to a heading. It takes the focus only for as long as it has it: screen readers call every heading that could take
 * it clickable.
 */
export function focusHeading(heading: HTMLElement | null, options?: FocusOptions): void {
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus(options);
  const leave = () => {
    // Who only looks at another window comes back to it.
    if (document.activeElement === heading) return;
    heading.removeEventListener("blur", leave);
    heading.removeAttribute("tabindex");
  };
  heading.addEventListener("blur", leave);
}
