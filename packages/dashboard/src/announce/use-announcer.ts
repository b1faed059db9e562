import { createContext, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { LiveContext, useOwnIdentity } from "../hub/use-hub.ts";
import type { PastAnnouncement } from "./announcement-log.ts";
import type { BrowserAnnouncer } from "./browser-announcer.ts";
import { announceInRegion } from "./regions.ts";

export const AnnouncerContext = createContext<BrowserAnnouncer | undefined>(undefined);

/** Starts listening once the page is rendered; undefined until then. */
export function useStartAnnouncer(): BrowserAnnouncer | undefined {
  const live = useContext(LiveContext);
  const { name } = useOwnIdentity();
  const [listening, setListening] = useState<BrowserAnnouncer>();
  useEffect(() => {
    if (live === undefined) return;
    let isGone = false;
    let started: BrowserAnnouncer | undefined;
    import("./browser-announcer.ts").then(
      ({ BrowserAnnouncer: Started }) => {
        if (isGone) return;
        started = new Started(live, name);
        setListening(started);
      },
      // A newer hub serves newer pages and no longer the chunks of this one.
      () => announceInRegion("assertive", "Nothing can be announced here. Reload the page."),
    );
    return () => {
      isGone = true;
      setListening(undefined);
      started?.close();
    };
  }, [live, name]);
  return listening;
}

/** Undefined briefly while the page starts. */
export function useAnnouncer(): BrowserAnnouncer | undefined {
  return useContext(AnnouncerContext);
}

const NONE: readonly PastAnnouncement[] = [];

/** The last hundred announcements, oldest first. */
export function usePastAnnouncements(): readonly PastAnnouncement[] {
  const heard = useAnnouncer()?.log;
  return useSyncExternalStore(
    (listener) => heard?.listen(listener) ?? (() => {}),
    () => heard?.items ?? NONE,
  );
}
