import type { Listed, SearchHit } from "@earshot/hub";
import { formatCount } from "@earshot/narrate";
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { tellRegion } from "../../announce/regions.ts";
import { VisibleText } from "../../content/visible-text.tsx";
import { useRead } from "../../hub/use-hub.ts";
import { Link } from "../../parts/link.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { hrefOf, refine, usePlace } from "../../route.ts";
import { clockTime } from "./clock-time.ts";

const MAX_HITS = 50;

/** Search field for this session. The text is kept in the address. */
export function SearchForm(): ReactNode {
  const { query } = usePlace();
  const id = useId();
  const text = query.get("find") ?? "";
  const input = useRef<HTMLInputElement>(null);
  // Includes changes caused by the Back button.
  useEffect(() => {
    if (input.current !== null) input.current.value = text;
  }, [text]);
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    refine({ find: String(new FormData(event.currentTarget).get("find") ?? "").trim() });
  };
  return (
    <search className="search-within">
      <form onSubmit={find}>
        <label htmlFor={id}>Find in this session</label>
        <input ref={input} id={id} name="find" type="search" defaultValue={text} autoComplete="off" spellCheck={false} maxLength={500} />
        <button type="submit" className="small-button">
          Find
        </button>
      </form>
    </search>
  );
}

/** Matches of the search. */
export function SearchResults({ session }: { readonly session: number }): ReactNode {
  const { query } = usePlace();
  const text = query.get("find") ?? "";
  const path = text === "" ? undefined : `/api/search?text=${encodeURIComponent(text)}&session=${session}&limit=${MAX_HITS}`;
  const { answer, problem } = useRead<Listed<SearchHit>>(path);
  const count = answer?.items.length ?? 0;
  const heading =
    count === 0 ? `No match for “${text}”` : `Found in ${formatCount(count, "place")}${answer?.next === undefined ? "" : " and more"}`;
  useEffect(() => {
    if (answer !== undefined) tellRegion("polite", heading);
  }, [answer, heading]);
  if (text === "" || (answer === undefined && problem === undefined)) return null;
  return (
    <section aria-labelledby="found-title" className="panel found">
      <h2 id="found-title">{heading}</h2>
      <ProblemNote problem={problem} />
      <ol className="plain-list hits">
        {answer?.items.map((hit) => (
          <li key={`${hit.position}${hit.field}`}>
            <Link
              href={hrefOf("session", session, { at: hit.position, find: text })}
            >{`${clockTime(hit.receivedAt)} ${FIELDS[hit.field] ?? hit.field}`}</Link>{" "}
            <span dir="auto">
              <Marked hit={hit} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const FIELDS: Readonly<Record<string, string>> = { other: "" };

function Marked({ hit: { snippet, marks } }: { readonly hit: SearchHit }): ReactNode {
  const parts: ReactNode[] = [];
  let seen = 0;
  for (const [start, end] of marks) {
    parts.push(<VisibleText key={`${start}-`} text={snippet.slice(seen, start)} />);
    parts.push(
      <mark key={start}>
        <VisibleText text={snippet.slice(start, end)} />
      </mark>,
    );
    seen = end;
  }
  parts.push(<VisibleText key="rest" text={snippet.slice(seen)} />);
  return parts;
}
