import type { PolicyCheck, PolicyView } from "@earshot/hub";
import { type ReactNode, useId } from "react";
import { homePath } from "../../words/home-path.ts";
import { ChangeList } from "./change-list.tsx";
import { TextChange } from "./text-change.tsx";

export interface TextEffectProps {
  readonly check: PolicyCheck;
  readonly view: PolicyView;
  readonly text: string;
}

/** The changes of a text to the active rules. */
export function TextEffect({ check, view, text }: TextEffectProps): ReactNode {
  const id = useId();
  if (check.changes.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{`What it changes: ${check.changes.length}`}</h2>
      <p className="soft">
        {check.accepts === null
          ? "It only restricts, so it takes effect as soon as it is saved."
          : "Some changes allow more: you are asked to accept them when you save."}
      </p>
      <ChangeList changes={check.changes} />
      <details className="policy-text">
        <summary>Line by line</summary>
        <TextChange path={homePath(view.path, view.home)} before={view.text} after={text} />
      </details>
    </section>
  );
}
