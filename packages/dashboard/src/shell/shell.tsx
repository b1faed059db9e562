import type { RequestList } from "@earshot/hub";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { ListeningPanel } from "../announce/listening-panel.tsx";
import { listeningShortcuts } from "../announce/listening-shortcuts.ts";
import { ListeningContext, useStartListening } from "../announce/use-listening.ts";
import { useMe, useRead } from "../hub/use-hub.ts";
import { usePresence } from "../hub/use-presence.ts";
import { Link } from "../parts/link.tsx";
import { LoadBoundary } from "../parts/load-boundary.tsx";
import { hrefOf, usePlace } from "../route.ts";
import { PAGE_SHORTCUTS } from "../shortcuts/page-shortcuts.ts";
import { ShortcutDialog } from "../shortcuts/shortcut-list.tsx";
import { useShortcuts } from "../shortcuts/use-shortcuts.ts";
import { FocusTitle } from "./focus-title.tsx";
import { GateNotice } from "./gate-notice.tsx";
import { Navigation } from "./navigation.tsx";
import { PAGES } from "./pages.ts";
import { StandingNotice } from "./standing-notice.tsx";

/** What is there on every page: how to skip to the content, where one is, who waits, and whether the hub is heard. */
export function Shell(): ReactNode {
  const place = usePlace();
  const me = useMe();
  const page = PAGES.find(({ name }) => name === place.page);
  const open = useRead<RequestList>("/api/requests?state=open&limit=1", { changes: (news) => news.requests.length > 0 }).answer?.open ?? 0;
  const listening = useStartListening();
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
    <ListeningContext value={listening}>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="top">
        <Link href={hrefOf("now")} className="brand">
          Earshot
        </Link>
        <Navigation waiting={open} />
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
    </ListeningContext>
  );
}

function NotFound(): ReactNode {
  return (
    <>
      <h1>There is no such page</h1>
      <p>
        <Link href={hrefOf("now")}>See what is going on now</Link>
      </p>
    </>
  );
}
