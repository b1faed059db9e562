import type { Listed, RequestList, SessionLane, SessionView } from "@earshot/hub";
import { formatCount } from "@earshot/narrate";
import { type ReactNode, useEffect, useRef } from "react";
import { type HubRead, useHubRead } from "../../hub/use-hub.ts";
import { focusHeading } from "../../parts/focus-heading.ts";
import { HeldBack } from "../../parts/held-back.tsx";
import { PageLink } from "../../parts/link.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { POINTER_IDLE_MS, useSteadyList } from "../../parts/use-steady-list.ts";
import { hrefOf, refineQuery, usePageLocation } from "../../route.ts";
import { FirstSteps } from "./first-steps.tsx";
import { AgentLanes } from "./lanes.tsx";
import { NeedsApproval } from "./needs-approval.tsx";
import { RecentTrouble } from "./recent-trouble.tsx";
import { Today } from "./today.tsx";

const MINUTE_MS = 60_000;

/** The selectable time ranges, by their names in the address. */
const RANGES: readonly (readonly [name: string, title: string, ms: number])[] = [
  ["15m", "15 minutes", 15 * MINUTE_MS],
  ["1h", "1 hour", 60 * MINUTE_MS],
  ["6h", "6 hours", 360 * MINUTE_MS],
  ["24h", "24 hours", 1440 * MINUTE_MS],
];
const [DEFAULT_RANGE = ["15m", "15 minutes", 15 * MINUTE_MS] as const] = RANGES;
/** Granularity of the path for the lanes, which limits how often they are read. */
const STEP_MS = MINUTE_MS;

/** The lanes are read when something was heard. */
const HEARD = { changes: (news: { readonly entries: readonly unknown[] }) => news.entries.length > 0, everyMs: 1500 };

/** The first steps, until an agent was heard; then the overview. */
// biome-ignore lint/style/noDefaultExport: pages are loaded when they are opened, and React asks for a default export
export default function OverviewPage(): ReactNode {
  const last = useHubRead<Listed<SessionView>>("/api/sessions?limit=1", HEARD);
  const open = useHubRead<RequestList>("/api/requests?state=open&limit=50", { changes: (news) => news.requests.length > 0 });
  const [newest] = last.answer?.items ?? [];
  const isFirst = last.answer?.items.length === 0 && open.answer?.open === 0;
  useKeptFocus(isFirst);
  return isFirst ? <FirstSteps /> : <Overview newest={newest} open={open} />;
}

interface OverviewProps {
  readonly newest: SessionView | undefined;
  readonly open: HubRead<RequestList>;
}

/** Pending requests, the agents' activity, and the costs. Mounted with its lists, which watch the pointer and the focus. */
function Overview({ newest, open }: OverviewProps): ReactNode {
  const { query } = usePageLocation();
  const region = useRef<HTMLElement>(null);
  const [range, , rangeMs] = RANGES.find(([name]) => name === query.get("range")) ?? DEFAULT_RANGE;
  const since = Math.floor(Date.now() / STEP_MS) * STEP_MS - rangeMs;
  const lanes = useLast(useHubRead<Listed<SessionLane>>(`/api/lanes?since=${since}&limit=60`, HEARD));
  const steady = useSteadyList(region, lanes.answer?.items ?? [], ({ session }) => session.key, { restsMs: POINTER_IDLE_MS });
  return (
    <div className="overview">
      <h1>Overview</h1>
      <ProblemNote problem={lanes.problem} />
      <NeedsApproval open={open} />
      <section ref={region} aria-labelledby="lanes-title" className="panel">
        <div className="panel-head">
          <h2 id="lanes-title">Activity</h2>
          <fieldset className="segments">
            <legend className="told">Time shown</legend>
            {RANGES.map(([name, title]) => (
              <label key={name} className={name === range ? "chosen" : undefined}>
                <input
                  type="radio"
                  name="range"
                  className="told"
                  checked={name === range}
                  onChange={() => refineQuery({ range: name === DEFAULT_RANGE[0] ? undefined : name })}
                />
                {title}
              </label>
            ))}
          </fieldset>
        </div>
        {lanes.answer === undefined ? (
          <p className="soft">Loading.</p>
        ) : steady.shown.length === 0 ? (
          <Quiet newest={newest} title={RANGES.find(([name]) => name === range)?.[1] ?? ""} />
        ) : (
          <AgentLanes lanes={steady.shown} rangeMs={rangeMs} />
        )}
        <HeldBack list={steady} what="new session" />
        {lanes.answer?.next === undefined ? null : (
          <p className="soft">
            {`Only the ${formatCount(lanes.answer.items.length, "session")} with the newest activity are drawn. `}
            <PageLink href={hrefOf("sessions")}>All sessions</PageLink>
          </p>
        )}
      </section>
      <div className="overview-beside">
        <Today />
        <RecentTrouble />
      </div>
    </div>
  );
}

/** The first steps and the overview replace each other: a focus within the removed one moves to the title of the other. */
function useKeptFocus(isFirst: boolean): void {
  const was = useRef(isFirst);
  useEffect(() => {
    if (was.current !== isFirst && document.activeElement === document.body) focusHeading(document.querySelector<HTMLElement>("main h1"));
    was.current = isFirst;
  }, [isFirst]);
}

/** Returns the last response while a response for another path is loading. */
function useLast<Answer>(read: HubRead<Answer>): HubRead<Answer> {
  const last = useRef<Answer>(undefined);
  if (read.answer !== undefined) last.current = read.answer;
  return { ...read, answer: read.answer ?? last.current };
}

function Quiet({ newest, title }: { readonly newest: SessionView | undefined; readonly title: string }): ReactNode {
  return (
    <div className="all-quiet">
      <p className="quiet-title">All quiet</p>
      <p className="soft">
        {`No agent was active in the last ${title}. `}
        {newest === undefined ? null : <PageLink href={hrefOf("session", newest.key)}>Open the last session</PageLink>}
      </p>
    </div>
  );
}
