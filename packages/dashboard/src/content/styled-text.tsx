import { formatShortDuration, parseJsonContainer } from "@earshot/narrate";
import type { ReactNode } from "react";
import { formatClockTime, formatExactTime } from "../words/times.ts";
import { JsonView } from "./json-view.tsx";
import { LongText } from "./long-text.tsx";
import { Markdown } from "./markdown.tsx";
import { MediaView } from "./media.tsx";
import { VisibleText } from "./visible-text.tsx";
import { readWebAddress } from "./web-address.ts";
import { WebLink } from "./web-link.tsx";

export interface StyledTextProps {
  readonly text: string;
  /** One of AEP's twelve display styles. Any other value is treated as plain text. */
  readonly style: string;
}

const MAX_PROSE = 2500;

/** A text in its producer's display style; if that is impossible, in the closest form that loses nothing. */
export function StyledText({ text, style }: StyledTextProps): ReactNode {
  switch (style) {
    case "markdown":
      return (
        <LongText text={text} most={MAX_PROSE}>
          {(shown) => <Markdown text={shown} />}
        </LongText>
      );
    case "indented_json": {
      const value = parseJsonContainer(text);
      return value === undefined ? <Plain text={text} /> : <JsonView value={value} />;
    }
    case "key_value": {
      const value = parseJsonContainer(text);
      if (value === undefined) return <Plain text={text} />;
      return isMembers(value) ? <KeyValues members={value} /> : <JsonView value={value} />;
    }
    case "path":
      return (
        <code className="path" title={text}>
          <VisibleText text={text} as="code" />
        </code>
      );
    case "url":
      return readWebAddress(text) === undefined ? <Plain text={text} /> : <WebLink href={text} text={text} />;
    case "image":
    case "video":
    case "audio":
      return <MediaView uri={text} name={style} />;
    case "badge":
      return (
        <span className="status">
          <VisibleText text={text} />
        </span>
      );
    case "duration": {
      const ms = Number(text);
      return text.trim() !== "" && Number.isFinite(ms) && ms >= 0 ? formatShortDuration(ms) : <Plain text={text} />;
    }
    case "timestamp": {
      const at = readMoment(text);
      if (at === undefined) return <Plain text={text} />;
      return (
        <time dateTime={new Date(at).toISOString()} title={formatExactTime(at)}>
          {formatClockTime(at)}
        </time>
      );
    }
    default:
      return <Plain text={text} />;
  }
}

/** Preserves line breaks. */
function Plain({ text }: { readonly text: string }): ReactNode {
  return (
    <LongText text={text} most={MAX_PROSE}>
      {(shown) => (
        <span className="plain-words" dir="auto">
          <VisibleText text={shown} />
        </span>
      )}
    </LongText>
  );
}

/** Reads a date, or a Unix time in seconds or milliseconds. */
function readMoment(text: string): number | undefined {
  const number = /^\d{9,14}(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
  const at = Number.isNaN(number) ? Date.parse(text) : number < 1e11 ? number * 1000 : number;
  return Number.isNaN(at) || Math.abs(at) > 8.64e15 ? undefined : at;
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export interface KeyValuesProps {
  readonly members: Readonly<Record<string, unknown>>;
}

/** An object as one line per member, which is easier to read than JSON. */
export function KeyValues({ members }: KeyValuesProps): ReactNode {
  return (
    <dl className="key-values">
      {Object.entries(members).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Member value={value} style={guessStyle(name)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Member({ value, style }: { readonly value: unknown; readonly style: string }): ReactNode {
  if (typeof value === "object" && value !== null) return <JsonView value={value} />;
  return <StyledText text={String(value)} style={style} />;
}

/** Guesses the display style from a member's name. */
function guessStyle(name: string): string {
  if (/(^|_)(cwd|path|file|folder|directory|dir)$|file_?path$/i.test(name)) return "path";
  if (/(^|_)ur[il]$/i.test(name)) return "url";
  if (/_ms$/.test(name)) return "duration";
  return "plain_text";
}
