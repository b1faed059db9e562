import type { RequestView } from "@earshot/hub";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { HubProblem } from "../../hub/ask.ts";
import { useLiveState, useMayDecide } from "../../hub/use-hub.ts";
import { focusHeading } from "../../parts/focus-heading.ts";
import { Link } from "../../parts/link.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { hrefOf, refine, usePlace } from "../../route.ts";
import { useShortcuts } from "../../shortcuts/use-shortcuts.ts";
import { arrangeCards, type Place } from "./arrange-cards.ts";
import { readRequest } from "./decide.ts";
import { RecentDecisions } from "./recent-decisions.tsx";
import { RequestCard } from "./request-card.tsx";
import { kindOfRequest } from "./same-request.ts";
import { Standing } from "./standing.tsx";
import { useRequests } from "./use-requests.ts";

/** All pending requests in the order in which they were made, followed by recent decisions. */
// biome-ignore lint/style/noDefaultExport: pages are loaded when they are opened, and React asks for a default export
export default function InboxPage(): ReactNode {
  const region = useRef<HTMLDivElement>(null);
  const wanted = usePlace().query.get("request") ?? undefined;
  const mayDecide = useMayDecide();
  const requests = useRequests();
  const [, setTurn] = useState(0);
  const [apart, setApart] = useState<ReadonlySet<string>>(new Set());
  const held = useHeld(region);
  const shown = useRef<readonly Place[]>([]);

  // A linked request that has ended is shown first: it was made before all pending ones.
  const linked = wanted === undefined ? undefined : requests.find(wanted);
  const items = linked === undefined || linked.state === "open" ? requests.open : [linked, ...requests.open];
  const cards = arrangeCards(shown.current, items, {
    idOf: ({ id }) => id,
    kindOf: (view) => {
      const kind = kindOfRequest(view);
      return kind === undefined || apart.has(kind) ? undefined : kind;
    },
    held: heldAt(shown.current, held),
  });
  shown.current = cards;
  const ids = cards.flatMap((card) => card.ids);
  const onScreen = new Set(ids);
  // Requests whose cards would move the element under the pointer or the focus.
  const [firstHidden, ...others] = requests.open.filter(({ id }) => !onScreen.has(id));
  const hidden = others.length + (firstHidden === undefined ? 0 : 1);

  // biome-ignore lint/correctness/useExhaustiveDependencies: these are the ones to be watched
  useEffect(() => requests.watch(ids), [ids.join(" ")]);
  const isMissing = useLinked(region, {
    wanted,
    wasRead: requests.wasRead,
    key: cards.find((card) => wanted !== undefined && card.ids.includes(wanted))?.key,
    onView: requests.note,
  });

  /** Moves to the next pending card; after the last, to the first that remains; if none is pending, to the start of the page. */
  const goOn = (from: Place) => {
    const at = cards.indexOf(from);
    const waits = (card: Place) => card !== from && card.ids.some((id) => requests.find(id)?.state === "open");
    const next = cards.slice(at + 1).find(waits) ?? cards.find(waits);
    if (wanted !== undefined) refine({ request: undefined });
    // If the user has moved the focus elsewhere in the meantime, it stays there.
    const focused = document.activeElement?.closest<HTMLElement>("[data-card]")?.dataset["card"];
    if (focused !== from.key && document.activeElement !== document.body) return;
    // With the pointer on the page, the next card is visible; the page must not scroll away under the pointer.
    focusTitle(region.current, next?.key, { preventScroll: held.pointer !== undefined });
  };

  const step = (by: 1 | -1) => {
    const at = cards.findIndex(({ key }) => key === held.focus);
    const next = at < 0 ? (by > 0 ? 0 : cards.length - 1) : at + by;
    const card = cards[next];
    if (card !== undefined) focusTitle(region.current, card.key);
  };
  useShortcuts([
    { id: "inbox.next", group: "Inbox", keys: "j", does: "To the next request", run: () => step(1) },
    { id: "inbox.previous", group: "Inbox", keys: "k", does: "To the request before", run: () => step(-1) },
  ]);

  /** The user asked for separate cards: they may move. */
  const takeApart = (card: Place, first: RequestView) => {
    const kind = kindOfRequest(first);
    shown.current = cards.flatMap((one) => (one === card ? one.ids.map((id) => ({ key: id, ids: [id] })) : [one]));
    flushSync(() => setApart((before) => new Set(before).add(kind ?? "")));
    focusTitle(region.current, card.key);
  };

  const showHidden = (id: string) => {
    shown.current = [...cards, { key: id, ids: [id] }];
    flushSync(() => setTurn((turn) => turn + 1));
    focusTitle(region.current, id);
  };

  return (
    <div ref={region} className="inbox">
      <div className="inbox-waiting">
        <h1>Inbox</h1>
        <ProblemNote problem={requests.problem} />
        {isMissing ? <p className="warn">Request not found. Check the ID in the address.</p> : null}
        <Summary count={requests.count} wasRead={requests.wasRead} isEmpty={cards.length === 0} />
        {cards.length === 0 ? null : (
          <ol className="cards">
            {cards.map((card) => {
              const [first, ...others] = card.ids.flatMap((id) => requests.find(id) ?? []);
              if (first === undefined) return null;
              return (
                <li key={card.key}>
                  <RequestCard
                    name={card.key}
                    views={[first, ...others]}
                    mayDecide={mayDecide}
                    onView={requests.note}
                    onDecided={() => goOn(card)}
                    onApart={() => takeApart(card, first)}
                  />
                </li>
              );
            })}
          </ol>
        )}
      </div>
      <div data-after="" className="inbox-beside">
        <RecentDecisions mayDecide={mayDecide} elsewhere={onScreen} />
        <Standing mayDecide={mayDecide} />
      </div>
      {firstHidden === undefined ? null : (
        <p data-after="" className="inbox-come">
          {hidden === 1 ? "One more request waits for you. " : `${hidden} more requests wait for you. `}
          <button type="button" className="button" onClick={() => showHidden(firstHidden.id)}>
            {hidden === 1 ? "Show it" : "Show them"}
          </button>
        </p>
      )}
    </div>
  );
}

