import { parseArgs } from "node:util";
import type { Alert } from "@earshot/hub";
import { EXIT, type Io } from "../io.ts";
import { counted } from "../story/amounts.ts";
import { findSession } from "../story/find-session.ts";
import { followAlerts, interruption } from "../story/follow-alerts.ts";
import { commandLine, readLimit, readSeveral } from "../story/options.ts";
import { layOut } from "../story/saying.ts";
import { tellAlert } from "../story/tell-others.ts";
import { OF_THIS_PROCESS, type ViewPorts, ViewReader } from "../story/view-reader.ts";
import { createStyle } from "../terminal/style.ts";

export const ALERTS_HELP = `Usage: earshot alerts [options]

Lists what the hub noticed by itself, newest first: each says what was seen. loop, error_cascade, confidence_drop, stall,
cost_spike, conformance_violation, request_waiting.

Options:
  --session S      only of this session: an id, its beginning, or a key
  --type T         only these types, separated by commas
  --limit N        how many (default: 20)
  --after CURSOR   go on where a list ended
  --follow         then tell new ones as they are raised, until you press Ctrl-C
  --json           print them as JSON; with --follow, one a line
  --help

Examples:
  earshot alerts
  earshot alerts --type loop,stall --session sess_7c1e
  earshot alerts --follow --limit 0
`;

export interface AlertPorts extends ViewPorts {
  /** When to stop following; otherwise when the process is asked to end. */
  readonly signal?: AbortSignal;
}

const TYPES = ["loop", "error_cascade", "confidence_drop", "stall", "cost_spike", "conformance_violation", "request_waiting"];
const FILTERS = ["session", "type", "limit"] as const;

export async function alerts(argv: readonly string[], io: Io, ports: AlertPorts = OF_THIS_PROCESS): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      session: { type: "string" },
      type: { type: "string" },
      limit: { type: "string" },
      after: { type: "string" },
      follow: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    io.out(ALERTS_HELP);
    return EXIT.ok;
  }
  const type = readSeveral(values.type, "--type", TYPES);
  const limit = values.follow && values.limit === "0" ? 0 : readLimit(values.limit, 20);
  const now = ports.now();
  const views = new ViewReader(await ports.open(), io);
  const session = values.session === undefined ? undefined : await findSession(views, values.session);
  const list = await views.collect<Alert>("/api/alerts", { session: session?.key, type, after: values.after, limit });
  const layout = { width: io.terminal.width, style: createStyle(io.terminal.colour), full: false };
  if (values.follow) {
    const print = values.json
      ? (alert: Alert) => io.out(`${JSON.stringify(alert)}\n`)
      : (alert: Alert) => io.out(`${layOut(tellAlert(alert, ports.now()), alert.position, layout).join("\n")}\n`);
    for (const alert of list.items.toReversed()) print(alert);
    await followAlerts({ io, open: ports.open, signal: ports.signal ?? interruption(), session, types: type?.split(","), print });
    return EXIT.ok;
  }
  if (values.json) {
    io.out(`${JSON.stringify(list, null, 2)}\n`);
    return EXIT.ok;
  }
  const again = FILTERS.flatMap((name) => (values[name] === undefined ? [] : [`--${name}`, values[name]]));
  const lines = [
    list.items.length === 0 ? "There are no alerts." : `${counted(list.items.length, "alert")}, newest first.`,
    ...list.items.flatMap((alert) => layOut(tellAlert(alert, now), alert.position, layout)),
    ...(list.next === undefined ? [] : [`There are more: ${commandLine("alerts", ...again, "--after", list.next)}`]),
  ];
  io.out(`${lines.join("\n")}\n`);
  return EXIT.ok;
}
