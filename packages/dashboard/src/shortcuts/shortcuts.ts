import { currentSettings } from "../settings.ts";
import { type KeyPress, pressKeys } from "./press-keys.ts";

/** A shortcut without modifiers. `keys` in the order in which they are pressed: `?`, `r`, `g i`. */
export interface Shortcut {
  /** Its name in the settings: `heard.repeat`. */
  readonly id: string;
  readonly keys: string;
  /** Short description for the list. */
  readonly does: string;
  /** The heading under which it is listed. */
  readonly group: string;
  /** Omitted if the owning part of the page handles the key itself and checks whether the shortcut is switched off. */
  readonly run?: () => void;
}

const registered = new Set<readonly Shortcut[]>();
const listeners = new Set<() => void>();
let all: readonly Shortcut[] = [];
let begun: KeyPress | undefined;

/** Returns the function that removes them. Of two shortcuts with the same keys, the newer one applies. */
export function registerShortcuts(shortcuts: readonly Shortcut[]): () => void {
  registered.add(shortcuts);
  changed();
  return () => {
    registered.delete(shortcuts);
    changed();
  };
}

/** Returns all shortcuts of this page, including those that are switched off. */
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

/** Elements that use letter keys themselves, for typing or type-ahead. */
const TAKES_LETTERS =
  "input:not([type=checkbox], [type=radio], [type=button], [type=range]), textarea, select, dialog, [role=dialog], [role=menu], [role=listbox], [role=tree], [role=combobox]";

// On the window: any element that uses a key handles it first and calls `preventDefault`.
addEventListener("keydown", (event) => {
  const { shortcuts, shortcutsOff } = currentSettings();
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
