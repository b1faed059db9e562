import type { News, RequestView } from "@earshot/hub";
import { EarshotError, PROBLEMS } from "@earshot/protocol/problem";
import type { HubAccess } from "../hub-client.ts";
import { getNews, getRequest, listOpen, POLL_MS } from "./request-client.ts";

export interface FollowRequestsOptions {
  /** Finds the hub, each time anew: after a restart it may listen elsewhere. Throws when there is none. */
  readonly open: () => Promise<HubAccess>;
  readonly signal: AbortSignal;
  readonly wait: (ms: number) => Promise<void>;
  readonly onGone: () => void;
  readonly onBack: () => void;
}

export type Happening =
  /** All that wait: at first, and whenever news may have been missed. */
  | { readonly kind: "list"; readonly requests: readonly RequestView[] }
  /** `request` as it is by now; null for what concerns all, and for one that is not kept any more. */
  | { readonly kind: "news"; readonly news: News; readonly request: RequestView | null };

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/** What waits, and then what happens to it, without end. A hub that goes away is waited for. */
export async function* followRequests({ open, signal, wait, onGone, onBack }: FollowRequestsOptions): AsyncGenerator<Happening> {
  let pauseMs = FIRST_PAUSE_MS;
  let isGone = false;
  let hasBegun = false;
  while (!signal.aborted) {
    try {
      const hub = await open();
      let { next } = await getNews(hub, 0, 0); // before the list, so that nothing falls between the two
      const requests = await listOpen(hub);
      hasBegun = true;
      if (isGone) onBack();
      isGone = false;
      pauseMs = FIRST_PAUSE_MS;
      yield { kind: "list", requests };
      while (!signal.aborted) {
        const told = await getNews(hub, next, POLL_MS, signal);
        next = told.next;
        if (told.missed) yield { kind: "list", requests: await listOpen(hub) };
        for (const news of told.news) yield { kind: "news", news, request: await requestOf(hub, news) };
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!hasBegun || !canMend(error)) throw error;
    }
    if (signal.aborted) return;
    if (!isGone) onGone();
    isGone = true;
    await wait(pauseMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

async function requestOf(hub: HubAccess, { request }: News): Promise<RequestView | null> {
  if (request === null) return null;
  try {
    return await getRequest(hub, request);
  } catch (error) {
    if (EarshotError.is(error) && error.problem.code === "NOT_FOUND") return null;
    throw error;
  }
}

/** A hub that is away, stopping or crowded may be back soon. `fetch` fails with a TypeError when a connection breaks. */
function canMend(error: unknown): boolean {
  if (!EarshotError.is(error)) return error instanceof TypeError;
  // A hub that has just started may have a new address, and not be ready yet.
  return error.problem.code === "HUB_NOT_FOUND" || (Object.hasOwn(PROBLEMS, error.problem.code) && PROBLEMS[error.problem.code].retryable);
}
