import type { ControlView, RequestList } from "@earshot/hub";
import { type ComponentType, type LazyExoticComponent, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { ListeningPanel } from "../announce/listening-panel.tsx";
import { listeningShortcuts } from "../announce/listening-shortcuts.ts";
import { AnnouncerContext, useStartAnnouncer } from "../announce/use-announcer.ts";
import { requestAsDevice } from "../hub/request-as-device.ts";
import { useHubRead, useLiveState, useMayDecide, useOwnIdentity } from "../hub/use-hub.ts";
import { focusHeading } from "../parts/focus-heading.ts";
import { PageLink } from "../parts/link.tsx";
import { LoadBoundary } from "../parts/load-boundary.tsx";
import { loadLater } from "../parts/load-later.ts";
import { FIRST_PAGE, hrefOf, navigate, usePageLocation } from "../route.ts";
import { ShortcutDialog } from "../shortcuts/shortcut-list.tsx";
import type { Shortcut } from "../shortcuts/shortcuts.ts";
import { useShortcuts } from "../shortcuts/use-shortcuts.ts";
import { Attention } from "./attention.tsx";
import { LogoMark, PageIcon } from "./page-icon.tsx";
import { StandingNotice } from "./standing-notice.tsx";

/** A page of the dashboard, loaded when it is first opened. Renders its own `h1`. */
interface Page {
  readonly name: string;
  readonly title: string;
  /** Its group in the navigation; omitted if it is reached from other pages. */
  readonly group?: 1 | 2;
  /** The key after `g` that opens this page. */
  readonly key?: string;
  readonly view: LazyExoticComponent<ComponentType>;
}

/** The page in the address is loaded while the browser proves who it is. */
function page(name: string, load: Parameters<typeof loadLater>[0]): Page["view"] {
  return loadLater(load, { isNext: name === FIRST_PAGE });
}

const PAGES: readonly Page[] = [
  { name: "overview", key: "o", title: "Overview", group: 1, view: page("overview", () => import("../pages/overview/overview-page.tsx")) },
  { name: "inbox", key: "i", title: "Inbox", group: 1, view: page("inbox", () => import("../pages/inbox/inbox-page.tsx")) },
  { name: "sessions", key: "s", title: "Sessions", group: 1, view: page("sessions", () => import("../pages/sessions/sessions-page.tsx")) },
  { name: "session", title: "Session", view: page("session", () => import("../pages/session/session-page.tsx")) },
  { name: "compare", title: "Compare", view: page("compare", () => import("../pages/compare/compare-page.tsx")) },
  { name: "costs", key: "c", title: "Costs", group: 1, view: page("costs", () => import("../pages/costs/costs-page.tsx")) },
  { name: "search", key: "f", title: "Search", group: 1, view: page("search", () => import("../pages/search/search-page.tsx")) },
  { name: "alerts", key: "l", title: "Alerts", group: 1, view: page("alerts", () => import("../pages/alerts/alerts-page.tsx")) },
  { name: "policy", key: "p", title: "Rules", group: 2, view: page("policy", () => import("../pages/policy/policy-page.tsx")) },
  { name: "agents", key: "a", title: "Agents", group: 2, view: page("agents", () => import("../pages/connect/connect-page.tsx")) },
  { name: "heard", key: "h", title: "Announcements", group: 2, view: page("heard", () => import("../pages/heard/announcements-page.tsx")) },
  { name: "settings", key: "t", title: "Settings", group: 2, view: page("settings", () => import("../pages/settings/settings-page.tsx")) },
  { name: "check", key: "k", title: "Protocol health", view: page("check", () => import("../pages/check/check-page.tsx")) },
];

/** The frame of every page: skip link, navigation, pending requests, and the connection state. */
export function Shell(): ReactNode {
  const place = usePageLocation();
  const me = useOwnIdentity();
  const page = PAGES.find(({ name }) => name === place.page);
  const open =
    useHubRead<RequestList>("/api/requests?state=open&limit=1", { changes: (news) => news.requests.length > 0 }).answer?.open ?? 0;
  const listening = useStartAnnouncer();
  usePresence();
  const [listsKeys, setListsKeys] = useState(false);
  const listKeys = () => setListsKeys(true);
  useShortcuts([
    { id: "keys", group: "Pages", keys: "?", does: "This list", run: listKeys },
    ...PAGE_SHORTCUTS,
    ...listeningShortcuts(listening),
  ]);

  useEffect(() => {
    document.title = `${open > 0 ? `(${open}) ` : ""}${page?.title ?? "Not found"} – Earshot`;
  }, [open, page]);

  return (
    <AnnouncerContext value={listening}>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="top">
        <PageLink href={hrefOf("overview")} className="brand">
          <LogoMark />
          Earshot
        </PageLink>
        <Navigation waiting={open} />
        <Attention waiting={open} />
        <ListeningPanel onShortcuts={listKeys} />
        <p className="who">{`${me.name}, ${me.role}`}</p>
      </header>
      <GateNotice />
      <main id="main" tabIndex={-1}>
        <Suspense fallback={<p>Loading.</p>}>
          {page === undefined ? (
            <NotFound />
          ) : (
            <LoadBoundary key={page.name} level="h1">
              <page.view />
            </LoadBoundary>
          )}
          <FocusTitle place={[place.page, ...place.rest].join("/")} />
        </Suspense>
      </main>
      <StandingNotice />
      {listsKeys ? <ShortcutDialog onClose={() => setListsKeys(false)} /> : null}
    </AnnouncerContext>
  );
}

function NotFound(): ReactNode {
  return (
    <>
      <h1>Page not found</h1>
      <p>The address is wrong, or the page was renamed. </p>
      <p>
        <PageLink href={hrefOf("overview")}>Open the overview</PageLink>
      </p>
    </>
  );
}

const TELL_EVERY_MS = 60_000;
const DEEDS = ["pointerdown", "pointermove", "keydown", "wheel", "focusin"] as const;

/**
 * Reports to the hub that an approver is present, which makes it hold agents for a decision. Based on user activity, at most once a
 * minute: an open tab proves nothing.
 */
function usePresence(): void {
  const mayDecide = useMayDecide();
  useEffect(() => {
    if (!mayDecide) return;
    let toldAt = Number.NEGATIVE_INFINITY;
    const tell = () => {
      if (performance.now() - toldAt < TELL_EVERY_MS) return;
      toldAt = performance.now();
      requestAsDevice("POST", "/api/presence", {}).catch(() => {
        toldAt = Number.NEGATIVE_INFINITY; // away: the next deed tells
      });
    };
    const act = ({ isTrusted }: Event) => {
      if (isTrusted) tell();
    };
    // A page that was just opened and has the focus counts as activity.
    if (document.visibilityState === "visible" && document.hasFocus()) tell();
    for (const deed of DEEDS) addEventListener(deed, act, { capture: true, passive: true });
    return () => {
      for (const deed of DEEDS) removeEventListener(deed, act, { capture: true });
    };
  }, [mayDecide]);
}

/** A screen reader skips a heading that is focused in the moment it is rendered, since it does not know it yet. */
const KNOWN_MS = 150;

/**
 * Focuses the new page's title after navigation, once it is rendered. This includes the initial load unless the focus is already set: a
 * screen reader may have started before there was content.
 */
function FocusTitle({ place }: { readonly place: string }): ReactNode {
  const isOpening = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is what changes
  useEffect(() => {
    const isFirst = isOpening.current;
    isOpening.current = false;
    const from = document.activeElement;
    const main = document.getElementById("main");
    if (main === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const focusTitle = () => {
      const { activeElement: now } = document;
      // If the user has moved the focus in the meantime, it stays there.
      if (now !== null && now !== document.body && (isFirst || now !== from)) return;
      focusHeading(main.querySelector<HTMLElement>("h1"), { preventScroll: isFirst });
    };
    const look = () => {
      if (main.querySelector("h1") === null) return;
      watch.disconnect();
      timer = setTimeout(focusTitle, KNOWN_MS);
    };
    const watch = new MutationObserver(look);
    watch.observe(main, { childList: true, subtree: true });
    look();
    return () => {
      watch.disconnect();
      clearTimeout(timer);
    };
  }, [place]);
  return null;
}

const HEADINGS = { everything: "Holding everything", dangerous: "Holding only dangerous actions", nothing: "Holding nothing" } as const;

/** On every page: what is currently held for approval and why, and which agents are not gated at all. */
function GateNotice(): ReactNode {
  const state = useLiveState();
  const { answer } = useHubRead<ControlView>("/api/control", {
    changes: (news) => news.requests.some(({ what }) => what === "control" || what === "alarm"),
  });
  if (state === "away")
    return (
      <section className="gate unknown" aria-label="Held requests">
        <p>
          <strong>Gate status unknown.</strong> The hub is not connected.
        </p>
      </section>
    );
  if (answer === undefined) return null;
  const { holding, notGated } = answer;
  return (
    <section className={`gate ${notGated.length > 0 ? "open" : holding.holds}`} aria-label="Held requests">
      {notGated.map(({ agent, name, reason, advice }) => (
        <p key={`${agent} ${reason}`}>
          <strong>{`Not gated: ${name}`}</strong> {`${reason} ${advice}`}
        </p>
      ))}
      <p>
        <strong>{HEADINGS[holding.holds]}</strong> {holding.words}
        {holding.change === null ? null : (
          <>
            {` ${holding.change} `}
            <PageLink href={hrefOf("policy")}>Pause and away</PageLink>
          </>
        )}
      </p>
    </section>
  );
}

/** Pages that stay visible in the navigation on small screens. */
const OFTEN: readonly string[] = ["overview", "inbox"];

/** The navigation. On small screens, less frequent pages are behind a button. */
function Navigation({ waiting }: { readonly waiting: number }): ReactNode {
  const { page: here } = usePageLocation();
  const [isOpen, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation is a choice
  useEffect(() => setOpen(false), [here]);
  return (
    <nav aria-label="Pages" className={isOpen ? "pages open" : "pages"}>
      <ul>
        {PAGES.filter(({ group }) => group !== undefined).map(({ name, title, group }, index, listed) => (
          <li key={name} className={classOf(name, here, group !== listed[index - 1]?.group && index > 0)}>
            <PageLink href={hrefOf(name)} aria-current={name === here ? "page" : undefined}>
              <PageIcon name={name} />
              {title}
              {name === "inbox" && waiting > 0 ? (
                <>
                  <span className="told">{`, ${waiting} waiting`}</span>
                  <span className="count" aria-hidden="true">
                    {waiting}
                  </span>
                </>
              ) : null}
            </PageLink>
          </li>
        ))}
        <li className="all-pages">
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? "Fewer" : "More"}
            <span className="told"> pages</span>
          </button>
        </li>
      </ul>
    </nav>
  );
}

/** Navigation shortcuts: `g` and a letter. */
const PAGE_SHORTCUTS: readonly Shortcut[] = PAGES.flatMap(({ name, title, key }) =>
  key === undefined
    ? []
    : [{ id: `go.${name}`, group: "Pages", keys: `g ${key}`, does: `Go to ${title}`, run: () => navigate(hrefOf(name)) }],
);

function classOf(name: string, here: string, beginsGroup: boolean): string {
  return `${OFTEN.includes(name) || name === here ? "" : "seldom"}${beginsGroup ? " group" : ""}`;
}
