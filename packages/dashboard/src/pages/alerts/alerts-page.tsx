import type { Alert } from "@earshot/hub";
import { agentName, alertName, listenerPhrases } from "@earshot/narrate";
import { type ReactNode, useId, useRef } from "react";
import { VisibleText } from "../../content/visible-text.tsx";
import { HeldBack } from "../../parts/held-back.tsx";
import { PageLink } from "../../parts/link.tsx";
import { ShortTime } from "../../parts/moment.tsx";
import { useMoreList } from "../../parts/more-list.ts";
import { OnlySession } from "../../parts/only-session.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { POINTER_IDLE_MS, useSteadyList } from "../../parts/use-steady-list.ts";
import { hrefOf, refineQuery, usePageLocation } from "../../route.ts";

/** Alerts raised by the hub, newest first. */
// biome-ignore lint/style/noDefaultExport: pages are loaded when they are opened, and React asks for a default export
export default function AlertsPage(): ReactNode {
  const { query } = usePageLocation();
  const id = useId();
  const region = useRef<HTMLElement>(null);
  const type = query.get("type") ?? "";
  const session = query.get("session") ?? "";
  const path = `/api/alerts?${new URLSearchParams({ limit: "50", ...(type === "" ? {} : { type }), ...(session === "" ? {} : { session }) })}`;
  const list = useMoreList<Alert>(path, { changes: (news) => news.alerts.length > 0 });
  const steady = useSteadyList(region, list.items, ({ number }) => number, { restsMs: POINTER_IDLE_MS, isRead: list.wasRead });
  const { shown } = steady;
  return (
    <>
      <h1>Alerts</h1>
      <p className="soft">Problems that the hub detected. Each links to the events concerned.</p>
      <search aria-label="Alerts shown" className="filters">
        <label htmlFor={id}>Kind</label>
        <select id={id} value={type} onChange={({ currentTarget }) => refineQuery({ type: currentTarget.value })}>
          <option value="">all</option>
          {Object.entries(listenerPhrases("en").alerts).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </search>
      {session === "" ? null : <OnlySession session={session} all={hrefOf("alerts", { type })} />}
      <ProblemNote problem={list.problem} />
      <section ref={region} aria-label="Alerts" className="after-filters">
        {list.wasRead && shown.length === 0 ? (
          <p>{`There are no alerts${type === "" ? "" : " of this kind"}${session === "" ? "" : " of this session"}.`}</p>
        ) : null}
        {list.wasRead ? null : <p className="soft">Loading.</p>}
        <ul className="rows">
          {shown.map((alert) => (
            <AlertRow key={alert.number} alert={alert} />
          ))}
        </ul>
        <HeldBack list={steady} what="new alert" />
        {list.more === undefined ? null : (
          <button type="button" className="button" aria-disabled={list.isReading} onClick={list.more}>
            Older alerts
          </button>
        )}
      </section>
    </>
  );
}

function AlertRow({ alert }: { readonly alert: Alert }): ReactNode {
  const { type, severity, message, session, agent, position, at, rule } = alert;
  return (
    <li className={`row ${severity === "critical" ? "edge-bad" : "edge-warn"}`}>
      <h2 className="row-title">
        <PageLink href={hrefOf("session", session, { at: position })}>{`${alertName(type)}, ${agentName(agent)}`}</PageLink>{" "}
        <span className={`status ${severity === "critical" ? "bad" : "warn"}`}>{severity === "critical" ? "Critical" : "Warning"}</span>
      </h2>
      <p>
        <VisibleText text={message} />
      </p>
      <p className="facts">
        <ShortTime at={at} />
        {rule === undefined ? null : <PageLink href={hrefOf("check", { session, rule })}>{rule}</PageLink>}
      </p>
    </li>
  );
}
