import type { RequestList, RequestView } from "@earshot/hub";
import { useEffect, useRef, useState } from "react";
import { ask, type HubProblem } from "../../hub/ask.ts";
import { useLive, useRead } from "../../hub/use-hub.ts";

export interface Requests {
  /** What waits, in the order in which it was asked. */
  readonly open: readonly RequestView[];
  /** How many wait altogether, also those that are not listed. */
  readonly count: number;
  readonly wasRead: boolean;
  readonly problem: HubProblem | undefined;
  /** As it is by now, also what has ended. */
  readonly find: (id: string) => RequestView | undefined;
  /** Takes note of what the hub answered. */
  readonly note: (view: RequestView) => void;
  /** Requests that are shown, and have to be known when they end elsewhere. */
  readonly watch: (ids: readonly string[]) => void;
}

const MOST = 200;

/** All open requests, live, and what became of those that were shown. */
export function useRequests(): Requests {
  const { answer, problem } = useRead<RequestList>(`/api/requests?state=open&limit=${MOST}`, {
    changes: (news) => news.requests.length > 0,
  });
  const [ended, setEnded] = useState<ReadonlyMap<string, RequestView>>(new Map());
  const watched = useRef<ReadonlySet<string>>(new Set());
  const reading = useRef(new Set<string>());
  const open = (answer?.requests ?? []).filter(({ id }) => !ended.has(id));
  const byId = new Map(open.map((view) => [view.id, view]));
  // What has left the list and is not looked up yet is shown as it was last: it must not blink.
  const last = useRef<ReadonlyMap<string, RequestView>>(new Map());
  last.current = new Map([...[...last.current].filter(([id]) => watched.current.has(id)), ...byId]);

  const note = (view: RequestView) => {
    if (view.state === "open") return;
    setEnded((before) => {
      const others = [...before].filter(([id]) => id !== view.id).slice(-MOST); // the oldest are forgotten
      return new Map(others).set(view.id, view);
    });
  };

  const look = (id: string) => {
    if (reading.current.has(id)) return;
    reading.current.add(id);
    ask<RequestView>("GET", `/api/requests/${encodeURIComponent(id)}`)
      .then(note, () => {}) // the hub is away: it is looked up with the next news
      .finally(() => reading.current.delete(id));
  };

  const lookForEnded = () => {
    if (answer === undefined) return;
    for (const id of watched.current) if (!byId.has(id) && !ended.has(id)) look(id);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is what may lack something
  useEffect(lookForEnded, [answer]);

  // What has ended goes on: the agent takes the answer, and something comes of it.
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
