import type { SearchHit, SessionView } from "@earshot/hub";
import { agentName, agentSlug } from "@earshot/narrate";
import { type FormEvent, type ReactNode, useId } from "react";
import { Snippet } from "../../content/snippet.tsx";
import { VisibleText } from "../../content/visible-text.tsx";
import { useHubRead } from "../../hub/use-hub.ts";
import { PageLink } from "../../parts/link.tsx";
import { ShortTime } from "../../parts/moment.tsx";
import { useMoreList } from "../../parts/more-list.ts";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { StatusLabel } from "../../parts/status.tsx";
import { hrefOf, refineQuery, usePageLocation } from "../../route.ts";
import { sessionNameOf } from "../../words/session-name.ts";
import { daysUntil } from "../costs/days.ts";

/** Full-text search over all sessions. */
// biome-ignore lint/style/noDefaultExport: pages are loaded when they are opened, and React asks for a default export
export default function SearchPage(): ReactNode {
  const { query } = usePageLocation();
  const id = useId();
  const text = query.get("text") ?? "";
  const order = query.get("order") ?? "";
  const parameters = new URLSearchParams({ text, limit: "30" });
  for (const name of ["agent", "order", "session", "field"]) {
    const value = query.get(name);
    if (value !== null && value !== "") parameters.set(name, name === "agent" ? agentSlug(value) : value);
  }
  const days = Number(query.get("days") ?? "0");
  if (days > 0) parameters.set("since", String(Date.parse(daysUntil(Date.now(), days)[0] ?? "")));
  const list = useMoreList<SearchHit>(text === "" ? undefined : `/api/search?${parameters}`);
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    refineQuery({ text: String(data.get("text") ?? ""), agent: String(data.get("agent") ?? "") }, "push");
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
            <select id={`${id}-order`} value={order} onChange={({ currentTarget }) => refineQuery({ order: currentTarget.value })}>
              <option value="">newest first</option>
              <option value="relevance">best match first</option>
            </select>
            <label htmlFor={`${id}-field`}>Kind</label>
            <select
              id={`${id}-field`}
              value={query.get("field") ?? ""}
              onChange={({ currentTarget }) => refineQuery({ field: currentTarget.value })}
            >
              <option value="">any</option>
              {FIELDS.map((field) => (
                <option key={field} value={field}>
                  {field}
                </option>
              ))}
            </select>
            <label htmlFor={`${id}-days`}>Time</label>
            <select
              id={`${id}-days`}
              value={query.get("days") ?? ""}
              onChange={({ currentTarget }) => refineQuery({ days: currentTarget.value })}
            >
              <option value="">any</option>
              <option value="1">today</option>
              <option value="7">last 7 days</option>
              <option value="30">last 30 days</option>
            </select>
          </p>
          <ul className="rows">
            {groupBySession(list.items).map((hits) => (
              <HitGroup key={hits[0].session} hits={hits} />
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

const FIELDS = ["prompt", "thought", "tool", "command", "output", "error", "other"] as const;

type Hits = readonly [SearchHit, ...SearchHit[]];

/** Groups hits by session, in the order in which the sessions first appear. */
function groupBySession(hits: readonly SearchHit[]): readonly Hits[] {
  return [...Map.groupBy(hits, ({ session }) => session).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others] as const],
  );
}

/** The hits of one session, under its goal. */
function HitGroup({ hits }: { readonly hits: Hits }): ReactNode {
  const [{ session }] = hits;
  const { answer } = useHubRead<SessionView>(`/api/sessions/${session}`);
  return (
    <li className="row">
      <h3>
        <PageLink href={hrefOf("session", session)}>
          <VisibleText text={answer === undefined ? `Session ${session}` : (answer.goal ?? sessionNameOf(answer))} />
        </PageLink>{" "}
        {answer === undefined ? null : <StatusLabel status={answer.status} />}
      </h3>
      <ul className="plain-list hits">
        {hits.map((hit) => (
          <li key={`${hit.position} ${hit.field}`}>
            <p className="facts">
              <PageLink href={hrefOf("session", session, { at: hit.position })}>{`${agentName(hit.agent)}, ${hit.field}`}</PageLink>
              <ShortTime at={hit.receivedAt} />
              <span>{hit.type}</span>
            </p>
            <p>
              <Snippet text={hit.snippet} marks={hit.marks} />
            </p>
          </li>
        ))}
      </ul>
    </li>
  );
}

function found(wasRead: boolean, count: number, isMore: boolean): string {
  if (!wasRead) return "Searching";
  if (count === 0) return "No matches";
  return `${count}${isMore ? " or more" : ""} found`;
}
