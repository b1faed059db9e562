import type { AnswerBody, NewsList, RequestAnswer, RequestList, RequestView } from "@earshot/hub";
import { EarshotError } from "@earshot/protocol/problem";
import { createUsageError } from "@earshot/terminal/usage";
import { changeAtHub, type HubAccess, requestFromHub } from "../hub-client.ts";
import { describeWantedBriefly } from "./request-lines.ts";

/** Client for requests at a hub. Reading needs a viewer's credential; the rest an approver's. */

/** An answer without the digest, which is taken from what was shown. */
export interface InboxReply extends Omit<AnswerBody, "digest" | "response"> {
  readonly response?: NonNullable<RequestAnswer["response"]>;
}

const PAGE = 200;
/** More than a person could ever look through. */
const MAX_PAGES = 25;
/** Maximum duration of a long poll. */
export const LONG_POLL_MS = 25_000;

export async function listOpen(hub: HubAccess): Promise<readonly RequestView[]> {
  const found: RequestView[] = [];
  let after = 0;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { requests, next } = await get<RequestList>(hub, `/api/requests?state=open&after=${after}&limit=${PAGE}`);
    found.push(...requests);
    if (next === null) break;
    after = next;
  }
  return found;
}

/** The most recently asked requests in any state, newest first. */
async function listLast(hub: HubAccess): Promise<readonly RequestView[]> {
  const { requests } = await get<RequestList>(hub, `/api/requests?before=${Number.MAX_SAFE_INTEGER}&limit=${PAGE}`);
  return requests;
}

export function getRequest(hub: HubAccess, id: string, waitMs = 0): Promise<RequestView> {
  return get(hub, `/api/requests/${encodeURIComponent(id)}?wait=${waitMs}`);
}

export async function getNews(hub: HubAccess, after: number, waitMs: number, signal?: AbortSignal): Promise<NewsList> {
  const { url, headers } = hub;
  if (signal === undefined || waitMs === 0) return get(hub, `/api/requests/news?after=${after}&wait=${waitMs}`);
  const response = await fetch(`${url}/api/requests/news?after=${after}&wait=${waitMs}`, { headers, signal });
  if (!response.ok) return get(hub, `/api/requests/news?after=${after}&wait=0`); // asks again, and throws what is wrong
  return (await response.json()) as NewsList;
}

/** Answers the request as it was shown, whatever its state is now. */
export function postAnswer(hub: HubAccess, { id, digest }: Pick<RequestView, "id" | "digest">, reply: InboxReply): Promise<RequestView> {
  return changeAtHub(hub, "POST", `/api/requests/${encodeURIComponent(id)}/answer`, { ...reply, digest });
}

export function postMoreTime(hub: HubAccess, { id, digest }: Pick<RequestView, "id" | "digest">): Promise<RequestView> {
  return changeAtHub(hub, "POST", `/api/requests/${encodeURIComponent(id)}/extend`, { digest });
}

async function get<T>(hub: HubAccess, path: string): Promise<T> {
  return (await (await requestFromHub(hub, path)).json()) as T;
}

const WHOLE = /^req_[0-9a-f]{24}$/;
const FEWEST = 3;

/** The request with a unique id prefix: an open one, or else a recently ended one. */
export async function findRequest(hub: HubAccess, given: string): Promise<RequestView> {
  const id = given.startsWith("req_") ? given : `req_${given}`;
  if (WHOLE.test(id)) return getRequest(hub, id);
  if (!/^req_[0-9a-f]*$/.test(id) || id.length < "req_".length + FEWEST) {
    throw createUsageError(
      `${JSON.stringify(given)} names no request.`,
      "Give the id that `earshot inbox --once` shows, or at least its first three characters.",
    );
  }
  return choose(given, id, await listOpen(hub)) ?? choose(given, id, await listLast(hub)) ?? missing(given);
}

function choose(given: string, id: string, requests: readonly RequestView[]): RequestView | undefined {
  const found = requests.filter((one) => one.id.startsWith(id));
  const [first, ...others] = found;
  if (others.length === 0) return first;
  const which = found.slice(0, 5).map((one) => `${one.id.replace(/^req_/, "")}: ${describeWantedBriefly(one.card.asked)}`);
  throw createUsageError(`${found.length} requests begin with ${JSON.stringify(given)}.`, `Give more of the id. ${which.join("; ")}.`);
}

function missing(given: string): never {
  throw new EarshotError({
    code: "NOT_FOUND",
    message: `There is no request ${JSON.stringify(given)}.`,
    hint: "`earshot inbox --once` shows those that wait.",
  });
}
