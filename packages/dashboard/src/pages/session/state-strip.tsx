import { formatShortDuration } from "@earshot/narrate";
import type { ReactNode } from "react";
import { ACTIVITY_STATE_NAMES, ACTIVITY_STATES, type CourseState, type Stretch } from "./course.ts";
import type { TimelineRow } from "./rows.ts";

export interface StateStripProps {
  readonly stretches: readonly Stretch[];
  readonly extent: { readonly from: number; readonly to: number };
  readonly marks: readonly StripMark[];
  /** The replayed moment: later states are drawn pale. */
  readonly until?: number | undefined;
  /** The part that is outlined. */
  readonly shown?: { readonly from: number; readonly to: number };
}

/** More stretches cannot be distinguished and are not drawn. */
const MAX_STRETCHES = 400;
const MAX_MARKS = 200;

/** The agent's states from left to right, with marks for errors. The adjacent table has the same data as text. */
export function StateStrip({ stretches, extent, marks, until, shown: outlined }: StateStripProps): ReactNode {
  const length = extent.to - extent.from;
  const percent = (at: number) => (Math.min(1, Math.max(0, (at - extent.from) / length)) * 100).toFixed(3);
  const shown = stretches.length <= MAX_STRETCHES ? stretches : stretches.filter(({ from, to }) => to - from > length / MAX_STRETCHES);
  return (
    <div className="strip-bar" role="img" aria-label={inWords(stretches, length)}>
      {shown.map(({ state, from, to }) => (
        <span
          key={from}
          className={`stretch ${state}`}
          style={{ insetInlineStart: `${percent(from)}%`, inlineSize: `${Number(percent(to)) - Number(percent(from))}%` }}
        />
      ))}
      {marks.map(({ key, at, kind }) => (
        <span key={key} className={`strip-mark ${kind}`} style={{ insetInlineStart: `${percent(at)}%` }} />
      ))}
      {outlined === undefined ? null : (
        <span
          className="strip-shown"
          style={{
            insetInlineStart: `${percent(outlined.from)}%`,
            inlineSize: `${Number(percent(outlined.to)) - Number(percent(outlined.from))}%`,
          }}
        />
      )}
      {until === undefined ? null : <span className="strip-later" style={{ insetInlineStart: `${percent(until)}%` }} />}
    </div>
  );
}

/** The legend of the colors in use. */
export function StripLegend({
  stretches,
  rows,
}: {
  readonly stretches: readonly Stretch[];
  readonly rows: readonly TimelineRow[];
}): ReactNode {
  return (
    <p className="strip-legend" aria-hidden="true">
      {ACTIVITY_STATES.filter((state) => stretches.some((stretch) => stretch.state === state)).map((state) => (
        <span key={state}>
          <span className={`swatch ${state}`} /> {ACTIVITY_STATE_NAMES[state]}
        </span>
      ))}
      {listMarks(rows).some(({ kind }) => kind === "bad") ? (
        <span>
          <span className="swatch bad" /> Failed, or an alert
        </span>
      ) : null}
    </p>
  );
}

export interface StripMark {
  readonly key: string;
  readonly at: number;
  readonly kind: "bad" | "prompt";
}

export function listMarks(rows: readonly TimelineRow[]): readonly StripMark[] {
  return rows
    .flatMap((row): readonly StripMark[] => {
      const kind = markOf(row);
      return kind === undefined ? [] : [{ key: row.key, at: row.at, kind }];
    })
    .slice(0, MAX_MARKS);
}

function markOf({ item }: TimelineRow): "bad" | "prompt" | undefined {
  const { call, alerts, activity } = item;
  if (alerts.length > 0 || call?.state === "failed" || call?.state === "timeout" || activity.kind === "error") return "bad";
  return activity.kind === "prompt" ? "prompt" : undefined;
}

function sums(stretches: readonly Stretch[]): ReadonlyMap<CourseState, number> {
  const found = new Map<CourseState, number>();
  for (const { state, from, to } of stretches) found.set(state, (found.get(state) ?? 0) + to - from);
  return found;
}

function inWords(stretches: readonly Stretch[], length: number): string {
  const parts = [...sums(stretches)]
    .sort(([, one], [, other]) => other - one)
    .map(([state, ms]) => `${ACTIVITY_STATE_NAMES[state].toLowerCase()} ${formatShortDuration(ms)}`);
  return `Within ${formatShortDuration(length)}: ${parts.join(", ")}.`;
}
