import type { StoryItem } from "@earshot/hub";
import { describeNotices } from "@earshot/narrate";
import type { ReactNode } from "react";
import { Link } from "../../parts/link.tsx";
import { hrefOf } from "../../route.ts";
import { PAGE_VOICE } from "../../words/page-voice.ts";
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
  const notices = describeNotices({ alerts: item.alerts, flags }, PAGE_VOICE);
  if (notices.length === 0) return null;
  return (
    <ul className="notes">
      {notices.map(({ label, text, tone, rule }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: notices about one entry have no other name, and do not move
        <li key={index} className={`note ${tone}`}>
          <Icon name={rule === undefined ? "alert" : "flag"} />
          <p>
            <strong>{`${label}: `}</strong>
            {text} {rule === undefined ? null : <Link href={hrefOf("check", { session, rule })}>{rule}</Link>}
          </p>
        </li>
      ))}
    </ul>
  );
}
