import type { SearchHit } from "@earshot/hub";
import { agentName, agentSlug, protocolName } from "@earshot/narrate";
import { type FormEvent, type ReactNode, useId } from "react";
import { VisibleText } from "../../content/visible-text.tsx";
import { Link } from "../../parts/link.tsx";
import { Moment } from "../../parts/moment.tsx";
import { useMoreList } from "../../parts/more-list.ts";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { hrefOf, refine, usePlace } from "../../route.ts";

/** Where words were said, in all sessions. */
// biome-ignore lint/style/noDefaultExport: pages are loaded when they are opened, and React asks for a default export
export default function SearchPage(): ReactNode {
  const { query } = usePlace();
  const id = useId();
  const text = query.get("text") ?? "";
  const order = query.get("order") ?? "";
  const parameters = new URLSearchParams({ text, limit: "30" });
  for (const name of ["agent", "order", "session"]) {
    const value = query.get(name);
    if (value !== null && value !== "") parameters.set(name, name === "agent" ? agentSlug(value) : value);
  }
  const list = useMoreList<SearchHit>(text === "" ? undefined : `/api/search?${parameters}`);
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    refine({ text: String(data.get("text") ?? ""), agent: String(data.get("agent") ?? "") });
  };
  return (
    <>
      <h1>Search</h1>
      <search>
        <form className="filters" onSubmit={search} key={`${text} ${query.get("agent") ?? ""}`}>
          <label htmlFor={`${id}-text`}>Words</label>
          <input id={`${id}-text`} name="text" type="search" defaultValue={text} aria-describedby={`${id}-how`} required />
          <label htmlFor={`${id}-agent`}>Agent</label>
          <input id={`${id}-agent`} name="agent" defaultValue={query.get("agent") ?? ""} placeholder="any" />
          <button type="submit" className="button primary">
            Search
          </button>
        </form>
        <p id={`${id}-how`} className="soft">
          All words must occur. "In quotes" as one phrase, test* for any ending, -word for what must not occur.
        </p>
      </search>
      <ProblemNote problem={list.problem} />
      {text === "" ? null : (
        <section aria-labelledby="found-title">
          <h2 id="found-title">{found(list.wasRead, list.items.length, list.more !== undefined)}</h2>
          <p className="filters">
            <label htmlFor={`${id}-order`}>Order</label>
            <select id={`${id}-order`} value={order} onChange={({ currentTarget }) => refine({ order: currentTarget.value })}>
              <option value="">newest first</option>
              <option value="relevance">best match first</option>
            </select>
          </p>
          <ul className="rows">
            {list.items.map((hit) => (
              <li key={`${hit.position} ${hit.field}`} className="row">
                <h3>
                  <Link href={hrefOf("session", hit.session, { at: hit.position })}>{`${agentName(hit.agent)}, ${hit.field}`}</Link>
                </h3>
                <p>
                  <Snippet text={hit.snippet} marks={hit.marks} />
                </p>
                <p className="facts">
                  <Moment at={hit.receivedAt} />
                  <span>{hit.type}</span>
                  <span>{protocolName(hit.protocol)}</span>
                </p>
              </li>
            ))}
          </ul>
          {list.more === undefined ? null : (
            <button type="button" className="button" aria-disabled={list.isReading} onClick={list.more}>
              More
            </button>
          )}
        </section>
      )}
    </>
  );
}

function found(wasRead: boolean, count: number, isMore: boolean): string {
  if (!wasRead) return "Searching";
  if (count === 0) return "Nothing was found";
  return `${count}${isMore ? " or more" : ""} found`;
}

interface SnippetProps {
  readonly text: string;
  /** Where the words that were looked for begin and end, in UTF-16 units. */
  readonly marks: readonly (readonly [start: number, end: number])[];
}

/** What was said around the words, with the words marked. */
function Snippet({ text, marks }: SnippetProps): ReactNode {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const [start, end] of marks) {
    if (start < from || end > text.length) continue;
    parts.push(
      <VisibleText key={`${start}-`} text={text.slice(from, start)} />,
      <mark key={start}>
        <VisibleText text={text.slice(start, end)} />
      </mark>,
    );
    from = end;
  }
  parts.push(<VisibleText key="rest" text={text.slice(from)} />);
  return parts;
}
