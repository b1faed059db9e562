import type { RequestView } from "@earshot/hub";
import { assessRequest } from "@earshot/narrate";
import type { ReactNode } from "react";
import { WholeWords } from "../../content/whole-words.tsx";
import { Countdown } from "../../parts/countdown.tsx";
import { PageLink } from "../../parts/link.tsx";
import { hrefOf } from "../../route.ts";
import { headingIn } from "../../words/request-words.ts";
import type { CardPlace } from "./arrange-cards.ts";

export interface QueueProps {
  readonly cards: readonly CardPlace[];
  readonly find: (id: string) => RequestView | undefined;
  /** The card that is open beside the queue. */
  readonly open: CardPlace | undefined;
}

/** One line per card, riskiest first. A line opens its card. */
export function Queue({ cards, find, open }: QueueProps): ReactNode {
  return (
    <nav aria-label="Requests" className="queue">
      <ol>
        {cards.map((card) => {
          const views = card.ids.flatMap((id) => find(id) ?? []);
          const [first] = views;
          if (first === undefined) return null;
          return (
            <li key={card.key} className="queue-item" data-row={card.key}>
              <QueueRow first={first} views={views} isOpen={card === open} />
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

interface QueueRowProps {
  readonly first: RequestView;
  readonly views: readonly RequestView[];
  readonly isOpen: boolean;
}

function QueueRow({ first, views, isOpen }: QueueRowProps): ReactNode {
  const { who, what } = headingIn(first.card.asked);
  const isOver = views.every(({ state }) => state !== "open");
  const { risk } = first.inspection;
  const isRisky = assessRequest(first).risky !== undefined;
  return (
    <PageLink
      href={hrefOf("inbox", { request: first.id })}
      className={isOver ? "queue-row over" : isRisky ? "queue-row tone-bad" : `queue-row tone-${risk === "medium" ? "warn" : "calm"}`}
      aria-current={isOpen ? "true" : undefined}
    >
      <span className="queue-what">
        <span className="queue-words">
          <WholeWords text={what} />
        </span>
        {views.length > 1 ? <span className="queue-count">{`× ${views.length}`}</span> : null}
      </span>
      <span className="queue-facts">
        <span className="queue-who">{who}</span>
        {isOver ? (
          <span>Decided</span>
        ) : !first.waits ? (
          <span>No longer waits</span>
        ) : (
          <>
            {isRisky ? <span className="bad">{risk === "high" ? "High risk" : "Review"}</span> : null}
            {first.deadlineAt === null ? null : <Countdown until={first.deadlineAt} />}
          </>
        )}
      </span>
    </PageLink>
  );
}
