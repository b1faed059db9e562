import type { Listed, SessionView } from "@earshot/hub";
import { type ReactNode, Suspense, useEffect } from "react";
import { useHubRead } from "../../hub/use-hub.ts";
import { PageLink } from "../../parts/link.tsx";
import { LoadBoundary } from "../../parts/load-boundary.tsx";
import { loadLater } from "../../parts/load-later.ts";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { hrefOf, navigate, usePageLocation } from "../../route.ts";
import { useSettings } from "../../settings.ts";
import { FamilyView } from "./family-view.tsx";
import { SearchForm, SearchResults } from "./search-within.tsx";
import { SessionHead } from "./session-head.tsx";
import { Timeline } from "./timeline.tsx";
import { ToolsView } from "./tools-view.tsx";
import { isAbout, useStory } from "./use-story.ts";

/** Uses a charting library of its own, loaded on demand. */
const SpendingView = loadLater(() => import("./spending-view.tsx"));

/** Maximum number of items kept, for the list that renders all of them and for the virtualized one. */
const MAX_DRAWN = 2000;
const MAX_SCROLLED = 20_000;

const VIEWS = [
  ["", "What happened"],
  ["tools", "Tools over time"],
  ["spending", "Cost and tokens"],
  ["family", "Subagents"],
] as const;

/** One session: `/ui/session/7`, with `?at=` for the linked position. */
// biome-ignore lint/style/noDefaultExport: pages are loaded when they are opened, and React asks for a default export
export default function SessionPage(): ReactNode {
  const { rest } = usePageLocation();
  const [key = "", id] = rest;
  if (key === "id" && id !== undefined) return <ById id={id} />;
  if (!/^\d{1,15}$/.test(key)) return <NoSession />;
  return <OneSession key={key} sessionKey={Number(key)} />;
}

function OneSession({ sessionKey }: { readonly sessionKey: number }): ReactNode {
  const { query } = usePageLocation();
  const read = useHubRead<SessionView>(`/api/sessions/${sessionKey}`, {
    changes: (news): boolean => read.answer !== undefined && isAbout(news, read.answer),
    everyMs: 1000,
  });
  const session = read.answer;
  const at = readPosition(query.get("at"));
  const view = query.get("view") ?? "";
  const { timeline } = useSettings();
  const story = useStory(session, at, timeline === "scroll" ? MAX_SCROLLED : MAX_DRAWN);
  if (session === undefined) {
    return read.problem !== undefined && !read.problem.isAway ? <NoSession /> : <p>Loading.</p>;
  }
  return (
    <article className="session">
      <SessionHead session={session} />
      <div className="view-bar">
        <nav className="views" aria-label="Views of this session">
          <ul>
            {VIEWS.map(([name, title]) => (
              <li key={name}>
                <PageLink href={hrefOf("session", sessionKey, { view: name })} aria-current={name === view ? "page" : undefined}>
                  {title}
                </PageLink>
              </li>
            ))}
          </ul>
        </nav>
        <SearchForm />
      </div>
      <SearchResults session={sessionKey} />
      <Suspense fallback={<p className="soft">Loading.</p>}>
        {view === "tools" ? (
          <ToolsView session={session} />
        ) : view === "spending" ? (
          <LoadBoundary level="h2">
            <SpendingView session={session} story={story} />
          </LoadBoundary>
        ) : view === "family" ? (
          <FamilyView session={session} />
        ) : (
          <>
            <ProblemNote problem={story.problem} />
            <Timeline session={session} story={story} at={at} />
          </>
        )}
      </Suspense>
    </article>
  );
}

/** External links use the session's id; the page uses its key. */
function ById({ id }: { readonly id: string }): ReactNode {
  const protocol = usePageLocation().query.get("protocol");
  const query = new URLSearchParams({ id, limit: "1", ...(protocol === null ? {} : { protocol }) });
  const { answer } = useHubRead<Listed<SessionView>>(`/api/sessions?${query}`);
  const key = answer?.items[0]?.key;
  useEffect(() => {
    if (key !== undefined) navigate(hrefOf("session", key), "replace");
  }, [key]);
  return answer !== undefined && key === undefined ? <NoSession /> : <p>Loading.</p>;
}

function NoSession(): ReactNode {
  return (
    <>
      <h1>Session not found</h1>
      <p>
        The hub has no events of this session; they may have been removed. <PageLink href={hrefOf("overview")}>Open the overview</PageLink>
      </p>
    </>
  );
}

function readPosition(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
