import type { Alert, AlertType } from "@earshot/hub";
import { formatCount } from "@earshot/narrate";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { layOutItem } from "@earshot/terminal/saying";
import { createStyle } from "@earshot/terminal/style";
import type { HubAccess } from "../hub-client.ts";
import { ALERT_COLUMNS, alertRow, alertSaying } from "../story/list-lines.ts";
import { commandLine, readLimit, readSeveral } from "../story/options.ts";
import { findSessionByName, type ViewPorts, ViewReader } from "../story/view-reader.ts";
import { listLines } from "../terminal/table.ts";
import { followEntries, reportAbsence } from "./follow.ts";

export interface AlertPorts extends ViewPorts {
  /** Stops following. */
  readonly signal: AbortSignal;
}

/** A record, so that the compiler finds a type that the hub has and this list has not. */
const TYPES: Readonly<Record<AlertType, true>> = {
  loop: true,
  error_cascade: true,
  confidence_drop: true,
  stall: true,
  cost_spike: true,
  conformance_violation: true,
  request_waiting: true,
};
export const KNOWN_ALERT_TYPES: readonly string[] = Object.keys(TYPES);
const FILTERS = ["session", "type", "limit"] as const;

export interface AlertOptions {
  readonly plain: boolean;
  readonly session: string | undefined;
  readonly type: string | undefined;
  readonly limit: string | undefined;
  readonly after: string | undefined;
  readonly follow: boolean;
  readonly json: boolean;
}

/** `earshot tail --alerts`: the existing alerts, then new ones. */
export async function tailAlerts(options: AlertOptions, io: CommandIo, ports: AlertPorts): Promise<number> {
  const { follow, json } = options;
  const type = readSeveral(options.type, "--type", KNOWN_ALERT_TYPES);
  const limit = follow && options.limit === "0" ? 0 : readLimit(options.limit, 20);
  const views = new ViewReader(await ports.open(), io);
  const session = options.session === undefined ? undefined : await findSessionByName(views, options.session);
  const list = await views.collect<Alert>("/api/alerts", { session: session?.key, type, after: options.after, limit });
  const layout = { width: io.terminal.width, style: createStyle(io.terminal.colour), full: false };
  const linesOf = (alert: Alert) => layOutItem(alertSaying(alert, ports.now()), alert.position, layout);
  if (follow) {
    const print = (alert: Alert) => io.out(json ? `${JSON.stringify(alert)}\n` : `${linesOf(alert).join("\n")}\n`);
    for (const alert of list.items.toReversed()) print(alert);
    await followAlerts({ io, open: ports.open, signal: ports.signal, session, types: type?.split(","), print });
    return EXIT.ok;
  }
  if (json) {
    io.out(`${JSON.stringify(list, null, 2)}\n`);
    return EXIT.ok;
  }
  const again = FILTERS.flatMap((name) => (options[name] === undefined ? [] : [`--${name}`, options[name]]));
  const lines = [
    list.items.length === 0 ? "No alerts." : `${formatCount(list.items.length, "alert")}, newest first.`,
    ...(await listLines(io, options.plain, {
      items: list.items,
      columns: ALERT_COLUMNS,
      cut: ALERT_COLUMNS.length - 1,
      rowOf: (alert) => alertRow(alert, ports.now()),
      sentencesOf: linesOf,
    })),
    ...(list.next === undefined
      ? []
      : [`There are more: ${commandLine("tail", "--alerts", "--no-follow", ...again, "--after", list.next)}`]),
  ];
  io.out(`${lines.join("\n")}\n`);
  return EXIT.ok;
}

interface FollowAlertsOptions {
  readonly io: CommandIo;
  readonly open: () => Promise<HubAccess>;
  readonly signal: AbortSignal;
  readonly session: { readonly key: number; readonly id: string } | undefined;
  readonly types: readonly string[] | undefined;
  readonly print: (alert: Alert) => void;
}

/** No event has this type: only alerts are wanted. */
const NO_EVENTS = "no.event";
const MISSED = 200;

/** Prints alerts as they are raised. Alerts raised during an absence are fetched afterwards. */
async function followAlerts({ io, open, signal, session, types, print }: FollowAlertsOptions): Promise<void> {
  const views = new ViewReader(await open(), io);
  let last = (await views.collect<Alert>("/api/alerts", { limit: 1 })).items[0]?.number ?? 0;
  const tell = (alert: Alert) => {
    if (alert.number <= last) return;
    last = alert.number;
    if (types === undefined || types.includes(alert.type)) print(alert);
  };
  const absence = reportAbsence(io);
  let wasGone = false;
  const told = followEntries({
    open,
    filter: { alerts: "1", type: NO_EVENTS, ...(session === undefined ? {} : { session: session.id }) },
    after: "now",
    signal,
    onGone: (why) => {
      wasGone = true;
      absence.onGone(why);
    },
    onBack: absence.onBack,
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
