import { useEffect, useRef, useSyncExternalStore } from "react";
import { listShortcuts, onShortcuts, registerShortcuts, type Shortcut } from "./shortcuts.ts";

/** Registers shortcuts while a part of the page is mounted. Their actions may change with every render; their keys may not. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const last = useRef(shortcuts);
  last.current = shortcuts;
  const names = shortcuts.map(({ id, keys }) => `${id} ${keys}`).join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names say which they are
  useEffect(
    () =>
      registerShortcuts(
        last.current.map((one) =>
          one.run === undefined ? one : { ...one, run: () => last.current.find(({ id }) => id === one.id)?.run?.() },
        ),
      ),
    [names],
  );
}

export function useShortcutList(): readonly Shortcut[] {
  return useSyncExternalStore(onShortcuts, listShortcuts);
}
