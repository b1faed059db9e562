import type { ReactNode } from "react";
import { VisibleText } from "./visible-text.tsx";

/** A command as it would be typed, with everything in it that cannot be seen. */
export function CommandText({ command }: { readonly command: string }): ReactNode {
  return (
    <pre className="code-block command">
      <code>
        <span className="command-sign" aria-hidden="true">
          ${" "}
        </span>
        <VisibleText text={command} as="code" />
      </code>
    </pre>
  );
}
