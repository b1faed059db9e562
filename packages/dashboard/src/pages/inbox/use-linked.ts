import type { RequestView } from "@earshot/hub";
import { type RefObject, useEffect, useRef, useState } from "react";
import { HubProblem } from "../../hub/ask.ts";
import { readRequest } from "./decide.ts";
import { focusTitle } from "./focus-title.ts";

export interface Linked {
  /** The request that the address names. */
  readonly wanted: string | undefined;
  readonly wasRead: boolean;
  /** The card that it is on. */
  readonly key: string | undefined;
  readonly onView: (view: RequestView) => void;
}

/** Goes to the card of the request that the address names, once; also when that has ended. Says whether there is none of that name. */
export function useLinked(region: RefObject<HTMLElement | null>, { wanted, wasRead, key, onView }: Linked): boolean {
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
