import type { ReactNode } from "react";
import { VisibleText } from "./visible-text.tsx";

export interface SnippetProps {
  readonly text: string;
  /** Ranges of the matched words, in UTF-16 code units. */
  readonly marks: readonly (readonly [start: number, end: number])[];
}

/** The text around a match, with the matched words marked. */
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
