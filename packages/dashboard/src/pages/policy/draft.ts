/** Rules that are being written, and the file they are to take the place of. */
export interface Draft {
  readonly text: string;
  /** The hash of that file. */
  readonly base: string;
}

const KEY = "earshot-policy-draft";

/** A draft stays with its tab: whoever looks at something else comes back to it. */
export function readDraft(): Draft | undefined {
  try {
    const { text, base } = JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Partial<Draft>;
    return typeof text === "string" && typeof base === "string" ? { text, base } : undefined;
  } catch {
    return undefined; // storage that is switched off, or not ours
  }
}

export function keepDraft(draft: Draft | undefined): void {
  try {
    if (draft === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // Storage that is switched off or full: the draft lives as long as the page is shown.
  }
}
