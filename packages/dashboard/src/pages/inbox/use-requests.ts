import type { RequestList, RequestView } from "@earshot/hub";
import { useEffect, useRef, useState } from "react";
import { type HubProblem, requestAsDevice } from "../../hub/request-as-device.ts";
import { useHubRead, useLive } from "../../hub/use-hub.ts";

export interface RequestsState {
  /** Pending requests in the order in which they were made. */
  readonly open: readonly RequestView[];
  /** Number of all pending requests, including unlisted ones. */
  readonly count: number;
  readonly wasRead: boolean;
  readonly problem: HubProblem | undefined;
  /** Returns the current state of a request, including an ended one. */
  readonly find: (id: string) => RequestView | undefined;
  /** Stores a request as returned by the hub. */
  readonly note: (view: RequestView) => void;
  /** Sets the displayed requests, which stay known when they end elsewhere. */
  readonly watch: (ids: readonly string[]) => void;
}

const MAX_REQUESTS = 200;

/** All open requests, live, and the outcome of those that were displayed. */
export function useRequests(): RequestsState {
  const { answer, problem } = useHubRead<RequestList>(`/api/requests?state=open&limit=${MAX_REQUESTS}`, {
    changes: (news) => news.requests.length > 0,
  });
  const [ended, setEnded] = useState<ReadonlyMap<string, RequestView>>(new Map());
  const watched = useRef<ReadonlySet<string>>(new Set());
  const reading = useRef(new Set<string>());
  const open = (answer?.requests ?? []).filter(({ id }) => !ended.has(id));
  const byId = new Map(open.map((view) => [view.id, view]));
  // A request that left the list and is not yet read again is shown in its last state: it must not flicker.
  const last = useRef<ReadonlyMap<string, RequestView>>(new Map());
  last.current = new Map([...[...last.current].filter(([id]) => watched.current.has(id)), ...byId]);

  const note = (view: RequestView) => {
    if (view.state === "open") return;
    setEnded((before) => {
      const others = [...before].filter(([id]) => id !== view.id).slice(-MAX_REQUESTS); // the oldest are forgotten
      return new Map(others).set(view.id, view);
    });
  };

  const look = (id: string) => {
    if (reading.current.has(id)) return;
    reading.current.add(id);
    requestAsDevice<RequestView>("GET", `/api/requests/${encodeURIComponent(id)}`)
      .then(note, () => {}) // the hub is away: it is looked up with the next news
      .finally(() => reading.current.delete(id));
  };

  const lookForEnded = () => {
    if (answer === undefined) return;
    for (const id of watched.current) if (!byId.has(id) && !ended.has(id)) look(id);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is what may lack something
  useEffect(lookForEnded, [answer]);

  // An ended request still changes: the agent receives the decision, and an outcome follows.
  useLive((news) => {
    for (const { request } of news.requests) if (request !== null && ended.has(request) && watched.current.has(request)) look(request);
  });

  return {
    open,
    count: Math.max(open.length, (answer?.open ?? 0) - ((answer?.requests.length ?? 0) - open.length)),
    wasRead: answer !== undefined,
    problem,
    find: (id) => ended.get(id) ?? last.current.get(id),
    note,
    watch: (ids) => {
      watched.current = new Set(ids);
      lookForEnded();
    },
  };
}
