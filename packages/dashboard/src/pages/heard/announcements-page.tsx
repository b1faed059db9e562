import { sourceWords } from "@earshot/announcer";
import { type ReactNode, useRef } from "react";
import type { PastAnnouncement } from "../../announce/announcement-log.ts";
import { AnnouncementText } from "../../announce/announcement-text.tsx";
import { AnnouncerControls } from "../../announce/announcer-controls.tsx";
import { useAnnouncer, usePastAnnouncements } from "../../announce/use-announcer.ts";
import { HeldBack } from "../../parts/held-back.tsx";
import { PageLink } from "../../parts/link.tsx";
import { ShortTime } from "../../parts/moment.tsx";
import { POINTER_IDLE_MS, useSteadyList } from "../../parts/use-steady-list.ts";
import { hrefOf } from "../../route.ts";

/** The announcement log. The list is not live: new announcements are made elsewhere. */
// biome-ignore lint/style/noDefaultExport: pages are loaded when they are opened, and React asks for a default export
export default function AnnouncementsPage(): ReactNode {
  const region = useRef<HTMLElement>(null);
  const steady = useSteadyList(region, usePastAnnouncements().toReversed(), ({ id }) => id, { restsMs: POINTER_IDLE_MS });
  const { shown } = steady;
  return (
    <>
      <h1>Announcements</h1>
      <p className="soft">
        The last 100 announcements, newest first. All tabs of this browser share this list; it is cleared when they are closed.
      </p>
      <section aria-labelledby="hear-now-title">
        <h2 id="hear-now-title">What to hear</h2>
        <AnnouncerControls />
      </section>
      <section ref={region} aria-labelledby="announced-title">
        <h2 id="announced-title">Announced</h2>
        {shown.length === 0 ? <p>No announcements yet.</p> : null}
        <ol className="heard">
          {shown.map((heard) => (
            <HeardRow key={heard.id} heard={heard} />
          ))}
        </ol>
        <HeldBack list={steady} what="new announcement" />
      </section>
    </>
  );
}

function HeardRow({ heard: { at, urgency, about, segments, sessions } }: { readonly heard: PastAnnouncement }): ReactNode {
  return (
    <li className={urgency === "critical" ? (about === "request" ? "edge-warn" : "edge-bad") : undefined}>
      <ShortTime at={at} />
      <span>
        <AnnouncementText segments={segments} />
      </span>
      <HeardSessions sessions={sessions} words={segments.map(({ text }) => text).join(" ")} />
    </li>
  );
}

/** A digest may cover many sessions: the remaining ones are on the overview page. */
const MAX_SESSION_NAMES = 3;
const MAX_NAME_CHARACTERS = 60;

interface HeardSessionsProps {
  readonly sessions: readonly string[];
  /** Text of the announcement, which makes each link name in a list distinct. */
  readonly words: string;
}

/** Links to the sessions of the announcement. Several sessions are distinguished by their names if those are known. */
function HeardSessions({ sessions, words }: HeardSessionsProps): ReactNode {
  const sources = useAnnouncer()?.sources;
  const [only, ...others] = sessions.slice(0, MAX_SESSION_NAMES);
  if (only === undefined) return null;
  if (others.length === 0) {
    return (
      <span className="heard-sessions">
        <PageLink href={hrefOf("session", "id", only)} aria-label={`Session: ${shortened(words)}`}>
          Session
        </PageLink>
      </span>
    );
  }
  return (
    <span className="heard-sessions">
      {[only, ...others].map((session, index) => {
        const source = sources?.find(session);
        const name = source === undefined ? `Session ${index + 1}` : sourceWords(source);
        return (
          <PageLink key={session} href={hrefOf("session", "id", session)} aria-label={`${name}: ${shortened(words)}`}>
            {name}
          </PageLink>
        );
      })}
      {sessions.length > MAX_SESSION_NAMES ? (
        <PageLink href={hrefOf("overview")}>{`${sessions.length - MAX_SESSION_NAMES} more`}</PageLink>
      ) : null}
    </span>
  );
}

function shortened(words: string): string {
  return words.length > MAX_NAME_CHARACTERS ? `${words.slice(0, MAX_NAME_CHARACTERS)} …` : words;
}
