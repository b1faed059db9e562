import type { Listed, RequestList, SessionView } from "@earshot/hub";
import { agentSlug } from "@earshot/narrate";
import { type ReactNode, useId, useRef } from "react";
import { WholeWords } from "../../content/whole-words.tsx";
import { type Read, useRead } from "../../hub/use-hub.ts";
import { HeldBack } from "../../parts/held-back.tsx";
import { Link } from "../../parts/link.tsx";
import { Moment } from "../../parts/moment.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { RESTS_MS, useSteady } from "../../parts/use-steady.ts";
import { hrefOf, refine, usePlace } from "../../route.ts";
import { headingIn } from "../../words/request-words.ts";
import { type Family, toFamilies } from "./families.ts";
import { SessionRow } from "./session-row.tsx";

const LIVE = "running,waiting,idle,stalled";
const OVER = "failed,timeout";

/** What is going on: who waits for the person first, then who is at work, then what went wrong. */
// biome-ignore lint/style/noDefaultExport: pages are loaded when they are opened, and React asks for a default export
export default function NowPage(): ReactNode {
  const { query } = usePlace();
  const filter = ["protocol", "agent"].flatMap((name) => {
    const value = query.get(name);
    return value === null || value === "" ? [] : [`${name}=${encodeURIComponent(name === "agent" ? agentSlug(value) : value)}`];
  });
  const list = (status: string, limit: number) => `/api/sessions?${[`status=${status}`, `limit=${limit}`, ...filter].join("&")}`;
  const heard = { changes: (news: { readonly entries: readonly unknown[] }) => news.entries.length > 0, everyMs: 1000 };
  const live = useRead<Listed<SessionView>>(list(LIVE, 100), heard);
  const failed = useRead<Listed<SessionView>>(list(OVER, 10), heard);
  const ended = useRead<Listed<SessionView>>(list("completed,cancelled,ended", 10), heard);
  const open = useRead<RequestList>("/api/requests?state=open&limit=50", { changes: (news) => news.requests.length > 0 });
  const waiting = new Set((open.answer?.requests ?? []).flatMap(({ waits, sessionKey }) => (waits ? [sessionKey] : [])));
  const isEmpty = [live, failed, ended].every(({ answer }) => answer?.items.length === 0);
  return (
    <>
      <h1>Now</h1>
      <ProblemNote problem={live.problem} />
      <Waiting open={open} />
      <NowFilters />
      {isEmpty && filter.length === 0 ? (
        <NothingYet />
      ) : (
        <>
          <Sessions title="At work" read={live} waiting={waiting} none="No agent is at work." />
          <Sessions title="Went wrong lately" read={failed} waiting={waiting} none="Nothing went wrong lately." />
          <Sessions title="Ended lately" read={ended} waiting={waiting} none="No session has ended yet." />
        </>
      )}
    </>
  );
}

function Waiting({ open }: { readonly open: Read<RequestList> }): ReactNode {
  const region = useRef<HTMLElement>(null);
  const waiting = (open.answer?.requests ?? []).filter(({ waits }) => waits);
  const steady = useSteady(region, waiting, ({ id }) => id, { restsMs: RESTS_MS });
  const { shown } = steady;
  const count = open.answer?.open ?? 0;
  return (
    <section ref={region} aria-labelledby="waiting-title" className={count > 0 ? "panel urgent" : "panel"}>
      <h2 id="waiting-title">{count === 0 ? "Nobody waits for you" : `Waiting for you: ${count}`}</h2>
      {shown.length === 0 ? null : (
        <ul className="plain-list">
          {shown.map((request) => (
            <li key={request.id}>
              <Link href={hrefOf("inbox", { request: request.id })}>
                <WholeWords text={headingIn(request.card.asked).heading} />
              </Link>{" "}
              <span className="soft">
                {request.state !== "open" ? (
                  "was answered"
                ) : request.deadlineAt === null ? (
                  ""
                ) : (
                  <>
                    until <Moment at={request.deadlineAt} />
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      <HeldBack list={steady} what="new request" />
    </section>
  );
}

interface SessionsProps {
  readonly title: string;
  readonly read: Read<Listed<SessionView>>;
  /** Sessions that wait for the person. */
  readonly waiting: ReadonlySet<number>;
  readonly none: string;
}

function Sessions({ title, read, waiting, none }: SessionsProps): ReactNode {
  const region = useRef<HTMLElement>(null);
  // The one that began first stands first, so that a new one pushes nobody away.
  const items = [...(read.answer?.items ?? [])].sort((one, other) => one.startedAt - other.startedAt);
  const steady = useSteady(region, items, ({ key }) => key, { restsMs: RESTS_MS });
  const { shown } = steady;
  const id = title.toLowerCase().replaceAll(" ", "-");
  return (
    <section ref={region} aria-labelledby={id}>
      <h2 id={id}>
        {title}
        {shown.length === 0 ? "" : `: ${shown.length}`}
      </h2>
      {read.answer === undefined && read.isReading ? (
        <p className="soft">Loading.</p>
      ) : shown.length === 0 ? (
        <p className="soft">{none}</p>
      ) : (
        <FamilyList families={toFamilies(shown)} waiting={waiting} />
      )}
      <HeldBack list={steady} what="new session" />
    </section>
  );
}

interface FamilyListProps {
  readonly families: readonly Family<SessionView>[];
  readonly waiting: ReadonlySet<number>;
}

function FamilyList({ families, waiting }: FamilyListProps): ReactNode {
  return (
    <ul className="rows">
      {families.map(({ session, children }) => (
        <SessionRow key={session.key} session={session} waits={waiting.has(session.key)}>
          {children.length === 0 ? null : <FamilyList families={children} waiting={waiting} />}
        </SessionRow>
      ))}
    </ul>
  );
}

function NothingYet(): ReactNode {
  return (
    <section className="panel" aria-labelledby="nothing-title">
      <h2 id="nothing-title">No agent has been heard yet</h2>
      <p>
        <Link href={hrefOf("connect")}>Connect your agents</Link>, or see what it looks like: run <code>earshot demo</code> in a terminal.
      </p>
    </section>
  );
}

/** Which sessions are shown. Stands in the address, so that it can be kept and sent. */
function NowFilters(): ReactNode {
  const { query } = usePlace();
  const id = useId();
  return (
    <search aria-label="Sessions shown" className="filters">
      <label htmlFor={`${id}-protocol`}>Protocol</label>
      <select
        id={`${id}-protocol`}
        value={query.get("protocol") ?? ""}
        onChange={({ currentTarget }) => refine({ protocol: currentTarget.value })}
      >
        <option value="">all</option>
        <option value="aep">AEP</option>
        <option value="aop">AOP</option>
        <option value="aaep">AAEP</option>
      </select>
      <label htmlFor={`${id}-agent`}>Agent</label>
      <input
        id={`${id}-agent`}
        value={query.get("agent") ?? ""}
        placeholder="any"
        onChange={({ currentTarget }) => refine({ agent: currentTarget.value })}
      />
    </search>
  );
}
