import { settings } from "../settings.ts";
import { type KeyPress, pressKeys } from "./press-keys.ts";

/** What a key does, without a modifier. `keys` as they are pressed one after the other: `?`, `r`, `g i`. */
export interface Shortcut {
  /** Names it in the settings: `heard.repeat`. */
  readonly id: string;
  readonly keys: string;
  /** In a few words, for the list. */
  readonly does: string;
  /** Under which heading it is listed. */
  readonly group: string;
  /** Left out where the part of the page that it belongs to listens by itself, and looks whether it is switched off. */
  readonly run?: () => void;
}

const registered = new Set<readonly Shortcut[]>();
const listeners = new Set<() => void>();
let all: readonly Shortcut[] = [];
let begun: KeyPress | undefined;

/** Returns how to take them away again. Of two with the same keys, the newer one counts. */
export function registerShortcuts(shortcuts: readonly Shortcut[]): () => void {
  registered.add(shortcuts);
  changed();
  return () => {
    registered.delete(shortcuts);
    changed();
  };
}

/** All that there are on this page, those that are switched off too. */
export function listShortcuts(): readonly Shortcut[] {
  return all;
}

export function onShortcuts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function changed(): void {
  all = [...registered].flat();
  for (const listener of listeners) listener();
}

/** Parts of the page that take letters themselves, for typing or for finding something by its first letter. */
const TAKES_LETTERS =
  "input:not([type=checkbox], [type=radio], [type=button], [type=range]), textarea, select, dialog, [role=dialog], [role=menu], [role=listbox], [role=tree], [role=combobox]";

// On the window: whatever part of the page has use for a key comes first, and says so by preventing what it does otherwise.
addEventListener("keydown", (event) => {
  const { shortcuts, shortcutsOff } = settings();
  const { target, key, defaultPrevented, ctrlKey, metaKey, altKey, isComposing, timeStamp } = event;
  if (!shortcuts || defaultPrevented || ctrlKey || metaKey || altKey || isComposing || takesLetters(target)) {
    begun = undefined;
    return;
  }
  const live = all.filter(({ id, run }) => run !== undefined && !shortcutsOff.includes(id));
  const { found, next } = pressKeys(live, begun, { keys: key, at: timeStamp });
  begun = next;
  if (found === undefined && next === undefined) return;
  event.preventDefault();
  found?.run?.();
});

function takesLetters(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest(TAKES_LETTERS) !== null);
}
