import type { AnnouncerFeed, LiveAlert, LiveLedgerEntry } from "@earshot/announcer";
import { isObject, type JsonValue } from "@earshot/protocol";
import { type FollowRequestsOptions, followRequests, type RequestListEvent } from "../inbox/follow-requests.ts";
import { followEntries } from "../tail/follow.ts";

export interface HubFollowing extends Pick<FollowRequestsOptions, "open" | "signal" | "wait"> {
  readonly feed: AnnouncerFeed;
  /** Called after input. */
  readonly onUpdate: () => void;
  readonly onHappening: (happening: RequestListEvent) => Promise<void>;
  /** Called when an absence lasts long enough to mention, and when the hub is back. */
  readonly onAway: () => void;
  readonly onBack: () => void;
}

/** A shorter absence is not mentioned. */
const AWAY_MS = 3000;

/** Feeds the listener from the hub until the signal. After an absence it resumes without a gap. */
export async function followHub({
  feed: ear,
  open,
  signal,
  wait,
  onUpdate: onHeard,
  onHappening,
  onAway,
  onBack,
}: HubFollowing): Promise<void> {
  const absence = watchAbsence(onAway, onBack);
  const entries = async () => {
    for await (const { kind, json, position } of followEntries({ open, signal, wait, filter: { alerts: "1" }, after: "now", ...absence })) {
      const entry = kind === "entry" ? readEntry(json) : undefined;
      const alert = kind === "alert" ? readAlert(json) : undefined;
      ear.handle(
        {
          position,
          entries: entry === undefined ? [] : [entry],
          alerts: alert === undefined ? [] : [alert],
          requests: [],
          leftOut: 0,
        },
        false,
      );
      onHeard();
    }
  };
  const requests = async () => {
    // The connection for entries already reports absences.
    for await (const happening of followRequests({ open, signal, wait, onGone: () => {}, onBack: () => {} })) {
      await onHappening(happening);
      onHeard();
    }
  };
  try {
    await Promise.all([entries(), requests()]);
  } finally {
    absence.onBack();
  }
}

function watchAbsence(onAway: () => void, onBack: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let isTold = false;
  return {
    onGone: () => {
      timer = setTimeout(() => {
        isTold = true;
        onAway();
      }, AWAY_MS);
    },
    onBack: () => {
      clearTimeout(timer);
      if (isTold) onBack();
      isTold = false;
    },
  };
}

const PROTOCOLS = ["aaep", "aep", "aop"] as const;

/** A ledger entry; undefined for anything else. */
function readEntry(json: string): LiveLedgerEntry | undefined {
  const value = parse(json);
  if (!isObject(value)) return undefined;
  const { position, receivedAt, protocol, verified, session, kind, agent, type, event } = value;
  const known = PROTOCOLS.find((one) => one === protocol);
  if (known === undefined || typeof position !== "number" || !isObject(event)) return undefined;
  const text = (one: JsonValue | undefined) => (typeof one === "string" ? one : "");
  return {
    position,
    receivedAt: text(receivedAt),
    protocol: known,
    verified: verified === true,
    session: text(session),
    kind: text(kind),
    agent: text(agent),
    type: text(type),
    event,
  };
}

function readAlert(json: string): LiveAlert | undefined {
  const value = parse(json);
  if (!isObject(value)) return undefined;
  const { type, agent, message, sessionId } = value;
  if (typeof type !== "string" || typeof agent !== "string" || typeof message !== "string" || typeof sessionId !== "string")
    return undefined;
  return { type, agent, message, sessionId };
}

function parse(json: string): JsonValue | undefined {
  try {
    return JSON.parse(json) as JsonValue;
  } catch {
    return undefined; // no frame of a hub
  }
}
