export interface KeyPress {
  /** One key, or those of a sequence so far, with a space between. */
  readonly keys: string;
  readonly at: number;
}

/** The keys of a sequence follow each other within this time. */
export const SEQUENCE_MS = 1500;

/** What a key means, after what was pressed before it: a shortcut; the beginning of one; or neither. */
export function pressKeys<Item extends { readonly keys: string }>(
  shortcuts: readonly Item[],
  begun: KeyPress | undefined,
  { keys: key, at }: KeyPress,
): { readonly found?: Item; readonly next?: KeyPress } {
  const goesOn = begun !== undefined && at - begun.at <= SEQUENCE_MS;
  for (const keys of goesOn ? [`${begun.keys} ${key}`, key] : [key]) {
    const found = shortcuts.findLast((one) => one.keys === keys);
    if (found !== undefined) return { found };
    if (shortcuts.some((one) => one.keys.startsWith(`${keys} `))) return { next: { keys, at } };
  }
  return {};
}
