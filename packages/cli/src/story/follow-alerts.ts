import { setTimeout as pause } from "node:timers/promises";
import type { Alert } from "@earshot/hub";
import type { HubAccess } from "../hub-client.ts";
import type { Io } from "../io.ts";
import { follow } from "../tail/follow.ts";
import { ViewReader } from "./view-reader.ts";

export interface FollowAlertsOptions {
  readonly io: Io;
  readonly open: () => Promise<HubAccess>;
  readonly signal: AbortSignal;
  readonly session: { readonly key: number; readonly id: string } | undefined;
  readonly types: readonly string[] | undefined;
  readonly print: (alert: Alert) => void;
}

/** No event is called that: only alerts are wanted. */
const NO_EVENTS = "no.event";
const MISSED = 200;

/** Tells alerts as they are raised. What was raised while the hub could not be heard is fetched when it is back. */
export async function followAlerts({ io, open, signal, session, types, print }: FollowAlertsOptions): Promise<void> {
  const views = new ViewReader(await open(), io);
  let last = (await views.collect<Alert>("/api/alerts", { limit: 1 })).items[0]?.number ?? 0;
  const tell = (alert: Alert) => {
    if (alert.number <= last) return;
    last = alert.number;
    if (types === undefined || types.includes(alert.type)) print(alert);
  };
  let wasGone = false;
  const told = follow({
    open,
    filter: { alerts: "1", type: NO_EVENTS, ...(session === undefined ? {} : { session: session.id }) },
    after: "now",
    signal,
    wait: (ms) => pause(ms, undefined, { signal }).catch(() => {}), // woken by the signal, which is looked at next
    onGone: () => {
      wasGone = true;
      io.err("earshot: the hub is gone; waiting for it to come back\n");
    },
    onBack: () => io.err("earshot: the hub is back\n"),
  });
  for await (const one of told) {
    if (wasGone) {
      wasGone = false;
      const since = await new ViewReader(await open(), io).collect<Alert>("/api/alerts", { session: session?.key, limit: MISSED });
      for (const alert of since.items.toReversed()) tell(alert);
    }
    if (one.kind === "alert") tell(JSON.parse(one.json) as Alert);
  }
}
