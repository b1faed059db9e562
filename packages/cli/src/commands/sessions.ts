import { parseArgs } from "node:util";
import type { SessionView } from "@earshot/hub";
import { EXIT, type Io } from "../io.ts";
import { commandLine, readLimit, readMoment, readSeveral } from "../story/options.ts";
import { layOut } from "../story/saying.ts";
import { tellSession, tellStatuses } from "../story/tell-session.ts";
import { OF_THIS_PROCESS, type ViewPorts, ViewReader } from "../story/view-reader.ts";
import { createStyle } from "../terminal/style.ts";

export const SESSIONS_HELP = `Usage: earshot sessions [options]

Lists the sessions that the hub has heard, the one heard last first: how it stands, who speaks, what for, what needs a look.

Options:
  --status S       only these, separated by commas: running, waiting, idle, stalled, completed, failed, cancelled, timeout, ended
  --agent A        only of this agent
  --protocol P     only these protocols: aaep, aep, aop, separated by commas
  --since TIME     only those heard since: 2h, 3d, 2026-11-15
  --roots          only those without a parent
  --limit N        how many (default: 20)
  --after CURSOR   go on where a list ended
  --json           print them as JSON
  --help

Examples:
  earshot sessions --status waiting,stalled,failed
  earshot sessions --since 1h --roots
`;

const STATUSES = ["running", "waiting", "idle", "stalled", "completed", "failed", "cancelled", "timeout", "ended"];
const FILTERS = ["status", "agent", "protocol", "since"] as const;

export async function sessions(argv: readonly string[], io: Io, ports: ViewPorts = OF_THIS_PROCESS): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      status: { type: "string" },
      agent: { type: "string" },
      protocol: { type: "string" },
      since: { type: "string" },
      roots: { type: "boolean", default: false },
      limit: { type: "string" },
      after: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    io.out(SESSIONS_HELP);
    return EXIT.ok;
  }
  const now = ports.now();
  const list = await new ViewReader(await ports.open(), io).collect<SessionView>("/api/sessions", {
    status: readSeveral(values.status, "--status", STATUSES),
    agent: values.agent,
    protocol: readSeveral(values.protocol, "--protocol", ["aaep", "aep", "aop"]),
    since: readMoment(values.since, "--since", now),
    roots: values.roots ? true : undefined,
    after: values.after,
    limit: readLimit(values.limit, 20),
  });
  if (values.json) {
    io.out(`${JSON.stringify(list, null, 2)}\n`);
    return EXIT.ok;
  }
  const layout = { width: io.terminal.width, style: createStyle(io.terminal.colour), full: false };
  const filters = FILTERS.flatMap((name) => (values[name] === undefined ? [] : [`--${name}`, values[name]]));
  const again = [...filters, ...(values.roots ? ["--roots"] : []), ...(values.limit === undefined ? [] : ["--limit", values.limit])];
  const lines = [
    list.items.length > 0 ? tellStatuses(list.items) : again.length > 0 ? "No such session was heard." : "No session was heard yet.",
    ...list.items.flatMap((session) => layOut(tellSession(session, now), undefined, layout)),
    ...(list.next === undefined ? [] : [`There are more: ${commandLine("sessions", ...again, "--after", list.next)}`]),
    ...(list.items.length > 0 && io.terminal.out ? ["What happened in one: earshot show SESSION"] : []),
  ];
  io.out(`${lines.join("\n")}\n`);
  return EXIT.ok;
}
