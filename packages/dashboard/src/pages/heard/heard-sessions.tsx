import { sourceWords } from "@earshot/announcer";
import type { ReactNode } from "react";
import { useListening } from "../../announce/use-listening.ts";
import { Link } from "../../parts/link.tsx";
import { hrefOf } from "../../route.ts";

/** A digest may tell about many: the others are found on the page of what is going on now. */
const MOST = 3;
const LONGEST = 60;

export interface HeardSessionsProps {
  readonly sessions: readonly string[];
  /** What was announced: a list of links says which is which. */
  readonly words: string;
}

/** Leads to where it happened. Several are told apart by who is in them, as long as that is known. */
export function HeardSessions({ sessions, words }: HeardSessionsProps): ReactNode {
  const sources = useListening()?.sources;
  const [only, ...others] = sessions.slice(0, MOST);
  if (only === undefined) return null;
  if (others.length === 0) {
    return (
      <span className="heard-sessions">
        <Link href={hrefOf("session", "id", only)} aria-label={`Session: ${shortened(words)}`}>
          Session
        </Link>
      </span>
    );
  }
  return (
    <span className="heard-sessions">
      {[only, ...others].map((session, index) => {
        const source = sources?.find(session);
        const name = source === undefined ? `Session ${index + 1}` : sourceWords(source);
        return (
          <Link key={session} href={hrefOf("session", "id", session)} aria-label={`${name}: ${shortened(words)}`}>
            {name}
          </Link>
        );
      })}
      {sessions.length > MOST ? <Link href={hrefOf("now")}>{`${sessions.length - MOST} more`}</Link> : null}
    </span>
  );
}

function shortened(words: string): string {
  return words.length > LONGEST ? `${words.slice(0, LONGEST)} …` : words;
}
