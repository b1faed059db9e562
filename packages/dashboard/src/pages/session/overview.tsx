import type { SessionCourse, SessionView, StoryItem } from "@earshot/hub";
import { formatNumber, formatShortDuration, formatShortMoney } from "@earshot/narrate";
import { type ReactNode, useEffect, useId, useMemo, useState } from "react";
import { useHubRead } from "../../hub/use-hub.ts";
import { clockTime } from "./clock-time.ts";
import { ACTIVITY_STATE_NAMES, extentOf, type Stretch, toStretches, toWholeStretches } from "./course.ts";
import { replayStateAt } from "./replay.ts";
import type { TimelineRow } from "./rows.ts";
import { Scrubber } from "./scrubber.tsx";
import { listMarks, StateStrip, StripLegend } from "./state-strip.tsx";
import { isAbout } from "./use-story.ts";

export interface OverviewProps {
  readonly session: SessionView;
  readonly rows: readonly TimelineRow[];
  readonly items: readonly StoryItem[];
  /** The row up to which the session is replayed; undefined shows everything. */
  readonly moment: number | undefined;
  readonly onMoment: (moment: number | undefined) => void;
  /** The displayed part starts at the beginning of the session. */
  readonly isFirst: boolean;
  /** The displayed part is the whole session. */
  readonly isWhole: boolean;
}

/** The displayed part of the session at a glance, with a slider. */
export function SessionOverview({ session, rows, items, moment, onMoment, isFirst, isWhole }: OverviewProps): ReactNode {
  const id = useId();
  const [isTable, setTable] = useState(false);
  const now = session.endedAt ?? session.lastHeardAt;
  const stretches = useMemo(() => toStretches(items, now), [items, now]);
  const extent = useMemo(() => extentOf(items, now), [items, now]);
  // Replay scrolls its last row into view.
  useEffect(() => {
    const row = moment === undefined ? undefined : rows[moment];
    if (row !== undefined) document.getElementById(`at-${row.key}`)?.scrollIntoView({ block: "nearest" });
  }, [moment, rows]);
  if (extent === undefined || rows.length < 2) return null;
  const standing = moment === undefined ? undefined : replayStateAt(items, stretches, rows[moment]?.at ?? extent.to);
  return (
    <section className="overview panel" aria-labelledby={id}>
      <div className="overview-top">
        <h2 id={id}>State over time</h2>
        <span className="soft">{`${clockTime(extent.from)} to ${clockTime(extent.to)}`}</span>
        <button type="button" className="small-button" aria-expanded={isTable} onClick={() => setTable(!isTable)}>
          States as a table
        </button>
      </div>
      {isWhole ? null : <WholeStrip session={session} shown={extent} />}
      <StateStrip stretches={stretches} extent={extent} marks={listMarks(rows)} until={standing?.at} />
      <Scrubber rows={rows} extent={extent} moment={moment} onMoment={onMoment}>
        <StripLegend stretches={stretches} rows={rows} />
      </Scrubber>
      {standing === undefined ? null : (
        <p className="facts">
          <span>{`At ${clockTime(standing.at)}`}</span>
          {standing.state === undefined ? null : <span>{standing.state}</span>}
          {standing.running.length === 0 ? null : <span>{`running: ${standing.running.join(", ")}`}</span>}
          {standing.costUsd === undefined || !isFirst ? null : <span>{`${formatShortMoney(standing.costUsd)} so far`}</span>}
          {standing.tokens === undefined || !isFirst ? null : <span>{`${formatNumber(standing.tokens)} tokens so far`}</span>}
        </p>
      )}
      {isTable ? <StateTable stretches={stretches} /> : null}
    </section>
  );
}

interface WholeStripProps {
  readonly session: SessionView;
  /** The time of the displayed part. */
  readonly shown: { readonly from: number; readonly to: number };
}

/** All of a long session, with the displayed part marked. */
function WholeStrip({ session, shown }: WholeStripProps): ReactNode {
  const { answer } = useHubRead<SessionCourse>(`/api/sessions/${session.key}/course`, {
    changes: (news) => isAbout(news, session),
    everyMs: 5000,
  });
  const stretches = useMemo(() => (answer === undefined ? [] : toWholeStretches(answer)), [answer]);
  if (answer === undefined) return null;
  const { from, to, buckets } = answer;
  const failures = buckets.flatMap(({ failed }, index) =>
    failed === 0 ? [] : [{ key: String(index), at: from + ((index + 0.5) * (to - from)) / buckets.length, kind: "bad" as const }],
  );
  return (
    <div className="whole-strip">
      <p className="soft">{`The whole session, ${clockTime(from)} to ${clockTime(to)}. Below it, the part that is shown.`}</p>
      <StateStrip stretches={stretches} extent={{ from, to }} marks={failures} shown={shown} />
    </div>
  );
}

/** The state strip as a table. */
function StateTable({ stretches }: { readonly stretches: readonly Stretch[] }): ReactNode {
  return (
    <div className="table-scroll">
      <table>
        <caption>State of the agent</caption>
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Lasted</th>
          </tr>
        </thead>
        <tbody>
          {stretches.slice(0, MAX_CALLS).map(({ state, from, to }) => (
            <tr key={from}>
              <th scope="row">{ACTIVITY_STATE_NAMES[state]}</th>
              <td>{clockTime(from)}</td>
              <td>{clockTime(to)}</td>
              <td>{formatShortDuration(to - from)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {stretches.length > MAX_CALLS ? <p className="soft">{`The first ${MAX_CALLS} of ${stretches.length}.`}</p> : null}
    </div>
  );
}

const MAX_CALLS = 500;
