import type { Quote } from "@earshot/narrate";
import type { ReactNode } from "react";
import { Attachments } from "../../content/attachments.tsx";
import { CommandText } from "../../content/command-text.tsx";
import { Changes } from "../../content/diff-view.tsx";
import { JsonView } from "../../content/json-view.tsx";
import { KeyValues, StyledText } from "../../content/styled-text.tsx";
import { CodeText, TypedText } from "../../content/typed-text.tsx";
import { VisibleText } from "../../content/visible-text.tsx";

export interface PiecesProps {
  readonly quotes: readonly Quote[];
  /** The entry that they are from. */
  readonly position: number;
  readonly language: string | undefined;
}

/** What an item says, drawn piece by quote. */
export function Pieces({ quotes, position, language }: PiecesProps): ReactNode {
  return quotes.map((quote, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one item have no other name, and do not move
    <div key={index} className={`piece ${quote.tone ?? ""}`} lang={quote.as === "prose" || quote.as === "typed" ? language : undefined}>
      {quote.isMain === true || quote.label === "" ? null : <p className="piece-label">{quote.label}</p>}
      {draw(quote, position)}
    </div>
  ));
}

function draw(quote: Quote, position: number): ReactNode {
  switch (quote.as) {
    case "prose":
      return <StyledText text={quote.text} style={quote.style} />;
    case "typed":
      return <TypedText text={quote.text} type={quote.type} />;
    case "code":
      return <CodeText text={quote.text} />;
    case "command":
      return <CommandText command={quote.text} />;
    case "json":
      return <JsonView value={quote.value} />;
    case "members":
      return <KeyValues members={quote.value} />;
    case "changes":
      return <Changes changes={quote.changes} />;
    case "list":
      return (
        <ul>
          {quote.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <li key={index}>
              <VisibleText text={item} />
            </li>
          ))}
        </ul>
      );
    case "attachments":
      return <Attachments attachments={quote.attachments} position={position} />;
  }
}
