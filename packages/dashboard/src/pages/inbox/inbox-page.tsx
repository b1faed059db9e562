import type { RequestView } from "@earshot/hub";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { HubProblem } from "../../hub/request-as-device.ts";
import { useLiveState, useMayDecide } from "../../hub/use-hub.ts";
import { focusHeading } from "../../parts/focus-heading.ts";
import { PageLink } from "../../parts/link.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { hrefOf, refineQuery, usePageLocation } from "../../route.ts";
import { useShortcuts } from "../../shortcuts/use-shortcuts.ts";
import { arrangeCards, type CardPlace } from "./arrange-cards.ts";
import { readRequest } from "./decide.ts";
import { OverridesNotice } from "./overrides-notice.tsx";
import { Queue } from "./queue.tsx";
import { RecentDecisions } from "./recent-decisions.tsx";
import { RequestCard } from "./request-card.tsx";
import { byRisk, kindOfRequest } from "./same-request.ts";
import { useRequests } from "./use-requests.ts";

/** The queue of pending requests, riskiest first, with one open card; and recent decisions. */
// biome-ignore lint/style/noDefaultExport: pages are loaded when they are opened, and React asks for a default export
export default function InboxPage(): ReactNode {
  const region = useRef<HTMLDivElement>(null);
  const wanted = usePageLocation().query.get("request") ?? undefined;
  const mayDecide = useMayDecide();
  const requests = useRequests();
  const [, setTurn] = useState(0);
  const [apart, setApart] = useState<ReadonlySet<string>>(new Set());
  const held = useHeld(region);
  const shown = useRef<readonly CardPlace[]>([]);
  const lastOpen = useRef<CardPlace>(undefined);

  const sorted = requests.open.toSorted(byRisk);
  // A linked request that has ended is shown as well.
  const linked = wanted === undefined ? undefined : requests.find(wanted);
  const items = linked === undefined || linked.state === "open" ? sorted : [linked, ...sorted];
  const cards = arrangeCards(shown.current, items, {
    idOf: ({ id }) => id,
    kindOf: (view) => {
      const kind = kindOfRequest(view);
      return kind === undefined || apart.has(kind) ? undefined : kind;
    },
    held: heldAt(shown.current, held),
    read: held.isReading ? lastOpen.current : undefined,
  });
  shown.current = cards;
  // The open card stays open while others come and go, even if its group changes.
  const withAny = (ids: readonly string[]) => cards.find((card) => card.ids.some((id) => ids.includes(id)));
  const openCard = (wanted === undefined ? undefined : withAny([wanted])) ?? withAny(lastOpen.current?.ids ?? []) ?? cards[0];
  lastOpen.current = openCard;
  useLeft(linked, held.isReading);
  const ids = cards.flatMap((card) => card.ids);
  const onScreen = new Set(ids);
  // Requests whose rows would move the element under the pointer or the focus.
  const [firstHidden, ...others] = sorted.filter(({ id }) => !onScreen.has(id));
  const hidden = others.length + (firstHidden === undefined ? 0 : 1);

  // biome-ignore lint/correctness/useExhaustiveDependencies: these are the ones to be watched
  useEffect(() => requests.watch(ids), [ids.join(" ")]);
  const isMissing = useLinked(region, {
    wanted,
    wasRead: requests.wasRead,
    isOpen: wanted !== undefined && openCard?.ids.includes(wanted) === true,
    onView: requests.note,
  });

  /** Opens a card and moves the focus to its heading; without a card, to the heading of the page. */
  const openAt = (card: CardPlace | undefined, options?: FocusOptions) => {
    lastOpen.current = card;
    flushSync(() => {
      refineQuery({ request: card?.ids[0] });
      setTurn((turn) => turn + 1);
    });
    focusTitle(region.current, card === undefined ? "h1" : CARD_TITLE, options);
  };

  /** Opens the next pending card; after the last, the first that remains; if none is pending, the decided card stays until it is left. */
  const goOn = (from: CardPlace) => {
    const at = cards.indexOf(from);
    const waits = (card: CardPlace) => card !== from && card.ids.some((id) => requests.find(id)?.state === "open");
    const next = cards.slice(at + 1).find(waits) ?? cards.find(waits);
    // If the user has moved the focus elsewhere in the meantime, it and the card stay.
    const { activeElement } = document;
    if (activeElement !== document.body && activeElement?.closest("[data-card]") == null) return;
    if (next !== undefined) return openAt(next, { preventScroll: held.isPointerInCard });
    if (wanted !== undefined) refineQuery({ request: undefined });
    focusTitle(region.current, "h1", { preventScroll: held.isPointerInCard });
  };

  const step = (by: 1 | -1) => {
    const at = openCard === undefined ? -1 : cards.indexOf(openCard);
    const isFocused = document.activeElement?.closest("[data-card]") != null;
    const card = isFocused ? cards[at + by] : cards[at];
    if (card !== undefined) openAt(card);
  };
  useShortcuts([
    { id: "inbox.next", group: "Inbox", keys: "j", does: "Go to the next request", run: () => step(1) },
    { id: "inbox.previous", group: "Inbox", keys: "k", does: "Go to the previous request", run: () => step(-1) },
  ]);

  /** The user asked for separate cards: they may move. */
  const takeApart = (card: CardPlace, first: RequestView) => {
    const kind = kindOfRequest(first);
    const parts = card.ids.map((id) => ({ key: id, ids: [id] }));
    shown.current = cards.flatMap((one) => (one === card ? parts : [one]));
    setApart((before) => new Set(before).add(kind ?? ""));
    openAt(parts[0]);
  };

  const showHidden = (id: string) => {
    const card = { key: id, ids: [id] };
    shown.current = [...cards, card];
    openAt(card);
  };

  const [first, ...same] = openCard?.ids.flatMap((id) => requests.find(id) ?? []) ?? [];
  return (
    <div ref={region} className="inbox">
      <div className="inbox-head">
        <h1>Inbox</h1>
        <ProblemNote problem={requests.problem} />
        {isMissing ? <p className="warn">Request not found. Check the ID in the address.</p> : null}
        <Summary count={requests.count} wasRead={requests.wasRead} isEmpty={openCard === undefined} />
      </div>
      {cards.length === 0 ? null : <Queue cards={cards} find={requests.find} open={openCard} />}
      {openCard === undefined || first === undefined ? null : (
        <div className="inbox-open" data-card="">
          <RequestCard
            key={openCard.key}
            views={[first, ...same]}
            mayDecide={mayDecide}
            onView={requests.note}
            onDecided={() => goOn(openCard)}
            onApart={() => takeApart(openCard, first)}
          />
        </div>
      )}
      <div data-after="" className="inbox-beside">
        <RecentDecisions mayDecide={mayDecide} elsewhere={onScreen} />
        <OverridesNotice mayDecide={mayDecide} />
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

/** Returns the index of the last row that must not move. */
function heldAt(cards: readonly CardPlace[], { pointer, focus }: Held): number {
  if (pointer === EVERYTHING || focus === EVERYTHING) return Number.POSITIVE_INFINITY;
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
    return <p className="soft">{count === 1 ? "One request waits for you." : `${count} requests wait for you, riskiest first.`}</p>;
  if (!isEmpty) return <p className="soft">No more pending requests.</p>;
  return (
    <section className="panel" aria-labelledby="empty-title">
      <h2 id="empty-title">No pending requests</h2>
      <p>
        Requests for approval and questions from agents appear here until they are answered. Which actions need approval is set in{" "}
        <PageLink href={hrefOf("policy")}>your rules</PageLink>; which agents send requests depends on the{" "}
        <PageLink href={hrefOf("agents")}>connected agents</PageLink>.
      </p>
    </section>
  );
}

interface Linked {
  /** Id of the request in the address. */
  readonly wanted: string | undefined;
  readonly wasRead: boolean;
  /** Whether the open card contains the request. */
  readonly isOpen: boolean;
  readonly onView: (view: RequestView) => void;
}

/** Focuses the card of the request in the address, once, even if the request has ended. Returns whether no such request exists. */
function useLinked(region: RefObject<HTMLElement | null>, { wanted, wasRead, isOpen, onView }: Linked): boolean {
  const found = useRef<string>(undefined);
  const [missing, setMissing] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that is wanted
  useEffect(() => {
    if (wanted === undefined) found.current = undefined;
    if (wanted === undefined || !wasRead || found.current === wanted) return;
    if (!isOpen) {
      readRequest(wanted).then(onView, (error: unknown) => {
        if (error instanceof HubProblem && error.status === 404) setMissing(wanted);
      });
      return;
    }
    found.current = wanted;
    const title = region.current?.querySelector(CARD_TITLE);
    if (title == null || title === document.activeElement) return; // opened by the page itself
    focusTitle(region.current, CARD_TITLE, { preventScroll: true });
    // Below the queue, where there is no room beside it, the card would be at the end of the screen.
    title.scrollIntoView({ block: matchMedia(BESIDE).matches ? "nearest" : "start" });
  }, [wanted, wasRead, isOpen]);
  return wanted !== undefined && missing === wanted;
}

/** A request that was opened here while it was pending leaves the address when it has ended and is no longer read. */
function useLeft(linked: RequestView | undefined, isReading: boolean): void {
  const pending = useRef<string>(undefined);
  const isOpen = linked?.state === "open";
  useEffect(() => {
    if (linked === undefined) return;
    if (isOpen) pending.current = linked.id;
    else if (pending.current === linked.id && !isReading) refineQuery({ request: undefined });
  }, [linked, isOpen, isReading]);
}

const CARD_TITLE = "[data-card] h2";

function focusTitle(region: HTMLElement | null, title: string, options?: FocusOptions): void {
  focusHeading(region?.querySelector<HTMLElement>(title) ?? null, options);
}

interface Held {
  /** The rows that contain the pointer and the focus: a key, or `EVERYTHING` where a row that comes or goes would move them. */
  readonly pointer: string | undefined;
  readonly focus: string | undefined;
  readonly isPointerInCard: boolean;
  /** Whether the open card contains the pointer or the focus. */
  readonly isReading: boolean;
}

const EVERYTHING = "everything";
const CARD = "card";

/** Rows are marked by `data-row`, the open card by `data-card`, and the content after them by `data-after`. */
function useHeld(region: RefObject<HTMLElement | null>): Held {
  const [held, setHeld] = useState<{ readonly pointer?: string | undefined; readonly focus?: string | undefined }>({});

  useEffect(() => {
    const element = region.current;
    if (element === null) return;
    const become = (what: "pointer" | "focus", target: EventTarget | null) => {
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

  const rowOf = (place: string | undefined) => (place !== CARD ? place : matchMedia(BESIDE).matches ? undefined : EVERYTHING);
  return {
    pointer: rowOf(held.pointer),
    focus: rowOf(held.focus),
    isPointerInCard: held.pointer === CARD,
    isReading: held.pointer === CARD || held.focus === CARD,
  };
}

/** Media query for the layout with the card beside the queue, matching the style sheet. */
const BESIDE = "(min-width: 64rem)";

/** Returns undefined outside the region and before the queue, where rows that come or go move nothing. */
function placeOf(region: HTMLElement, target: EventTarget | null): string | undefined {
  if (!(target instanceof Element) || !region.contains(target)) return undefined;
  if (target.closest("[data-after]") !== null) return EVERYTHING;
  if (target.closest("[data-card]") !== null) return CARD;
  return target.closest<HTMLElement>("[data-row]")?.dataset["row"];
}
