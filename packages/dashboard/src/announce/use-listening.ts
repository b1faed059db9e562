import { createContext, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { LiveContext, useMe } from "../hub/use-hub.ts";
import type { Heard } from "./heard-list.ts";
import type { Listening } from "./listening.ts";
import { tellRegion } from "./regions.ts";

export const ListeningContext = createContext<Listening | undefined>(undefined);

/** Starts listening once the page is rendered; undefined until then. */
export function useStartListening(): Listening | undefined {
  const live = useContext(LiveContext);
  const { name } = useMe();
  const [listening, setListening] = useState<Listening>();
  useEffect(() => {
    if (live === undefined) return;
    let isGone = false;
    let started: Listening | undefined;
    import("./listening.ts").then(
      ({ Listening: Started }) => {
        if (isGone) return;
        started = new Started(live, name);
        setListening(started);
      },
      // A newer hub serves newer pages and no longer the chunks of this one.
      () => tellRegion("assertive", "Nothing can be announced here. Reload the page."),
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
export function useListening(): Listening | undefined {
  return useContext(ListeningContext);
}

const NONE: readonly Heard[] = [];

/** The last hundred announcements, oldest first. */
export function useHeard(): readonly Heard[] {
  const heard = useListening()?.heard;
  return useSyncExternalStore(
    (listener) => heard?.listen(listener) ?? (() => {}),
    () => heard?.items ?? NONE,
  );
}
