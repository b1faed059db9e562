import { Fragment, type ReactNode, useEffect, useRef } from "react";
import { openModal } from "../announce/regions.ts";
import { changeBrowserSettings, useSettings } from "../settings.ts";
import type { Shortcut } from "./shortcuts.ts";
import { useShortcutList } from "./use-shortcuts.ts";

/** All shortcuts of this page, each with a switch. */
export function ShortcutList(): ReactNode {
  const { shortcuts: areOn, shortcutsOff } = useSettings();
  const groups = Map.groupBy(useShortcutList(), ({ group }) => group);
  const turn = (id: string, isOn: boolean) =>
    changeBrowserSettings({ shortcutsOff: isOn ? shortcutsOff.filter((one) => one !== id) : [...shortcutsOff, id] });
  return (
    <>
      <p className="toggle">
        <label>
          <input
            type="checkbox"
            checked={areOn}
            onChange={({ currentTarget }) => changeBrowserSettings({ shortcuts: currentTarget.checked })}
          />{" "}
          Shortcuts of single keys
        </label>
      </p>
      {[...groups].map(([group, shortcuts]) => (
        <Fragment key={group}>
          <h3>{group}</h3>
          <ul className="keys">
            {shortcuts.map((one) => (
              <ShortcutRow key={one.id} shortcut={one} isOn={areOn && !shortcutsOff.includes(one.id)} areOn={areOn} onTurn={turn} />
            ))}
          </ul>
        </Fragment>
      ))}
    </>
  );
}

/** Keys whose name differs from the browser's. */
const KEY_NAMES: Readonly<Record<string, string>> = {
  ArrowDown: "Down",
  ArrowUp: "Up",
  ArrowLeft: "Left",
  ArrowRight: "Right",
  " ": "Space",
};

/** Characters that screen readers do not speak. */
const SPOKEN_KEYS: Readonly<Record<string, string>> = { "?": "question mark", ".": "full stop" };

function Key({ name }: { readonly name: string }): ReactNode {
  const spoken = SPOKEN_KEYS[name];
  if (spoken === undefined) return <kbd>{KEY_NAMES[name] ?? name}</kbd>;
  return (
    <kbd>
      <span aria-hidden="true">{name}</span>
      <span className="told">{spoken}</span>
    </kbd>
  );
}

interface ShortcutRowProps {
  readonly shortcut: Shortcut;
  readonly isOn: boolean;
  readonly areOn: boolean;
  readonly onTurn: (id: string, isOn: boolean) => void;
}

function ShortcutRow({ shortcut: { id, keys, does }, isOn, areOn, onTurn }: ShortcutRowProps): ReactNode {
  return (
    <li>
      <label>
        <input type="checkbox" checked={isOn} disabled={!areOn} onChange={({ currentTarget }) => onTurn(id, currentTarget.checked)} />
        <span className="key-names">
          {keys.split(" ").map((key, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same key may come twice, and they never move
            <Key key={index} name={key} />
          ))}
        </span>{" "}
        <span>{does}</span>
      </label>
    </li>
  );
}

/** The list as a dialog: the browser traps the focus, closes it with Escape, and restores the focus. */
export function ShortcutDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (dialog.current !== null) openModal(dialog.current);
  }, []);
  return (
    <dialog ref={dialog} className="sheet" aria-labelledby="shortcuts-title" onClose={onClose}>
      <div className="sheet-top">
        <h2 id="shortcuts-title">Shortcuts</h2>
        <button type="button" className="button" onClick={() => dialog.current?.close()}>
          Close the list
        </button>
      </div>
      <ShortcutList />
    </dialog>
  );
}
