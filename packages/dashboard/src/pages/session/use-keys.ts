import { useEffect, useRef } from "react";
import { currentSettings } from "../../settings.ts";
import { useShortcuts } from "../../shortcuts/use-shortcuts.ts";

export interface KeyActions {
  /** Moves the focus by this many rows. */
  readonly move: (by: number) => void;
  readonly toggle: (how: "details" | "raw") => void;
}

const GROUP = "Timeline";
/** Shortcuts of a focused row: listed with the others but handled here, since these keys have other meanings elsewhere. */
const ON_ROW = [
  { id: "timeline.down", group: GROUP, keys: "ArrowDown", does: "On an item: the next one" },
  { id: "timeline.up", group: GROUP, keys: "ArrowUp", does: "On an item: the one before" },
  { id: "timeline.open", group: GROUP, keys: "Enter", does: "On an item: open or close its details" },
  { id: "timeline.raw", group: GROUP, keys: "r", does: "On an item: its raw JSON" },
] as const;

/** The timeline's shortcuts. They can be switched off like all others; buttons offer the same actions. */
export function useKeys(actions: KeyActions): void {
  const last = useRef(actions);
  last.current = actions;
  useShortcuts([
    { id: "timeline.next", group: GROUP, keys: "j", does: "Next item", run: () => actions.move(1) },
    { id: "timeline.previous", group: GROUP, keys: "k", does: "Item before", run: () => actions.move(-1) },
    ...ON_ROW,
  ]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey, shiftKey, defaultPrevented } = event;
      const { shortcuts, shortcutsOff } = currentSettings();
      const isOnRow = target instanceof HTMLElement && target.matches("[data-row]");
      if (!shortcuts || !isOnRow || defaultPrevented || ctrlKey || metaKey || altKey || shiftKey) return;
      const found = ON_ROW.find(({ keys, id }) => keys === key && !shortcutsOff.includes(id));
      if (found === undefined) return;
      event.preventDefault();
      if (found.keys === "ArrowDown") last.current.move(1);
      else if (found.keys === "ArrowUp") last.current.move(-1);
      else last.current.toggle(found.keys === "r" ? "raw" : "details");
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
