import type { ReactNode } from "react";
import { VisibleText } from "../../content/visible-text.tsx";

/** A rules text with line numbers. */
export function TextLines({ text, name }: { readonly text: string; readonly name: string }): ReactNode {
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  return (
    <figure className="text-lines">
      <figcaption className="told">{name}</figcaption>
      <pre className="text-lines-box">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line's number is its name
          <code key={index} className="text-line">
            <VisibleText text={line} as="code" />
            {"\n"}
          </code>
        ))}
      </pre>
    </figure>
  );
}
