import { readJson, readPatch } from "@earshot/narrate";
import type { ReactNode } from "react";
import { Changes } from "./diff-view.tsx";
import { withoutColours } from "./hidden-characters.ts";
import { JsonView } from "./json-view.tsx";
import { LongText } from "./long-text.tsx";
import { StyledText } from "./styled-text.tsx";
import { VisibleText } from "./visible-text.tsx";

export interface TypedTextProps {
  readonly text: string;
  /** A media type. Without one it is plain text. */
  readonly type?: string | undefined;
}

const MOST_CODE = 4000;

/** Text by its `content_type`. What would be run or drawn elsewhere, such as HTML or SVG, is its source here. */
export function TypedText({ text, type = "text/plain" }: TypedTextProps): ReactNode {
  const name = type.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (name === "text/markdown" || name === "text/x-markdown") return <StyledText text={text} style="markdown" />;
  if (name === "application/json" || name.endsWith("+json")) {
    const value = readJson(text);
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

/** Text in which every character stands for itself: programs, and what they print. */
export function CodeText({ text, most = MOST_CODE }: { readonly text: string; readonly most?: number }): ReactNode {
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
