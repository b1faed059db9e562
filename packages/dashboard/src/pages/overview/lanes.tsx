import type { LaneSpan, SessionLane, SessionView } from "@earshot/hub";
import { describeStatus, formatCount } from "@earshot/narrate";
import type { ReactNode } from "react";
import { VisibleText } from "../../content/visible-text.tsx";
import { useNow } from "../../parts/countdown.tsx";
import { PageLink } from "../../parts/link.tsx";
import { StatusLabel } from "../../parts/status.tsx";
import { hrefOf } from "../../route.ts";
import { PAGE_VOICE } from "../../words/page-voice.ts";
import { sessionNameOf } from "../../words/session-name.ts";
import { formatClockTime } from "../../words/times.ts";
import { type SessionFamily, toFamilies } from "../sessions/families.ts";

const TICK_MS = 2000;
const TICKS = [0, 0.25, 0.5, 0.75] as const;
/** Narrower spans are drawn this wide, in percent of the lane. */
const MIN_WIDTH = 0.35;
const LIVE: readonly SessionView["status"][] = ["running", "waiting", "idle", "stalled"];

type LaneFamily = SessionFamily<SessionView>;

/** All agents over the last minutes or hours, one lane each; subagents are below their parent. */
export function AgentLanes({ lanes, rangeMs }: { readonly lanes: readonly SessionLane[]; readonly rangeMs: number }): ReactNode {
  const now = useNow(TICK_MS);
  const from = now - rangeMs;
  const spans = new Map(lanes.map(({ session, spans: own }) => [session.key, own]));
  const sessions = lanes.map(({ session }) => session).sort(byUrgency);
  const draw = ({ session, children }: LaneFamily, depth: number): readonly ReactNode[] => [
    <LaneRow key={session.key} session={session} spans={spans.get(session.key) ?? []} depth={depth} from={from} now={now} />,
    ...children.flatMap((child) => draw(child, depth + 1)),
  ];
  return (
    <div className="lanes">
      <div className="lane-axis" aria-hidden="true">
        {TICKS.map((part) => (
          <span key={part} style={{ insetInlineStart: `${part * 100}%` }}>
            {formatClockTime(from + part * rangeMs)}
          </span>
        ))}
        <span className="axis-end">now</span>
      </div>
      <ul className="plain-list">{toFamilies(sessions).flatMap((family) => draw(family, 0))}</ul>
      <p className="strip-legend" aria-hidden="true">
        <span>
          <span className="swatch lane-life" /> At work
        </span>
        <span>
          <span className="swatch lane-tool" /> Tool call
        </span>
        <span>
          <span className="swatch lane-waiting" /> Waiting for you
        </span>
        <span>
          <span className="swatch lane-failed" /> Failed
        </span>
      </p>
    </div>
  );
}

interface LaneRowProps {
  readonly session: SessionView;
  readonly spans: readonly LaneSpan[];
  readonly depth: number;
  readonly from: number;
  readonly now: number;
}

function LaneRow({ session, spans, depth, from, now }: LaneRowProps): ReactNode {
  const { key, status, goal, firstEventAt, lastEventAt, counts } = session;
  const isLive = LIVE.includes(status);
  const end = isLive && status !== "stalled" ? now : Math.max(lastEventAt, firstEventAt + 1);
  const style = (one: number, other: number) => {
    const left = percentOf(one, from, now);
    return { insetInlineStart: `${left}%`, inlineSize: `${Math.max(MIN_WIDTH, percentOf(other, from, now) - left)}%` };
  };
  const failed = spans.filter(({ state }) => state === "failed").length;
  const waitsFrom =
    status === "waiting" && !spans.some(({ state, to }) => state === "waiting" && to === undefined) ? spans.at(-1)?.from : undefined;
  return (
    <li className="lane" data-depth={Math.min(depth, 3)}>
      <div className="lane-name">
        <PageLink href={hrefOf("session", key)}>
          <VisibleText text={sessionNameOf(session)} />
        </PageLink>
        <span className="lane-goal">
          <VisibleText text={goal ?? session.lastSummary ?? ""} />
        </span>
      </div>
      <div
        className="lane-track"
        role="img"
        aria-label={`${describeStatus(status, PAGE_VOICE).words}. ${formatCount(counts.calls, "call")}${failed === 0 ? "" : `, ${failed} failed`}.`}
      >
        {end < from ? null : <span className="lane-life" style={style(firstEventAt, end)} />}
        {spans.map((span) => (
          <span
            key={`${span.position} ${span.state}`}
            className={`lane-${span.state}`}
            style={style(span.from, span.to ?? end)}
            title={`${span.tool}, ${formatClockTime(span.from)}`}
          />
        ))}
        {waitsFrom === undefined ? null : <span className="lane-waiting" style={style(waitsFrom, now)} />}
      </div>
      <StatusLabel status={status} />
    </li>
  );
}

function percentOf(at: number, from: number, now: number): number {
  return Math.min(100, Math.max(0, ((at - from) / (now - from)) * 100));
}

const URGENCY: readonly SessionView["status"][] = ["waiting", "running", "stalled", "idle"];

/** Waiting sessions first, then running ones, each by start time, which keeps lanes in place. */
function byUrgency(one: SessionView, other: SessionView): number {
  const rank = ({ status }: SessionView) => (URGENCY.includes(status) ? URGENCY.indexOf(status) : URGENCY.length);
  return rank(one) - rank(other) || one.firstEventAt - other.firstEventAt;
}
