import type { PolicyCheck } from "@earshot/hub";
import { formatCount } from "@earshot/narrate";
import { type ReactNode, useId } from "react";
import { VisibleText } from "../../content/visible-text.tsx";

export interface TroubleListProps {
  readonly troubles: PolicyCheck["troubles"];
  /** Name of the edited file: problems in other files have no line here. */
  readonly own: string;
  readonly onGo: (line: number, column: number) => void;
}

/** The problems of a text, each linked to its line. */
export function TroubleList({ troubles, own, onGo }: TroubleListProps): ReactNode {
  const id = useId();
  if (troubles.length === 0) return null;
  const errors = troubles.filter(({ severity }) => severity === "error").length;
  const warnings = troubles.length - errors;
  const title = [errors === 0 ? "" : formatCount(errors, "error"), warnings === 0 ? "" : formatCount(warnings, "warning")].filter(Boolean);
  return (
    <section aria-labelledby={id} className="troubles">
      <h2 id={id}>{title.join(", ")}</h2>
      <ul className="trouble-list">
        {troubles.map(({ file, line, column, severity, message, hint }) => (
          <li key={`${file} ${line} ${column} ${message}`} className={severity === "error" ? "trouble edge-bad" : "trouble edge-warn"}>
            {file === own ? (
              <button type="button" className="place-button" onClick={() => onGo(line, column)}>
                {`Line ${line}, column ${column}`}
              </button>
            ) : (
              <span>{`${file}, line ${line}`}</span>
            )}
            <span className="told">{severity}: </span>
            <p className="trouble-text">
              <VisibleText text={message} as="code" />
            </p>
            <p className="trouble-text soft">
              <VisibleText text={hint} as="code" />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
