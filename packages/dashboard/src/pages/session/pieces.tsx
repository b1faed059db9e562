import { parseJsonContainer, type Quote, readPatch } from "@earshot/narrate";
import type { ReactNode } from "react";
import { AttachmentContents } from "../../content/attachments.tsx";
import { Changes } from "../../content/diff-view.tsx";
import { withoutColours } from "../../content/hidden-characters.ts";
import { JsonView } from "../../content/json-view.tsx";
import { LongText } from "../../content/long-text.tsx";
import { KeyValues, StyledText } from "../../content/styled-text.tsx";
import { VisibleText } from "../../content/visible-text.tsx";

export interface PiecesProps {
  readonly quotes: readonly Quote[];
  /** Position of the entry that contains the quotes. */
  readonly position: number;
  readonly language: string | undefined;
}

/** The content of an item, rendered quote by quote. */
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
      return <AttachmentContents attachments={quote.attachments} position={position} />;
  }
}

/** A command as typed, with all invisible characters marked. */
function CommandText({ command }: { readonly command: string }): ReactNode {
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

interface TypedTextProps {
  readonly text: string;
  /** Media type; plain text by default. */
  readonly type?: string | undefined;
}

const MAX_CODE = 4000;

/** Text by its `content_type`. Types that would be executed or rendered elsewhere, such as HTML and SVG, are shown as source. */
function TypedText({ text, type = "text/plain" }: TypedTextProps): ReactNode {
  const name = type.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (name === "text/markdown" || name === "text/x-markdown") return <StyledText text={text} style="markdown" />;
  if (name === "application/json" || name.endsWith("+json")) {
    const value = parseJsonContainer(text);
    return value === undefined ? <CodeText text={text} /> : <JsonView value={value} />;
  }
  if (name === "text/x-diff" || name === "text/x-patch") {
    const changes = readPatch(text);
    if (changes.length > 0) return <Changes changes={changes} />;
    return <CodeText text={text} />;
  }
  if (/^(image|video|audio)\//.test(name)) return <StyledText text={text} style={name.slice(0, name.indexOf("/"))} />;
  return name === "text/plain" || name === "" ? <StyledText text={text} style="plain_text" /> : <CodeText text={text} />;
}

/** Text in which every character is literal: source code and program output. */
function CodeText({ text, most = MAX_CODE }: { readonly text: string; readonly most?: number }): ReactNode {
  return (
    <LongText text={withoutColours(text)} most={most}>
      {(shown) => (
        <pre className="code-block">
          <code>
            <VisibleText text={shown} as="code" />
          </code>
        </pre>
      )}
    </LongText>
  );
}
