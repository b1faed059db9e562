import { type ReactNode, useState } from "react";
import { announceInRegion } from "../announce/regions.ts";

/** A command to run elsewhere, with a button that copies it. */
export function CopyText({ text, what }: { readonly text: string; readonly what: string }): ReactNode {
  const [told, setTold] = useState<string>();
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => {
        setTold("Copied");
        announceInRegion("polite", `Copied: ${what}.`);
      },
      () => setTold("Select the text and copy it"),
    );
  };
  return (
    <div className="copy">
      <pre>
        <code>{text}</code>
      </pre>
      <button type="button" className="button" onClick={copy} aria-label={`Copy: ${what}`}>
        {told ?? "Copy"}
      </button>
    </div>
  );
}
