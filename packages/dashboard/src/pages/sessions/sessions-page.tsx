import type { Listed, SessionView } from "@earshot/hub";
import { describeStatus, formatCount, protocolName } from "@earshot/narrate";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useHubRead } from "../../hub/use-hub.ts";
import { PageLink } from "../../parts/link.tsx";
import { useMoreList } from "../../parts/more-list.ts";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { SuggestField } from "../../parts/suggest-field.tsx";
import { hrefOf, refineQuery, usePageLocation } from "../../route.ts";
import { PAGE_VOICE } from "../../words/page-voice.ts";
import { SavedFilters } from "./saved-filters.tsx";
import { SessionTable } from "./session-table.tsx";
import { suggestionsIn } from "./suggestions.ts";

const PAGE = 100;
const STATUSES = ["running", "waiting", "idle", "stalled", "completed", "failed", "cancelled", "timeout", "ended"] as const;
const PROTOCOLS = ["aep", "aop", "aaep"] as const;
const FILTERS = ["text", "status", "protocol", "all"] as const;
/** Debounce time of the text filter. */
const TYPING_MS = 250;

/** All sessions in the ledger, newest first. The filters are in the address. */
// biome-ignore lint/style/noDefaultExport: pages are loaded when they are opened, and React asks for a default export
export default function SessionsPage(): ReactNode {
  const { query } = usePageLocation();
  const id = useId();
  const [status, protocol, text] = [query.get("status") ?? "", query.get("protocol") ?? "", query.get("text") ?? ""];
  const isFlat = query.get("all") === "true" || text !== "" || status !== "";
  const parameters = new URLSearchParams({ limit: String(PAGE) });
  for (const [name, value] of Object.entries({ status, protocol, text })) if (value !== "") parameters.set(name, value);
  if (!isFlat) parameters.set("roots", "true");
  const heard = { changes: (news: { readonly entries: readonly unknown[] }) => news.entries.length > 0, everyMs: 2000 };
  const list = useMoreList<SessionView>(`/api/sessions?${parameters}`, heard);
  const known = useHubRead<Listed<SessionView>>("/api/sessions?limit=200").answer?.items ?? [];
  const isFiltered = FILTERS.some((name) => (query.get(name) ?? "") !== "");
  const sessions = unique(list.items);
  return (
    <div className="sessions">
      <h1>Sessions</h1>
      <search aria-label="Sessions shown" className="filters">
        <TextFilter text={text} suggestions={suggestionsIn(known)} />
        <label htmlFor={`${id}-status`}>State</label>
        <select id={`${id}-status`} value={status} onChange={({ currentTarget }) => refineQuery({ status: currentTarget.value })}>
          <option value="">any</option>
          {STATUSES.map((one) => (
            <option key={one} value={one}>
              {describeStatus(one, PAGE_VOICE).words}
            </option>
          ))}
        </select>
        <label htmlFor={`${id}-protocol`}>Protocol</label>
        <select id={`${id}-protocol`} value={protocol} onChange={({ currentTarget }) => refineQuery({ protocol: currentTarget.value })}>
          <option value="">any</option>
          {PROTOCOLS.map((one) => (
            <option key={one} value={one}>
              {protocolName(one)}
            </option>
          ))}
        </select>
        <SavedFilters />
        {isFiltered ? (
          <PageLink href={hrefOf("sessions")} className="button small">
            Clear filters
          </PageLink>
        ) : null}
      </search>
      <ProblemNote problem={list.problem} />
      {!list.wasRead ? (
        <p className="soft">Loading.</p>
      ) : sessions.length === 0 && list.more === undefined ? (
        <NoSession isFiltered={isFiltered} />
      ) : (
        <>
          <p className="soft sessions-count" role="status">
            {`${formatCount(sessions.length, "session")}${list.more === undefined ? "" : " loaded; scroll for more"}`}
          </p>
          <SessionTable sessions={sessions} isFolded={!isFlat} onEnd={list.isReading ? undefined : list.more} />
          {list.more === undefined ? null : (
            <button type="button" className="button" aria-disabled={list.isReading} onClick={list.more}>
              {list.isReading ? "Loading more" : "Load more sessions"}
            </button>
          )}
        </>
      )}
    </div>
  );
}

/** Removes duplicates: a session may move to the first page while later pages stay as read. */
function unique(sessions: readonly SessionView[]): readonly SessionView[] {
  return [...new Map(sessions.toReversed().map((session) => [session.key, session])).values()].toReversed();
}

function NoSession({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  return isFiltered ? (
    <section className="panel empty">
      <h2>No session matches</h2>
      <p>
        <PageLink href={hrefOf("sessions")}>Clear the filters</PageLink>
      </p>
    </section>
  ) : (
    <section className="panel empty">
      <h2>No session yet</h2>
      <p>
        Connect an agent with <code>npx earshot init</code>, or play the demo with <code>npx earshot demo</code>.
      </p>
    </section>
  );
}

interface TextFilterProps {
  readonly text: string;
  readonly suggestions: readonly string[];
}

/** Filters by any part of an agent, project, goal, model or id. */
function TextFilter({ text, suggestions }: TextFilterProps): ReactNode {
  const [typed, setTyped] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [seen, setSeen] = useState(text);
  if (seen !== text) {
    setSeen(text);
    setTyped(text);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const apply = (value: string) => {
    setTyped(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => refineQuery({ text: value.trim() }), TYPING_MS);
  };
  return <SuggestField label="Agent, project or goal" value={typed} suggestions={suggestions} onChange={apply} />;
}
