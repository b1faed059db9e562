import type { Alert, Listed, SessionView } from "@earshot/hub";
import { alertName, listenerPhrases } from "@earshot/narrate";
import type { ReactNode } from "react";
import { VisibleText } from "../../content/visible-text.tsx";
import { useHubRead } from "../../hub/use-hub.ts";
import { PageLink } from "../../parts/link.tsx";
import { ShortTime } from "../../parts/moment.tsx";
import { StatusLabel } from "../../parts/status.tsx";
import { hrefOf } from "../../route.ts";
import { sessionNameOf } from "../../words/session-name.ts";

const MAX_SHOWN = 6;

/** Failed sessions and alerts of the hub, newest first. */
export function RecentTrouble(): ReactNode {
  const failed = useHubRead<Listed<SessionView>>(`/api/sessions?status=failed,timeout&limit=${MAX_SHOWN}`, {
    changes: (news) => news.entries.length > 0,
    everyMs: 3000,
  });
  const alerts = useHubRead<Listed<Alert>>(`/api/alerts?limit=${MAX_SHOWN}`, { changes: (news) => news.alerts.length > 0 });
  const items = [
    ...(failed.answer?.items ?? []).map((session) => ({
      key: `session ${session.key}`,
      at: session.lastEventAt,
      row: (
        <>
          <StatusLabel status={session.status} />{" "}
          <PageLink href={hrefOf("session", session.key)}>
            <VisibleText text={sessionNameOf(session)} />
          </PageLink>{" "}
          <span className="soft">
            <VisibleText text={session.goal ?? ""} />
          </span>
        </>
      ),
    })),
    ...(alerts.answer?.items ?? []).map((alert) => ({
      key: `alert ${alert.number}`,
      at: alert.at,
      row: (
        <>
          <span className={`status ${alert.severity === "critical" ? "bad" : "warn"}`}>{alertName(alert.type, listenerPhrases("en"))}</span>{" "}
          <PageLink href={hrefOf("session", alert.session, { at: alert.position })}>
            <VisibleText text={alert.message} />
          </PageLink>
        </>
      ),
    })),
  ]
    .sort((one, other) => other.at - one.at)
    .slice(0, MAX_SHOWN);
  return (
    <section aria-labelledby="trouble-title" className="panel">
      <div className="panel-head">
        <h2 id="trouble-title">Failures and alerts</h2>
        <PageLink href={hrefOf("alerts")}>All alerts</PageLink>
      </div>
      {items.length === 0 ? (
        <p className="soft">Nothing failed.</p>
      ) : (
        <ul className="plain-list event-list">
          {items.map(({ key, at, row }) => (
            <li key={key}>
              <span>{row}</span>
              <ShortTime at={at} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
