/**
 * Moves the focus to a heading. The heading is focusable only while it has the focus: screen readers announce a focusable heading as
 * clickable.
 */
export function focusHeading(heading: HTMLElement | null, options?: FocusOptions): void {
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus(options);
  const leave = () => {
    // The window only lost the focus: it returns to the heading.
    if (document.activeElement === heading) return;
    heading.removeEventListener("blur", leave);
    heading.removeAttribute("tabindex");
  };
  heading.addEventListener("blur", leave);
}
