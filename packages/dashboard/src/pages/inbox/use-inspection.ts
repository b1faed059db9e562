import type { PolicyView, RequestView } from "@earshot/hub";
import type { Places } from "@earshot/policy";
import { useMemo } from "react";
import { useRead } from "../../hub/use-hub.ts";
import { type Inspection, inspectRequest, placesOf } from "./inspect-request.ts";

export interface Inspecting {
  readonly inspect: (view: RequestView) => Inspection;
  readonly places: Places;
}

const MOST_KNOWN = 500;

/** Looks into requests, each once: the digest says that it is still the same. */
export function useInspection(): Inspecting {
  const path = useRead<PolicyView>("/api/policy").answer?.path;
  return useMemo(() => {
    const places = placesOf(path);
    const known = new Map<string, Inspection>();
    const inspect = ({ digest, card }: RequestView) => {
      const found = known.get(digest) ?? inspectRequest(card.asked, places);
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(digest, found);
      return found;
    };
    return { inspect, places };
  }, [path]);
}
