import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";

/** The panel that is open below the buttons of a card. */
export type Panel = "confirm" | "reason" | "edit" | "scope" | undefined;

export interface OpenerProps {
  readonly label: string;
  readonly what: string;
  readonly opens: Panel;
  readonly kind?: "quiet" | "risky";
  /** Id of the box. */
  readonly box: string;
  readonly panel: Panel;
  readonly onPanel: (panel: Panel) => void;
}

export function Opener({ label, what, opens, kind = "quiet", box, panel, onPanel }: OpenerProps): ReactNode {
  const isOpen = panel === opens;
  return (
    <button
      type="button"
      className={`button ${kind}`}
      aria-label={`${label}: ${what}`}
      aria-expanded={isOpen}
      aria-controls={box}
      data-opens={opens}
      onClick={() => onPanel(isOpen ? undefined : opens)}
    >
      {label}
    </button>
  );
}

export interface PanelBoxProps {
  readonly id: string;
  readonly panel: Panel;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Opening moves the focus into the panel; Escape closes it and returns the focus to the button that opened it. */
export function PanelBox({ id, panel, onClose, children }: PanelBoxProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (panel !== undefined) box.current?.querySelector<HTMLElement>("input:checked, textarea, input, button")?.focus();
  }, [panel]);
  const close = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || panel === undefined) return;
    event.stopPropagation();
    box.current?.parentElement?.querySelector<HTMLElement>(`[data-opens="${panel}"]`)?.focus();
    onClose();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is heard here from whatever is in it
    <div id={id} ref={box} className="action-panel" hidden={panel === undefined} onKeyDown={close}>
      {children}
    </div>
  );
}
