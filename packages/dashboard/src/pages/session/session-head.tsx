import type { ControlView, Parentage, RequestList, SessionGrade, SessionView } from "@earshot/hub";
import { describeSessionMark, formatCount, formatShortDuration, formatShortMoney, formatTokens, protocolName } from "@earshot/narrate";
import type { ReactNode } from "react";
import { VisibleText } from "../../content/visible-text.tsx";
import { useHubRead } from "../../hub/use-hub.ts";
import { PageLink } from "../../parts/link.tsx";
import { ShortTime } from "../../parts/moment.tsx";
import { StatusLabel } from "../../parts/status.tsx";
import { hrefOf } from "../../route.ts";
import { PAGE_VOICE } from "../../words/page-voice.ts";
import { headingIn } from "../../words/request-words.ts";
import { sessionNameOf } from "../../words/session-name.ts";
import { SessionActions } from "./session-actions.tsx";
import { isAbout } from "./use-story.ts";

export interface SessionHeadProps {
  readonly session: SessionView;
}

/** Agent, location, goal, status and actions of the session. */
export function SessionHead({ session }: SessionHeadProps): ReactNode {
  const { key, status, goal, parent } = session;
  const about = { changes: (news: Parameters<typeof isAbout>[0]) => isAbout(news, session), everyMs: 2000 };
  const grade = useHubRead<SessionGrade>(`/api/sessions/${key}/grade`, about).answer;
  const control = useHubRead<ControlView>("/api/control", { changes: (news) => news.requests.some(({ what }) => what === "control") });
  const stopped = control.answer?.stopped.find(
    (one) => one.session === session.id && one.protocol === session.protocol && one.source === session.source,
  );
  return (
    <header className="session-head">
      <div className="session-title">
        <h1>
          <VisibleText text={sessionNameOf(session)} />
        </h1>
        <StatusLabel status={status} />
        {session.verified ? null : <span className="status warn">Unverified source</span>}
        <SessionActions session={session} isStopped={stopped !== undefined} onChanged={control.again} />
      </div>
      {goal === undefined ? null : (
        <p className="session-goal">
          <bdi>
            <VisibleText text={goal.length > MAX_GOAL_CHARACTERS ? `${goal.slice(0, MAX_GOAL_CHARACTERS)} …` : goal} />
          </bdi>
        </p>
      )}
      {stopped === undefined ? null : (
        <p className="stopped" role="note">
          <strong>Stopped</strong> by {stopped.by} at <ShortTime at={stopped.at} />
          {stopped.reason === null ? "." : `: ${stopped.reason}`} Each of its hooks is answered with stop or deny until you resume it.
        </p>
      )}
      {parent === undefined ? null : <Parent parent={parent} />}
      <Waiting session={session} />
      <Facts session={session} grade={grade} />
    </header>
  );
}

/** The session that started this one, or that it continues. */
function Parent({ parent: { id, key, relation, inferred, because } }: { readonly parent: Parentage }): ReactNode {
  const found = useHubRead<SessionView>(key === undefined ? undefined : `/api/sessions/${key}`).answer;
  return (
    <p className="soft">
      {`${RELATIONS[relation]} `}
      {key === undefined ? (
        <code>{id}</code>
      ) : (
        <PageLink href={hrefOf("session", key)}>
          <VisibleText text={found === undefined ? id : sessionNameOf(found)} />
        </PageLink>
      )}
      {inferred ? `, as it seems: ${because}` : ""}
    </p>
  );
}

/** The session's pending requests, linked to the inbox, where all details are shown. */
function Waiting({ session: { id, key } }: { readonly session: SessionView }): ReactNode {
  const { answer } = useHubRead<RequestList>(`/api/requests?state=open&session=${encodeURIComponent(id)}&limit=10`, {
    changes: (news) => news.requests.length > 0,
  });
  const waiting = (answer?.requests ?? []).filter(({ sessionKey, waits }) => sessionKey === key && waits);
  if (waiting.length === 0) return null;
  return (
    <ul className="panel urgent plain-list waits">
      {waiting.map((request) => (
        <li key={request.id}>
          <strong>Waits for you: </strong>
          <PageLink href={hrefOf("inbox", { request: request.id })}>
            <VisibleText text={headingIn(request.card.asked).heading} />
          </PageLink>
        </li>
      ))}
    </ul>
  );
}

const MAX_GOAL_CHARACTERS = 300;
/** Events that arrived later than this were imported or replayed. */
const LATE_MS = 60_000;
const RELATIONS = { subagent: "Subagent of", fork: "Branched off from", resume: "Goes on from", continuation: "Goes on from" } as const;

function Facts({ session, grade }: { readonly session: SessionView; readonly grade: SessionGrade | undefined }): ReactNode {
  const {
    key,
    firstEventAt,
    lastEventAt,
    endedAt,
    lastHeardAt,
    durationMs,
    costUsd,
    tokens,
    counts,
    children,
    model,
    protocol,
    workspace,
    marks,
  } = session;
  const broken = grade?.rules.filter(({ severity }) => severity !== "info").length ?? 0;
  return (
    <dl className="session-facts">
      <Fact name="Began">
        <ShortTime at={firstEventAt} />
      </Fact>
      <Fact name={endedAt === undefined ? "Last heard" : "Ended"}>
        <ShortTime at={lastEventAt} />
      </Fact>
      {Math.abs(lastHeardAt - lastEventAt) < LATE_MS ? null : (
        <Fact name="Received">
          <ShortTime at={lastHeardAt} />
        </Fact>
      )}
      <Fact name="Took">{formatShortDuration(durationMs)}</Fact>
      {costUsd === undefined ? null : (
        <Fact name="Cost">
          <PageLink href={hrefOf("session", key, { view: "spending" })}>{formatShortMoney(costUsd)}</PageLink>
        </Fact>
      )}
      {tokens === undefined ? null : <Fact name="Tokens">{formatTokens(tokens)}</Fact>}
      <Fact name="Calls">
        {counts.calls === 0 ? (
          "none"
        ) : (
          <PageLink href={hrefOf("session", key, { view: "tools" })}>
            {String(counts.calls)}
            {counts.failedCalls === 0 ? "" : `, ${counts.failedCalls} failed`}
          </PageLink>
        )}
      </Fact>
      {counts.alerts === 0 ? null : (
        <Fact name="Alerts">
          <PageLink href={hrefOf("alerts", { session: key })}>{String(counts.alerts)}</PageLink>
        </Fact>
      )}
      {children === 0 ? null : (
        <Fact name="Subagents">
          <PageLink href={hrefOf("session", key, { view: "family" })}>{String(children)}</PageLink>
        </Fact>
      )}
      <Fact name="Rules kept">
        {grade === undefined ? (
          "…"
        ) : (
          <PageLink href={hrefOf("check", { session: key })}>
            {`Grade ${grade.grade}`}
            {broken === 0 ? "" : `, ${formatCount(broken, "rule")} broken`}
          </PageLink>
        )}
      </Fact>
      {model === undefined ? null : <Fact name="Model">{model}</Fact>}
      {workspace === undefined ? null : (
        <Fact name="Folder">
          <code className="path">
            <VisibleText text={workspace} as="code" />
          </code>
        </Fact>
      )}
      <Fact name="Protocol">{protocolName(protocol)}</Fact>
      {marks.length === 0 ? null : <Fact name="Anomalies">{marks.map((mark) => describeSessionMark(mark, PAGE_VOICE)).join(", ")}</Fact>}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
