import type { Inspection, RequestView } from "@earshot/hub";
import { describeDecision, protocolName, type RequestDescription } from "@earshot/narrate";
import { type ReactNode, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { WholeWords } from "../../content/whole-words.tsx";
import { PageLink } from "../../parts/link.tsx";
import { ShortTime } from "../../parts/moment.tsx";
import { hrefOf } from "../../route.ts";
import { describeForPage, headingIn, pagePresentation, shortenVisibly } from "../../words/request-words.ts";
import { CardActions } from "./card-actions.tsx";
import { CardBody } from "./card-body.tsx";
import { RequestOutcome } from "./outcome.tsx";
import type { Panel } from "./panel-box.tsx";
import { IsWhole, MAX_UNCUT_CHARACTERS } from "./shown-text.tsx";
import { useCardControls } from "./use-card-controls.ts";

export interface RequestCardProps {
  /** One request, or several equal ones represented by the first. */
  readonly views: readonly [RequestView, ...RequestView[]];
  readonly mayDecide: boolean;
  readonly onView: (view: RequestView) => void;
  readonly onDecided: () => void;
  readonly onApart: () => void;
}

/** The unauthenticated source, which any local process can use. */
const NOBODY = "local";

/** A request: agent and action, reversibility, the effect of a timeout, the content, and the possible answers. */
export function RequestCard({ views, mayDecide, onView, onDecided, onApart }: RequestCardProps): ReactNode {
  const [view] = views;
  const { card, inspection } = view;
  const { asked } = card;
  const id = useId();
  const place = useRef<HTMLElement>(null);
  const [panel, setPanel] = useState<Panel>();
  const [wholeDigest, setWholeDigest] = useState<string>();
  const isLong = useMemo(() => JSON.stringify(asked).length > MAX_UNCUT_CHARACTERS, [asked]);
  const isWhole = !isLong || wholeDigest === view.digest;
  const [first, ...others] = views.filter(({ state, waits }) => state === "open" && waits);
  const isOver = views.every(({ state }) => state !== "open");
  const content = [isOver, ...views.map(({ digest, waits }) => `${digest} ${waits}`)].join(" ");
  const desk = useCardControls({ card: place, content, shown: views, onView, onDecided });
  const description = describeForPage(view);
  const { what, reversal } = description;
  const hasButtons = mayDecide && first !== undefined;

  // Removing the buttons would lose the focus and shrink the card: both are kept in place.
  const hadFocus = place.current?.querySelector(".card-actions")?.contains(document.activeElement) === true;
  const [roomPx, setRoomPx] = useState<number>();
  const height = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the moment at which they go
  useLayoutEffect(() => {
    if (hasButtons) return;
    if (height.current > 0) setRoomPx(height.current);
    if (hadFocus) place.current?.querySelector<HTMLElement>(".card-decision")?.focus({ preventScroll: true });
  }, [hasButtons]);
  useLayoutEffect(() => {
    if (hasButtons) height.current = place.current?.offsetHeight ?? 0;
  });

  return (
    <IsWhole value={isWhole}>
      <article
        ref={place}
        aria-labelledby={`${id}-title`}
        className={`request-card ${isOver ? "over" : toneOf(inspection, description)}`}
        style={hasButtons || roomPx === undefined ? undefined : { minBlockSize: roomPx }}
      >
        <div className="card-head">
          <h2 id={`${id}-title`}>
            <WholeWords text={description.heading} />
          </h2>
          <p className="facts">
            {inspection.risk === "unknown" ? null : <Risk risk={inspection.risk} />}
            <span>
              asked <ShortTime at={view.openedAt} />{" "}
              {card.terms.because === "the agent asks" ? "by the agent itself" : `because of ${shortenVisibly(card.terms.because, 80)}`}
            </span>
            <PageLink href={hrefOf("session", view.sessionKey, { at: view.position })} aria-label={`In its session: ${what}`}>
              In its session
            </PageLink>
            <span>
              {protocolName(asked.protocol)}, from {shortenVisibly(view.source, 60)}
            </span>
          </p>
        </div>
        {view.source === NOBODY ? (
          <p className="warn">The source is not verified: any program on this machine could have sent this.</p>
        ) : null}
        {reversal === undefined ? null : (
          <p className={`way-back ${reversal.tone}`}>
            <strong>{reversal.sentence}</strong> {description.dangers.map((danger) => `${danger} `)}
          </p>
        )}
        {inspection.hidden.length === 0 ? null : (
          <p className="way-back bad">
            <strong>This contains hidden characters.</strong> {inspection.hidden.join(" ")}
          </p>
        )}
        {isOver && roomPx === undefined ? null : (
          <p className={isOver ? "card-silence past" : "card-silence"}>{description.silence.join(" ")}</p>
        )}
        {views.length > 1 ? <Same views={views} /> : null}
        <CardBody view={view} />
        {isLong ? (
          <p className="note">
            {isWhole
              ? ""
              : hasButtons
                ? "The request is not shown completely, so it cannot be allowed here. "
                : "The request is not shown completely. "}
            <button
              type="button"
              className="button small"
              aria-expanded={isWhole}
              onClick={() => setWholeDigest(isWhole ? undefined : view.digest)}
            >
              {isWhole ? "Show less" : "Show all of it"}
            </button>
          </p>
        ) : null}
        {hasButtons && first !== undefined ? (
          <CardActions {...{ what, controls: desk, panel, onApart }} views={[first, ...others]} onPanel={setPanel} />
        ) : null}
        {isOver && views.length === 1 ? (
          <>
            {desk.note === undefined ? null : <p className="action-note">{desk.note}</p>}
            <RequestOutcome view={view} mayDecide={mayDecide} onView={onView} />
          </>
        ) : null}
        {isOver && views.length > 1 ? (
          <p tabIndex={-1} className="card-decision">
            All of these requests have ended; see the list for the outcomes.
          </p>
        ) : null}
        {isOver || hasButtons ? null : <Why view={view} mayDecide={mayDecide} />}
      </article>
    </IsWhole>
  );
}

function toneOf(inspection: Inspection, { risky }: RequestDescription): string {
  if (risky !== undefined) return "tone-bad";
  return inspection.risk === "medium" || inspection.dangers.length > 0 ? "tone-warn" : "tone-calm";
}

/** Explains why there are no buttons. */
function Why({ view, mayDecide }: { readonly view: RequestView; readonly mayDecide: boolean }): ReactNode {
  if (!view.waits)
    return (
      <p
        tabIndex={-1}
        className="card-decision"
      >{`${view.closedBecause ?? "The agent no longer waits for an answer."} It cannot be answered now.`}</p>
    );
  if (mayDecide) return null;
  return (
    <p tabIndex={-1} className="card-decision">
      This browser is a viewer and cannot decide requests. Use a browser that is paired as approver, or ask an approver to change what this
      browser may do.
    </p>
  );
}

function Risk({ risk }: { readonly risk: "low" | "medium" | "high" }): ReactNode {
  const tone = risk === "high" ? "bad" : risk === "medium" ? "warn" : "calm";
  return <span className={`status ${tone}`}>{risk === "high" ? "High" : risk === "medium" ? "Medium" : "Low"} risk</span>;
}

function Same({ views }: { readonly views: readonly RequestView[] }): ReactNode {
  const id = useId();
  return (
    <div className="card-part">
      <h3 id={id}>{`${views.length} requests that are the same`}</h3>
      <ul className="card-same" aria-labelledby={id}>
        {views.map((view) => (
          <li key={view.id}>
            {headingIn(view.card.asked).who}, asked <ShortTime at={view.openedAt} />,{" "}
            <PageLink href={hrefOf("session", view.sessionKey, { at: view.position })}>session {shortenVisibly(view.session, 40)}</PageLink>
            {view.decision !== null
              ? `: ${describeDecision(view.decision, view.card, pagePresentation())}`
              : view.waits
                ? ""
                : ": the agent no longer waits for it"}
          </li>
        ))}
      </ul>
    </div>
  );
}
