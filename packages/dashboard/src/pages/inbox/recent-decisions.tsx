import type { RequestList, RequestView } from "@earshot/hub";
import { type ReactNode, useRef } from "react";
import { useHubRead } from "../../hub/use-hub.ts";
import { HeldBack } from "../../parts/held-back.tsx";
import { PageLink } from "../../parts/link.tsx";
import { POINTER_IDLE_MS, useSteadyList } from "../../parts/use-steady-list.ts";
import { hrefOf } from "../../route.ts";
import { headingIn } from "../../words/request-words.ts";
import { RequestOutcome } from "./outcome.tsx";

export interface RecentDecisionsProps {
  readonly mayDecide: boolean;
  /** Requests already shown as cards. */
  readonly elsewhere: ReadonlySet<string>;
}

const LATEST = `/api/requests?before=${Number.MAX_SAFE_INTEGER}&limit=60`;
const SHOWN = 10;

/** The latest decisions, newest first, with undo where possible. */
export function RecentDecisions({ mayDecide, elsewhere }: RecentDecisionsProps): ReactNode {
  const region = useRef<HTMLElement>(null);
  const { answer, again } = useHubRead<RequestList>(LATEST, { changes: (news) => news.requests.length > 0, everyMs: 1000 });
  const ended = (answer?.requests ?? []).filter(({ id, state }) => state !== "open" && !elsewhere.has(id)).slice(0, SHOWN);
  const steady = useSteadyList(region, ended, ({ id }) => id, { restsMs: POINTER_IDLE_MS });
  const { shown } = steady;
  return (
    <section ref={region} aria-labelledby="recent-decisions-title" className="inbox-recent">
      <h2 id="recent-decisions-title">Recent decisions</h2>
      {shown.length === 0 ? (
        <p className="soft">{answer === undefined ? "Loading." : "No decisions yet."}</p>
      ) : (
        <ul className="rows">
          {shown.map((view) => (
            <Row key={view.id} view={view} mayDecide={mayDecide} onView={again} />
          ))}
        </ul>
      )}
      <HeldBack list={steady} what="new decision" />
    </section>
  );
}

interface RowProps {
  readonly view: RequestView;
  readonly mayDecide: boolean;
  readonly onView: () => void;
}

function Row({ view, mayDecide, onView }: RowProps): ReactNode {
  return (
    <li className="row">
      <h3>
        <PageLink href={hrefOf("session", view.sessionKey, { at: view.position })}>{headingIn(view.card.asked).heading}</PageLink>
      </h3>
      <RequestOutcome view={view} mayDecide={mayDecide} onView={onView} />
    </li>
  );
}