/** Returns the index of the last card that must not move. */
function heldAt(cards: readonly Place[], { pointer, focus }: Held): number {
  if (pointer === AFTER || focus === AFTER) return Number.POSITIVE_INFINITY;
  return Math.max(...[pointer, focus].map((key) => (key === undefined ? -1 : cards.findIndex((card) => card.key === key))));
}

interface SummaryProps {
  readonly count: number;
  readonly wasRead: boolean;
  readonly isEmpty: boolean;
}

function Summary({ count, wasRead, isEmpty }: SummaryProps): ReactNode {
  const live = useLiveState();
  if (live === "away") return <p className="soft">The hub is not connected, so pending requests cannot be shown.</p>;
  if (!wasRead) return <p className="soft">Loading.</p>;
  if (count > 0)
    return (
      <p className="soft">
        {count === 1 ? "One request waits for you." : `${count} requests wait for you, in the order in which they were asked.`}
      </p>
    );
  if (!isEmpty) return <p className="soft">No more pending requests.</p>;
  return (
    <section className="panel" aria-labelledby="empty-title">
      <h2 id="empty-title">No pending requests</h2>
      <p>
        Requests for approval and questions from agents appear here until they are answered. Which actions need approval is set in{" "}
        <Link href={hrefOf("policy")}>your rules</Link>; which agents send requests depends on the{" "}
        <Link href={hrefOf("agents")}>connected agents</Link>.
      </p>
    </section>
  );
}

interface Linked {
  /** Id of the request in the address. */
  readonly wanted: string | undefined;
  readonly wasRead: boolean;
  /** Key of the card that contains the request. */
  readonly key: string | undefined;
  readonly onView: (view: RequestView) => void;
}

/** Focuses the card of the request in the address, once, even if the request has ended. Returns whether no such request exists. */
function useLinked(region: RefObject<HTMLElement | null>, { wanted, wasRead, key, onView }: Linked): boolean {
  const found = useRef<string>(undefined);
  const [missing, setMissing] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that is wanted
  useEffect(() => {
    if (wanted === undefined || !wasRead || found.current === wanted) return;
    if (key === undefined) {
      readRequest(wanted).then(onView, (error: unknown) => {
        if (error instanceof HubProblem && error.status === 404) setMissing(wanted);
      });
      return;
    }
    found.current = wanted;
    focusTitle(region.current, key, { preventScroll: true });
    document.activeElement?.scrollIntoView({ block: "start" });
  }, [wanted, wasRead, key]);
  return wanted !== undefined && missing === wanted;
}

/** Moves the focus to the heading of a card; without a card, to the page heading. */
function focusTitle(region: HTMLElement | null, card: string | undefined, options?: FocusOptions): void {
  const title = card === undefined ? "h1" : `[data-title="${CSS.escape(card)}"]`;
  focusHeading(region?.querySelector<HTMLElement>(title) ?? null, options);
}

/** The cards that contain the pointer and the focus: a key, or `AFTER` for the content after the cards. */
interface Held {
  readonly pointer: string | undefined;
  readonly focus: string | undefined;
}

const AFTER = "after";
const NOWHERE: Held = { pointer: undefined, focus: undefined };

/** Cards are marked by `data-card`, the content after them by `data-after`. */
function useHeld(region: RefObject<HTMLElement | null>): Held {
  const [held, setHeld] = useState(NOWHERE);

  useEffect(() => {
    const element = region.current;
    if (element === null) return;
    const become = (what: keyof Held, target: EventTarget | null) => {
      const place = placeOf(element, target);
      setHeld((before) => (before[what] === place ? before : { ...before, [what]: place }));
    };
    const over = ({ target }: PointerEvent) => become("pointer", target);
    const leave = () => become("pointer", null);
    const focus = ({ target }: FocusEvent) => become("focus", target);
    const blur = () => setTimeout(() => become("focus", document.activeElement), 0); // the focus is nowhere while it moves
    element.addEventListener("pointerover", over);
    element.addEventListener("pointerleave", leave);
    element.addEventListener("focusin", focus);
    element.addEventListener("focusout", blur);
    return () => {
      element.removeEventListener("pointerover", over);
      element.removeEventListener("pointerleave", leave);
      element.removeEventListener("focusin", focus);
      element.removeEventListener("focusout", blur);
    };
  }, [region]);

  return held;
}

/** Media query for the layout with the following content beside the cards, matching the style sheet. */
const BESIDE = "(min-width: 64rem)";

/** Returns undefined outside the region, and where adding or removing cards moves nothing: before the cards and beside them. */
function placeOf(region: HTMLElement, target: EventTarget | null): string | undefined {
  if (!(target instanceof Element) || !region.contains(target)) return undefined;
  if (target.closest("[data-after]") !== null) return matchMedia(BESIDE).matches ? undefined : AFTER;
  const card = target.closest("[data-card]");
  return card instanceof HTMLElement ? card.dataset["card"] : undefined;
}
