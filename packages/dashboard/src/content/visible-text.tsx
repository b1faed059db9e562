import { type ReactNode, useMemo } from "react";
import { splitHidden, type TextKind } from "./hidden-characters.ts";
import { WholeWords } from "./whole-words.tsx";

export interface VisibleTextProps {
  readonly text: string;
  readonly as?: TextKind;
}

/** Untrusted text with nothing hidden: each invisible character is replaced by its name. */
export function VisibleText({ text, as = "prose" }: VisibleTextProps): ReactNode {
  const parts = useMemo(() => splitHidden(text, as), [text, as]);
  return parts.map((part, index) =>
    typeof part === "string" ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text's parts have no other name, and do not move
      <WholeWords key={index} text={part} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <mark key={index} className="hidden-character">
        {`⟨${part.name}⟩`}
      </mark>
    ),
  );
}
