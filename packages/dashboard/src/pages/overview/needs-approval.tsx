import type { RequestList, RequestView } from "@earshot/hub";
import { questionsIn } from "@earshot/hub/questions";
import { type ReactNode, useRef, useState } from "react";
import { WholeWords } from "../../content/whole-words.tsx";
import { type HubRead, useMayDecide } from "../../hub/use-hub.ts";
import { Countdown } from "../../parts/countdown.tsx";
import { HeldBack } from "../../parts/held-back.tsx";
import { PageLink } from "../../parts/link.tsx";
import { useSteadyList } from "../../parts/use-steady-list.ts";
import { hrefOf } from "../../route.ts";
import { describeForPage, headingIn } from "../../words/request-words.ts";
import { answerRequest } from "../inbox/decide.ts";
import { ObjectButton } from "../inbox/object-button.tsx";
import { byRisk } from "../inbox/same-request.ts";
import { useCardControls } from "../inbox/use-card-controls.ts";

const MAX_SHOWN = 5;

/** Pending requests, riskiest first. Harmless ones are decided here; risky ones link to their details. */
export function NeedsApproval({ open }: { readonly open: HubRead<RequestList> }): ReactNode {
  const region = useRef<HTMLElement>(null);
  const waiting = (open.answer?.requests ?? []).filter(({ waits }) => waits).sort(byRisk);
  const steady = useSteadyList(region, waiting, ({ id }) => id);
  const count = open.answer?.open ?? 0;
  if (open.answer === undefined) return null;
  return (
    <section ref={region} aria-labelledby="approval-title" className={count > 0 ? "panel approval urgent" : "panel approval"}>
      <h2 id="approval-title">{count === 0 ? "Nothing needs your approval" : `Needs your approval: ${count}`}</h2>
      {steady.shown.length === 0 ? null : (
        <ul className="plain-list">
          {steady.shown.slice(0, MAX_SHOWN).map((request) => (
            <ApprovalRow key={request.id} request={request} onDecided={open.again} />
          ))}
        </ul>
      )}
      {count > MAX_SHOWN ? <PageLink href={hrefOf("inbox")}>{`All ${count} in the inbox`}</PageLink> : null}
      <HeldBack list={steady} what="new request" />
    </section>
  );
}

function ApprovalRow({ request, onDecided }: { readonly request: RequestView; readonly onDecided: () => void }): ReactNode {
  const place = useRef<HTMLLIElement>(null);
  const [view, setView] = useState<RequestView>();
  const mayDecide = useMayDecide();
  const shown = view ?? request;
  const { asked } = shown.card;
  const desk = useCardControls({
    card: place,
    content: `${shown.digest} ${shown.waits} ${shown.state}`,
    shown: [shown],
    onView: setView,
    onDecided,
  });
  const { what, risky, yes, no } = describeForPage(shown);
  const isQuestion = questionsIn(asked).length > 0;
  const isOpen = shown.state === "open" && shown.waits;
  const answer = (word: typeof yes | typeof no) => {
    if (word !== undefined) desk.decide(async () => ({ views: [await answerRequest(shown, { answer: word })] }));
  };
  return (
    <li ref={place} className={risky === undefined ? "approval-row" : "approval-row risky"} data-arming={!desk.isArmed}>
      <div className="approval-what">
        <PageLink href={hrefOf("inbox", { request: shown.id })}>
          <WholeWords text={headingIn(asked).heading} />
        </PageLink>
        <p className="facts">
          {risky === undefined ? null : <span className="bad">{risky}</span>}
          {isOpen ? (
            shown.deadlineAt === null ? null : (
              <Countdown until={shown.deadlineAt} />
            )
          ) : (
            <span>{shown.state === "open" ? "The agent no longer waits." : "Answered"}</span>
          )}
        </p>
        {desk.note === undefined ? null : <p className="action-note">{desk.note}</p>}
      </div>
      {!mayDecide || !isOpen ? null : (
        <div className="action-row">
          {no === undefined || isQuestion ? null : (
            <ObjectButton label="Deny" what={what} kind="small" isBusy={desk.isBusy} onPress={() => answer(no)} />
          )}
          {yes === undefined || isQuestion || risky !== undefined ? (
            <PageLink
              className="button small"
              href={hrefOf("inbox", { request: shown.id })}
              aria-label={`${isQuestion ? "Answer" : "Review"}: ${what}`}
            >
              {isQuestion ? "Answer" : "Review"}
            </PageLink>
          ) : (
            <ObjectButton label="Allow once" what={what} kind="primary" isBusy={desk.isBusy} onPress={() => answer(yes)} />
          )}
        </div>
      )}
    </li>
  );
}
