import type { Listed, SearchHit } from "@earshot/hub";
import { capitalize, formatCount } from "@earshot/narrate";
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { announceInRegion } from "../../announce/regions.ts";
import { Snippet } from "../../content/snippet.tsx";
import { useHubRead } from "../../hub/use-hub.ts";
import { PageLink } from "../../parts/link.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { hrefOf, refineQuery, usePageLocation } from "../../route.ts";
import { clockTime } from "./clock-time.ts";

const MAX_HITS = 50;

/** Search field for this session. The text is kept in the address. */
export function SearchForm(): ReactNode {
  const { query } = usePageLocation();
  const id = useId();
  const text = query.get("find") ?? "";
  const input = useRef<HTMLInputElement>(null);
  // Includes changes caused by the Back button.
  useEffect(() => {
    if (input.current !== null) input.current.value = text;
  }, [text]);
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    refineQuery({ find: String(new FormData(event.currentTarget).get("find") ?? "").trim() });
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

/** Matches of the search, by the kind of text that they are in. */
export function SearchResults({ session }: { readonly session: number }): ReactNode {
  const { query } = usePageLocation();
  const text = query.get("find") ?? "";
  const path = text === "" ? undefined : `/api/search?text=${encodeURIComponent(text)}&session=${session}&limit=${MAX_HITS}`;
  const { answer, problem } = useHubRead<Listed<SearchHit>>(path);
  const count = answer?.items.length ?? 0;
  const heading =
    count === 0 ? `No match for “${text}”` : `Found in ${formatCount(count, "place")}${answer?.next === undefined ? "" : " and more"}`;
  useEffect(() => {
    if (answer !== undefined) announceInRegion("polite", heading);
  }, [answer, heading]);
  if (text === "" || (answer === undefined && problem === undefined)) return null;
  return (
    <section aria-labelledby="found-title" className="panel found">
      <h2 id="found-title">{heading}</h2>
      <ProblemNote problem={problem} />
      {[...Map.groupBy(answer?.items ?? [], ({ field }) => field)].map(([field, hits]) => (
        <div key={field}>
          <h3>{`${capitalize(field)}: ${hits.length}`}</h3>
          <ol className="plain-list hits">
            {hits.map((hit) => (
              <li key={hit.position}>
                <PageLink href={hrefOf("session", session, { at: hit.position, find: text })}>{clockTime(hit.receivedAt)}</PageLink>{" "}
                <span dir="auto">
                  <Snippet text={hit.snippet} marks={hit.marks} />
                </span>
              </li>
            ))}
          </ol>
        </div>
      ))}
    </section>
  );
}
