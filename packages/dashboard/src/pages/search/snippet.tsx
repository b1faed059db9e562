import type { ReactNode } from "react";
import { VisibleText } from "../../content/visible-text.tsx";

export interface SnippetProps {
  readonly text: string;
  /** Where the words that were looked for begin and end, in UTF-16 units. */
  readonly marks: readonly (readonly [start: number, end: number])[];
}

/** What was said around the words, with the words marked. */
export function Snippet({ text, marks }: SnippetProps): ReactNode {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const [start, end] of marks) {
    if (start < from || end > text.length) continue;
    parts.push(
      <VisibleText key={`${start}-`} text={text.slice(from, start)} />,
      <mark key={start}>
        <VisibleText text={text.slice(start, end)} />
      </mark>,
    );
    from = end;
  }
  parts.push(<VisibleText key="rest" text={text.slice(from)} />);
  return parts;
}
