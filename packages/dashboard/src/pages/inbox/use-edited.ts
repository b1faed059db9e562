import type { Inspection } from "@earshot/hub";
import { useEffect, useState } from "react";
import { ask } from "../../hub/ask.ts";
import type { Edit } from "./edit-input.ts";

/** What would happen with the changes: undefined as long as the hub has not looked into just these. */
export interface Edited {
  readonly inspection: Inspection | undefined;
  /** Why it cannot be told. */
  readonly problem: string | undefined;
}

const PAUSE_MS = 250;
const NOTHING: Edited = { inspection: undefined, problem: undefined };

/** Has the hub look into a changed input, once nobody types any more. What it said of other changes is not shown. */
export function useEdited(request: string, edit: Edit): Edited {
  const wanted = edit.length === 0 ? "" : JSON.stringify({ edit });
  const [read, setRead] = useState<Edited & { readonly of: string }>({ ...NOTHING, of: "" });
  useEffect(() => {
    if (wanted === "") return;
    const stop = new AbortController();
    const look = async () => {
      try {
        const body: object = JSON.parse(wanted);
        const inspection = await ask<Inspection>("POST", `/api/requests/${encodeURIComponent(request)}/inspect`, body, stop.signal);
        setRead({ inspection, problem: undefined, of: wanted });
      } catch (error) {
        if (!stop.signal.aborted) setRead({ inspection: undefined, problem: error instanceof Error ? error.message : "", of: wanted });
      }
    };
    const timer = setTimeout(() => void look(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [request, wanted]);
  return read.of === wanted ? read : NOTHING;
}
