export interface KeyPress {
  /** One key, or the keys of a sequence so far, separated by spaces. */
  readonly keys: string;
  readonly at: number;
}

/** Maximum time between the keys of a sequence. */
export const SEQUENCE_MS = 1500;

/** Interprets a key after the keys before it: a shortcut, the beginning of one, or neither. */
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
