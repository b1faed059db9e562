import type { AepResponse } from "@earshot/protocol";
import type { Answer, Asked } from "../delivery/platform.ts";
import { pause } from "../delivery/timers.ts";

/** A hub answers at once, if only that it takes longer. */
const PATIENCE_MS = 1000;
/** Longer calls die on their way. */
const SLICE_MS = 25_000;
/** Where it had asked already: a hub that restarts takes some seconds. */
const RESTART_MS = 5000;
const KNOCK_MS = 50;

type Request = (asked: Asked) => Promise<Answer>;
type Heard =
  | { readonly waits: true; readonly again: boolean; readonly request: string }
  | { readonly waits: false; readonly response: AepResponse };

/** What the hub answers; undefined where none can be reached, or not in time. */
export async function askHub(request: Request, event: string, until: number): Promise<AepResponse | undefined> {
  const leftMs = () => until - performance.now();
  let id: string | undefined;
  let givenUpAt = Number.POSITIVE_INFINITY;
  for (let isFirst = true; leftMs() > 0; isFirst = false) {
    const waitMs = isFirst ? 0 : Math.max(0, Math.floor(Math.min(SLICE_MS, leftMs() - PATIENCE_MS)));
    const answer = await request({ ...toAsk(id, event, waitMs, leftMs()), timeoutMs: waitMs + PATIENCE_MS });
    const heard = answer.kind === "answered" && answer.status === 200 ? readHeard(answer.body) : undefined;
    if (heard?.waits === false) return heard.response;
    if (heard !== undefined) {
      id = heard.again ? undefined : heard.request;
      givenUpAt = Number.POSITIVE_INFINITY;
      continue;
    }
    const isStarting = answer.kind !== "unanswered" || !isFirst;
    if (isFirst || !isStarting) return undefined;
    id = undefined; // the same event is the same request
    givenUpAt = Math.min(givenUpAt, performance.now() + RESTART_MS);
    if (performance.now() > givenUpAt) return undefined;
    await pause(KNOCK_MS);
  }
  return undefined;
}

function toAsk(id: string | undefined, event: string, waitMs: number, leftMs: number): Omit<Asked, "timeoutMs"> {
  if (id !== undefined) return { url: `http://localhost/aep/v1/hooks/${encodeURIComponent(id)}?wait=${waitMs}`, method: "GET" };
  return { url: `http://localhost/aep/v1/hooks?wait=${waitMs}&longest=${Math.floor(leftMs)}`, method: "POST", body: event };
}

function readHeard(body: string): Heard | undefined {
  try {
    const value = JSON.parse(body) as Partial<Heard> | null;
    return typeof value?.waits === "boolean" ? (value as Heard) : undefined;
  } catch {
    return undefined; // no hub of ours
  }
}
