import type { Alert, StoryItem } from "@earshot/hub";
import type { ReactNode } from "react";
import { Link } from "../../parts/link.tsx";
import { hrefOf } from "../../route.ts";
import { Icon } from "./icon.tsx";

export interface NotesProps {
  readonly item: StoryItem;
  readonly session: number;
  /** Also what is for information only. */
  readonly all: boolean;
}

/** What was noticed about an item: alerts, and rules of its protocol that it breaks. */
export function Notes({ item, session, all }: NotesProps): ReactNode {
  const flags = item.flags.filter(({ severity }) => all || severity !== "info");
  if (flags.length === 0 && item.alerts.length === 0) return null;
  return (
    <ul className="notes">
      {item.alerts.map((alert) => (
        <li key={alert.number} className={`note ${toneOf(alert)}`}>
          <Icon name="alert" />
          <p>
            <strong>{alert.severity === "critical" ? "Critical alert: " : "Alert: "}</strong>
            {alert.message}
          </p>
        </li>
      ))}
      {flags.map((flag, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: findings on one entry have no other name, and do not move
        <li key={index} className={`note ${flag.severity === "error" ? "bad" : flag.severity === "warning" ? "warn" : "plain"}`}>
          <Icon name="flag" />
          <p>
            <strong>{flag.severity === "info" ? "Note: " : "Rule broken: "}</strong>
            {flag.message} {flag.rule === undefined ? null : <Link href={hrefOf("check", { session, rule: flag.rule })}>{flag.rule}</Link>}
          </p>
        </li>
      ))}
    </ul>
  );
}

function toneOf({ severity }: Alert): string {
  return severity === "critical" ? "bad" : "warn";
}
