import { readPatch } from "@earshot/narrate";
import MarkdownIt, { type Token } from "markdown-it";
import { type ReactNode, useMemo } from "react";
import { Changes } from "./diff-view.tsx";
import { MediaView } from "./media.tsx";
import { VisibleText } from "./visible-text.tsx";
import { WebLink } from "./web-link.tsx";

/** HTML is treated as plain text. Links are validated here, which keeps refused links visible as text. */
const READER = new MarkdownIt({ html: false, linkify: true, breaks: true, maxNesting: 40 });
READER.validateLink = () => true;

/**
 * Markdown of an agent. Its tokens are rendered directly as elements: there is no intermediate HTML in which anything could hide. Its
 * headings do not become page headings, which would be lost among them.
 */
export function Markdown({ text }: { readonly text: string }): ReactNode {
  const drawn = useMemo(() => draw(READER.parse(text, {})), [text]);
  return (
    <div className="markdown" dir="auto">
      {drawn}
    </div>
  );
}

/** Renders the content between an opening token and its end, then the tokens after it. */
function draw(tokens: readonly Token[]): readonly ReactNode[] {
  const drawn: ReactNode[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token === undefined) continue;
    if (token.nesting === 1) {
      const end = endOf(tokens, index);
      drawn.push(drawPair(token, tokens.slice(index + 1, end), index));
      index = end;
    } else if (token.nesting === 0) drawn.push(drawOne(token, index));
  }
  return drawn;
}

function endOf(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let index = from; index < tokens.length; index++) {
    depth += tokens[index]?.nesting ?? 0;
    if (depth === 0) return index;
  }
  return tokens.length;
}

function drawPair(token: Token, inner: readonly Token[], key: number): ReactNode {
  const children = draw(inner);
  switch (token.type) {
    case "paragraph_open":
      // In a tight list, paragraph tokens are hidden.
      return token.hidden ? <span key={key}>{children}</span> : <p key={key}>{children}</p>;
    case "heading_open":
      return (
        <p key={key} className="markdown-heading">
          {children}
        </p>
      );
    case "link_open":
      return (
        <WebLink key={key} href={String(token.attrGet("href") ?? "")} text={textOf(inner)}>
          {children}
        </WebLink>
      );
    case "ordered_list_open":
      return (
        <ol key={key} start={Number(token.attrGet("start") ?? 1)}>
          {children}
        </ol>
      );
    case "bullet_list_open":
      return <ul key={key}>{children}</ul>;
    case "list_item_open":
      return <li key={key}>{children}</li>;
    case "blockquote_open":
      return <blockquote key={key}>{children}</blockquote>;
    case "em_open":
      return <em key={key}>{children}</em>;
    case "strong_open":
      return <strong key={key}>{children}</strong>;
    case "s_open":
      return <s key={key}>{children}</s>;
    case "table_open":
      return (
        <div key={key} className="table-scroll">
          <table>{children}</table>
        </div>
      );
    case "thead_open":
      return <thead key={key}>{children}</thead>;
    case "tbody_open":
      return <tbody key={key}>{children}</tbody>;
    case "tr_open":
      return <tr key={key}>{children}</tr>;
    case "th_open":
      return (
        <th key={key} scope="col">
          {children}
        </th>
      );
    case "td_open":
      return <td key={key}>{children}</td>;
    default:
      return <span key={key}>{children}</span>;
  }
}

function drawOne(token: Token, key: number): ReactNode {
  switch (token.type) {
    case "inline":
      return <span key={key}>{draw(token.children ?? [])}</span>;
    case "softbreak":
    case "hardbreak":
      return <br key={key} />;
    case "code_inline":
      return (
        <code key={key}>
          <VisibleText text={token.content} as="code" />
        </code>
      );
    case "fence":
    case "code_block":
      return <Fence key={key} language={token.info.trim().split(/\s/)[0] ?? ""} text={token.content.replace(/\n$/, "")} />;
    case "hr":
      return <hr key={key} />;
    case "image":
      return <MediaView key={key} uri={String(token.attrGet("src") ?? "")} name={token.content === "" ? "picture" : token.content} />;
    default:
      return <VisibleText key={key} text={token.content} />;
  }
}

function Fence({ language, text }: { readonly language: string; readonly text: string }): ReactNode {
  const changes = language === "diff" || language === "patch" ? readPatch(text) : [];
  if (changes.length > 0) return <Changes changes={changes} />;
  return (
    <pre className="code-block" data-language={language === "" ? undefined : language.slice(0, 20)}>
      <code>
        <VisibleText text={text} as="code" />
      </code>
    </pre>
  );
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ content, children }) => (children === null ? content : textOf(children))).join("");
}
