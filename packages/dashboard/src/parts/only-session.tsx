import type { SessionView } from "@earshot/hub";
import type { ReactNode } from "react";
import { VisibleText } from "../content/visible-text.tsx";
import { useHubRead } from "../hub/use-hub.ts";
import { hrefOf } from "../route.ts";
import { sessionNameOf } from "../words/session-name.ts";
import { PageLink } from "./link.tsx";

export interface OnlySessionProps {
  /** Key of the session. */
  readonly session: string;
  /** Address of the unfiltered list. */
  readonly all: string;
}

/** Says that a list is limited to one session, and links to the unfiltered list. */
export function OnlySession({ session, all }: OnlySessionProps): ReactNode {
  const { answer } = useHubRead<SessionView>(`/api/sessions/${encodeURIComponent(session)}`);
  return (
    <p className="only">
      <span>
        Of one session only:{" "}
        <PageLink href={hrefOf("session", session)}>
          <VisibleText text={answer === undefined ? `number ${session}` : sessionNameOf(answer)} />
        </PageLink>
      </span>
      <PageLink href={all}>Show all sessions</PageLink>
    </p>
  );
}
