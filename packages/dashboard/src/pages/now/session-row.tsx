import type { SessionView } from "@earshot/hub";
import { formatCount, formatShortDuration, formatShortMoney, protocolName } from "@earshot/narrate";
import type { ReactNode } from "react";
import { VisibleText } from "../../content/visible-text.tsx";
import { Link } from "../../parts/link.tsx";
import { Moment } from "../../parts/moment.tsx";
import { Status } from "../../parts/status.tsx";
import { hrefOf } from "../../route.ts";
import { sessionName } from "../../words/session-name.ts";

const LONGEST = 200;

export interface SessionRowProps {
  readonly session: SessionView;
  /** Whether it waits for the person, whatever it said last. */
  readonly waits: boolean;
  /** Its subagents. */
  readonly children: ReactNode;
}

/** One session: who, where, what for, how it stands, and what it did last. */
export function SessionRow({ session, waits, children: subagents }: SessionRowProps): ReactNode {
  const { key, goal, status, lastSummary, counts, costUsd, children, protocol, startedAt, endedAt, durationMs } = session;
  return (
    <li className="row">
      <h3>
        <Link href={hrefOf("session", key)}>
          <VisibleText text={sessionName(session)} />
        </Link>{" "}
        <Status status={waits ? "waiting" : status} />
      </h3>
      {goal === undefined ? null : (
        <p className="goal">
          <VisibleText text={short(goal)} />
        </p>
      )}
      {lastSummary === undefined || lastSummary === goal ? null : (
        <p className="soft">
          <VisibleText text={short(lastSummary)} />
        </p>
      )}
      <p className="facts">
        {endedAt === undefined ? (
          <span>
            since <Moment at={startedAt} />
          </span>
        ) : (
          <span>
            ended <Moment at={endedAt} />, took {formatShortDuration(durationMs)}
          </span>
        )}
        {counts.calls === 0 ? null : <span>{formatCount(counts.calls, "call")}</span>}
        {counts.failedCalls === 0 ? null : <span className="bad">{counts.failedCalls} failed</span>}
        {counts.alerts === 0 ? null : <span className="warn">{formatCount(counts.alerts, "alert")}</span>}
        {children === 0 ? null : <span>{formatCount(children, "subagent")}</span>}
        {costUsd === undefined ? null : <span>{formatShortMoney(costUsd)}</span>}
        <span>{protocolName(protocol)}</span>
        {session.verified ? null : <span className="warn">unverified source</span>}
      </p>
      {subagents}
    </li>
  );
}

function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
}
