import type { Listed } from "@earshot/hub";
import { useEffect, useState } from "react";
import { HubProblem, requestAsDevice } from "../hub/request-as-device.ts";
import { type HubReadOptions, useHubRead } from "../hub/use-hub.ts";

export interface MoreList<Item> {
  readonly items: readonly Item[];
  readonly isReading: boolean;
  readonly wasRead: boolean;
  readonly problem: HubProblem | undefined;
  /** Undefined when everything is loaded. */
  readonly more: (() => void) | undefined;
}

/** A list that is read page by page. The first page is read again when it is stale; later pages stay as read. */
export function useMoreList<Item>(path: string | undefined, options?: HubReadOptions): MoreList<Item> {
  const first = useHubRead<Listed<Item>>(path, options);
  const [rest, setRest] = useState<{ readonly items: readonly Item[]; readonly next: string | undefined }>();
  const [isReading, setReading] = useState(false);
  const [problem, setProblem] = useState<HubProblem>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins anew
  useEffect(() => setRest(undefined), [path]);
  const next = rest === undefined ? first.answer?.next : rest.next;
  const more = async () => {
    if (path === undefined || next === undefined || isReading) return;
    setReading(true);
    try {
      const page = await requestAsDevice<Listed<Item>>("GET", `${path}${path.includes("?") ? "&" : "?"}after=${encodeURIComponent(next)}`);
      setRest((before) => ({ items: [...(before?.items ?? []), ...page.items], next: page.next }));
    } catch (error) {
      setProblem(error instanceof HubProblem ? error : undefined);
    } finally {
      setReading(false);
    }
  };
  return {
    items: [...(first.answer?.items ?? []), ...(rest?.items ?? [])],
    isReading: isReading || first.isReading,
    wasRead: first.answer !== undefined,
    problem: problem ?? first.problem,
    more: next === undefined ? undefined : () => void more(),
  };
}
