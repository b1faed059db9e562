import type { ReactNode } from "react";
import { Attachments } from "../../content/attachments.tsx";
import { Changes } from "../../content/changes.tsx";
import { CommandText } from "../../content/command-text.tsx";
import { JsonView } from "../../content/json-view.tsx";
import { KeyValues, StyledText } from "../../content/styled-text.tsx";
import { CodeText, TypedText } from "../../content/typed-text.tsx";
import { VisibleText } from "../../content/visible-text.tsx";
import type { Piece } from "./tell/told.ts";

export interface PiecesProps {
  readonly pieces: readonly Piece[];
  /** The entry that they are from. */
  readonly position: number;
  readonly language: string | undefined;
}

/** What an item says, drawn piece by piece. */
export function Pieces({ pieces, position, language }: PiecesProps): ReactNode {
  return pieces.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one item have no other name, and do not move
    <div key={index} className={`piece ${piece.tone ?? ""}`} lang={piece.show === "words" || piece.show === "typed" ? language : undefined}>
      {piece.label === undefined ? null : <p className="piece-label">{piece.label}</p>}
      {draw(piece, position)}
    </div>
  ));
}

function draw(piece: Piece, position: number): ReactNode {
  switch (piece.show) {
    case "words":
      return <StyledText text={piece.text} style={piece.style} />;
    case "typed":
      return <TypedText text={piece.text} type={piece.type} />;
    case "code":
      return <CodeText text={piece.text} />;
    case "command":
      return <CommandText command={piece.text} />;
    case "json":
      return <JsonView value={piece.value} />;
    case "members":
      return <KeyValues members={piece.value} {...(piece.styles === undefined ? {} : { styles: piece.styles })} />;
    case "changes":
      return <Changes changes={piece.changes} />;
    case "list":
      return (
        <ul>
          {piece.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <li key={index}>
              <VisibleText text={item} />
            </li>
          ))}
        </ul>
      );
    case "attachments":
      return <Attachments attachments={piece.attachments} position={position} />;
  }
}
