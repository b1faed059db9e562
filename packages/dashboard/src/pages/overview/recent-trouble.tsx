import type { Alert, Listed, SessionView } from "@earshot/hub";
import { alertName, earPhrases } from "@earshot/narrate";
import type { ReactNode } from "react";
import { VisibleText } from "../../content/visible-text.tsx";
import { useRead } from "../../hub/use-hub.ts";
import { Link } from "../../parts/link.tsx";
import { Moment } from "../../parts/moment.tsx";
import { Status } from "../../parts/status.tsx";
import { hrefOf } from "../../route.ts";
import { sessionName } from "../../words/session-name.ts";

const MAX_SHOWN = 6;

/** Failed sessions and alerts of the hub, newest first. */
export function RecentTrouble(): ReactNode {
  const failed = useRead<Listed<SessionView>>(`/api/sessions?status=failed,timeout&limit=${MAX_SHOWN}`, {
    changes: (news) => news.entries.length > 0,
    everyMs: 3000,
  });
  const alerts = useRead<Listed<Alert>>(`/api/alerts?limit=${MAX_SHOWN}`, { changes: (news) => news.alerts.length > 0 });
  const items = [
    ...(failed.answer?.items ?? []).map((session) => ({
      key: `session ${session.key}`,
      at: session.lastEventAt,
      row: (
        <>
          <Status status={session.status} />{" "}
          <Link href={hrefOf("session", session.key)}>
            <VisibleText text={sessionName(session)} />
          </Link>{" "}
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
          <span className={`status ${alert.severity === "critical" ? "bad" : "warn"}`}>{alertName(alert.type, earPhrases("en"))}</span>{" "}
          <Link href={hrefOf("session", alert.session, { at: alert.position })}>
            <VisibleText text={alert.message} />
          </Link>
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
        <Link href={hrefOf("alerts")}>All alerts</Link>
      </div>
      {items.length === 0 ? (
        <p className="soft">Nothing failed.</p>
      ) : (
        <ul className="plain-list event-list">
          {items.map(({ key, at, row }) => (
            <li key={key}>
              <span>{row}</span>
              <Moment at={at} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
