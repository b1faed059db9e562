import { type ReconnectOptions, reconnect } from "@earshot/aaep/reconnect";
import type { RequestNews, RequestView } from "@earshot/hub";
import { EarshotError } from "@earshot/protocol/problem";
import type { HubAccess } from "../hub-client.ts";
import { getNews, getRequest, LONG_POLL_MS, listOpen } from "./request-client.ts";

export interface FollowRequestsOptions extends ReconnectOptions {
  /** Finds the hub each time, because a restart may change its address. Throws if there is none. */
  readonly open: () => Promise<HubAccess>;
}

export type RequestListEvent =
  /** All open requests: at first, and whenever news may have been missed. */
  | { readonly kind: "list"; readonly requests: readonly RequestView[] }
  /** `request` is the current state; null for news about all, and for a request that is no longer kept. */
  | { readonly kind: "news"; readonly news: RequestNews; readonly request: RequestView | null };

/** Yields the open requests and then their news, without end. Waits for a hub that is away. */
export function followRequests({ open, ...options }: FollowRequestsOptions): AsyncGenerator<RequestListEvent> {
  const { signal } = options;
  const connect = async function* (): AsyncGenerator<RequestListEvent> {
    const hub = await open();
    let { next } = await getNews(hub, 0, 0); // before the list, so that nothing falls between the two
    yield { kind: "list", requests: await listOpen(hub) };
    while (!signal.aborted) {
      const told = await getNews(hub, next, LONG_POLL_MS, signal);
      next = told.next;
      if (told.missed) yield { kind: "list", requests: await listOpen(hub) };
      for (const news of told.news) yield { kind: "news", news, request: await requestOf(hub, news) };
    }
  };
  return reconnect(connect, options);
}

async function requestOf(hub: HubAccess, { request }: RequestNews): Promise<RequestView | null> {
  if (request === null) return null;
  try {
    return await getRequest(hub, request);
  } catch (error) {
    if (EarshotError.is(error) && error.problem.code === "NOT_FOUND") return null;
    throw error;
  }
}
