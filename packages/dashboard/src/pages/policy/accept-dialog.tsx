import type { PolicyCheck } from "@earshot/hub";
import { formatCount } from "@earshot/narrate";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { openModal } from "../../announce/regions.ts";
import { focusHeading } from "../../parts/focus-heading.ts";
import { useArmed } from "../inbox/use-armed.ts";
import { ChangeList } from "./change-list.tsx";
import { TextChange } from "./text-change.tsx";

export interface AcceptDialogProps {
  readonly check: PolicyCheck;
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
  /** Result of a trial of exactly this text; undefined without a trial. */
  readonly tried: string | undefined;
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  readonly onSave: (how: "accepted" | "waiting") => void;
  readonly onCancel: () => void;
}

/** Shows what rules allow before they are saved, for confirmation. */
export function AcceptDialog({ check, path, before, after, tried, isBusy, problem, onSave, onCancel }: AcceptDialogProps): ReactNode {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { isArmed, mayDecide } = useArmed(dialog, check.accepts ?? "");
  const loosening = check.changes.filter(({ loosens }) => loosens);
  // Closed before it is removed, which returns the focus to its earlier place.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element !== null) openModal(element);
    focusHeading(heading.current);
    return () => element?.close();
  }, []);
  const save = (how: "accepted" | "waiting") => {
    if (mayDecide() && !isBusy) onSave(how);
  };
  return (
    <dialog
      ref={dialog}
      className="dialog policy-dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
    >
      <h2 id={id} ref={heading} className="dialog-title">
        These rules allow more
      </h2>
      <p>{`${formatCount(loosening.length, "change")} would let something through that is held now, or might. Look at ${loosening.length === 1 ? "it" : "them"} before you agree.`}</p>
      <ChangeList changes={loosening} />
      {tried === undefined ? <p className="soft">They were not tried on past requests.</p> : <p>{tried}</p>}
      <details>
        <summary>Changed lines</summary>
        <TextChange path={path} before={before} after={after} />
      </details>
      {problem === undefined ? null : <p className="problem">{problem}</p>}
      <p className="policy-actions">
        <button type="button" className="button primary" aria-disabled={isBusy || !isArmed} onClick={() => save("accepted")}>
          Save and accept the changes
        </button>
        <button type="button" className="button" aria-disabled={isBusy || !isArmed} onClick={() => save("waiting")}>
          Save without accepting
        </button>
        <button type="button" className="button" onClick={onCancel}>
          Do not save
        </button>
      </p>
    </dialog>
  );
}
