import type { AccountView, Alert, AttachmentList, ControlView, Listed, RequestList, SessionView } from "@earshot/hub";
import { agentName, formatAgo, formatCount, formatTime } from "@earshot/narrate";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { command } from "../command.ts";
import type { StartGreeting } from "../first-approver.ts";
import { findHub, type HubAccess, requestFromHub } from "../hub-client.ts";
import { gateLines } from "../inbox/gate-lines.ts";
import { findRunningHub } from "../running-hub.ts";
import { PLAIN_OPTION, shortIds, tableLines, wantsTable } from "../terminal/table.ts";

export const statusCommand = command(
  {
    name: "status",
    positionals: [],
    about: `Shows whether the hub is running and since when, connected agents, pending requests, whether you are away or have paused it, alerts, and agents whose actions are not gated. The exit code is 1 when no hub runs or an agent is not gated.`,
    options: {
      ...PLAIN_OPTION,
      json: { type: "boolean", default: false, about: "print as JSON" },
    },
  },
  async ({ values }, io: CommandIo, env: NodeJS.ProcessEnv = process.env): Promise<number> => {
    const hub = await findHub(env);
    if (hub === undefined) {
      // Without a hub the number of open requests is unknown; do not report it as zero.
      io.out(
        values.json
          ? `${JSON.stringify({ running: false })}\n`
          : "No hub is running, so no request can be approved. Start it: earshot start\n",
      );
      return EXIT.found;
    }
    const standing = await readStanding(hub, env);
    if (values.json) io.out(`${JSON.stringify(toJson(hub, standing), null, 2)}\n`);
    else
      for (const line of standingLines(hub, standing, {
        isTable: await wantsTable(io, values.plain),
        width: io.terminal.width,
        now: Date.now(),
      }))
        io.out(`${line}\n`);
    return standing.control.notGated.length === 0 ? EXIT.ok : EXIT.found;
  },
);

interface Standing {
  readonly version: string | undefined;
  readonly startedAt: string | undefined;
  readonly control: ControlView;
  readonly open: number;
  readonly sessions: readonly SessionView[];
  readonly sources: number;
  readonly alerts: readonly Alert[];
  /** Unseen alarms about gates and credentials. */
  readonly alarms: StartGreeting["alarms"];
}

const MAX_SESSIONS = 20;
const RECENT_MS = 86_400_000;

async function readStanding(hub: HubAccess, env: NodeJS.ProcessEnv): Promise<Standing> {
  const read = async <Answer>(path: string) => (await (await requestFromHub(hub, path)).json()) as Answer;
  const running = await findRunningHub(env);
  const own = running?.url === hub.url ? running : undefined;
  const [control, requests, sessions, attachments, alerts, { alarms }] = await Promise.all([
    read<ControlView>("/api/control"),
    read<RequestList>("/api/requests?state=open&limit=1"),
    read<Listed<SessionView>>(`/api/sessions?status=running,waiting,stalled&limit=${MAX_SESSIONS}`),
    read<AttachmentList>("/api/attachments"),
    read<Listed<Alert>>("/api/alerts?limit=20"),
    read<AccountView>("/api/me"),
  ]);
  return {
    version: own?.version,
    startedAt: own?.startedAt,
    control,
    open: requests.open,
    sessions: sessions.items,
    sources: attachments.attachments.length,
    alerts: alerts.items.filter(({ at }) => at > Date.now() - RECENT_MS),
    alarms,
  };
}

function toJson({ url }: HubAccess, { control, sessions, alerts, ...rest }: Standing): object {
  const connected = sessions.map(({ id, agent, status, protocol, source, lastHeardAt }) => ({
    id,
    agent,
    status,
    protocol,
    source,
    lastHeardAt,
  }));
  return { running: true, url, ...rest, alerts: alerts.length, connected, ...control };
}

interface Layout {
  readonly isTable: boolean;
  readonly width: number;
  readonly now: number;
}

function standingLines(hub: HubAccess, standing: Standing, layout: Layout): readonly string[] {
  const { version, startedAt, control, open, sources, alerts, alarms } = standing;
  const { now } = layout;
  const since = startedAt === undefined ? "" : `, since ${formatTime(Date.parse(startedAt), now)}`;
  const { pause, away, stopped } = control;
  return [
    `The hub runs at ${plainText(hub.url)}${version === undefined ? "" : ` (Earshot ${plainText(version)})`}${since}.`,
    ...gateLines(control),
    ...alarmLines(alarms, now),
    open === 0 ? "Nothing waits for an answer." : `${formatCount(open, "request waits", "requests wait")} for an answer: earshot inbox`,
    ...(pause === null
      ? []
      : [`Paused until ${formatTime(Date.parse(pause.until), now)}: agents decide everything themselves. To end it: earshot pause off`]),
    ...(away === null ? [] : [`You are away since ${formatTime(Date.parse(away.since), now)}. When you are back: earshot away off`]),
    ...(stopped.length === 0 ? [] : [`${formatCount(stopped.length, "session is", "sessions are")} stopped: earshot away lists them.`]),
    ...sessionLines(standing, layout),
    ...(sources === 0 ? [] : [`It follows ${formatCount(sources, "AAEP producer")}: earshot source list`]),
    alerts.length === 0
      ? "No alerts in the last 24 hours."
      : `${formatCount(alerts.length, "alert")} in the last 24 hours: earshot tail --alerts`,
  ];
}

const MAX_ALARMS = 5;

function alarmLines(alarms: Standing["alarms"], now: number): readonly string[] {
  const newest = alarms.slice(-MAX_ALARMS).toReversed();
  const lines = newest.map(({ at, message }) => `ALARM, ${formatAgo(Date.parse(at), now)}: ${plainText(message)}`);
  if (alarms.length === 0) return lines;
  const rest = alarms.length - newest.length;
  return [
    ...lines,
    `${rest === 0 ? "" : `${formatCount(rest, "older alarm")} not shown. `}An approver takes note of alarms in the dashboard.`,
  ];
}

/** The active agents. */
function sessionLines({ sessions }: Standing, { isTable, width, now }: Layout): readonly string[] {
  if (sessions.length === 0) return ["No agent is at work."];
  const ids = shortIds(sessions.map(({ id }) => id));
  const cells = sessions.map(({ agent, status, goal = "", lastHeardAt }, index) => [
    plainText(agentName(agent)),
    status,
    formatAgo(lastHeardAt, now),
    plainText(goal),
    plainText(ids[index] ?? ""),
  ]);
  if (isTable) return tableLines(["Agent", "State", "Last event", "Goal", "Session"], cells, { width, cut: 3 });
  return [
    `${formatCount(sessions.length, "agent is", "agents are")} at work:`,
    ...cells.map(
      ([agent, state, lastEvent, goal = "", id]) =>
        `${agent}, ${state}, last event ${lastEvent}, session ${id}${goal === "" ? "" : `: ${goal.replace(/\.$/, "")}`}.`,
    ),
  ];
}
