import type { PolicyCheck } from "@earshot/hub";
import type { ReactNode } from "react";
import { VisibleText } from "../../content/visible-text.tsx";
import { withoutName } from "./policy-words.ts";

/** The changes of a text to the active rules, loosening changes first. */
export function ChangeList({ changes }: Pick<PolicyCheck, "changes">): ReactNode {
  const sorted = changes.toSorted((one, other) => Number(other.loosens) - Number(one.loosens));
  return (
    <ul className="told-changes">
      {sorted.map(({ kind, rule, loosens, told }) => (
        <li key={`${kind} ${rule} ${told}`} className={loosens ? "told-change edge-warn" : "told-change"}>
          <p className="rule-head">
            <code className="rule-name">
              <VisibleText text={rule} as="code" />
            </code>{" "}
            <span className={loosens ? "status warn" : "status"}>{loosens ? "Allows more" : "Tightens"}</span>
          </p>
          <p className="rule-words">
            <VisibleText text={withoutName(told, rule)} as="code" />
          </p>
        </li>
      ))}
    </ul>
  );
}
