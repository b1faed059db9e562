import { Fragment, type ReactNode } from "react";
import { cutWords } from "./cut-words.ts";

/** Text that breaks only between words, if they fit: `--force` never ends as `--` at the end of a line. */
export function WholeWords({ text }: { readonly text: string }): ReactNode {
  const parts = cutWords(text);
  if (parts.length <= 1) return text;
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text's parts have no other name, and do not move
      <Fragment key={index}>{part}</Fragment>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <span key={index} className="whole-word">
        {part}
      </span>
    ),
  );
}
