import { type ReactNode, useMemo } from "react";
import { findHidden } from "./hidden-characters.ts";

export interface VisibleTextProps {
  readonly text: string;
  /** `code`: every character counts. `prose`: what languages and emoji need stays as it is. */
  readonly as?: "prose" | "code";
}

/** Somebody else's text, in which nothing hides: what cannot be seen is named in its place. */
export function VisibleText({ text, as = "prose" }: VisibleTextProps): ReactNode {
  const parts = useMemo(() => findHidden(text, as), [text, as]);
  if (parts.length === 1 && typeof parts[0] === "string") return parts[0];
  return parts.map((part, index) =>
    typeof part === "string" ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text's parts have no other name, and do not move
      <span key={index} className="hidden-character" title={part.name}>
        <span className="told">{` [${part.name}] `}</span>
        <span aria-hidden="true">{part.code}</span>
      </span>
    ),
  );
}
