import type { SessionView } from "@earshot/hub";
import { agentName, agentSlug, type DescriptionWords, describeStatus } from "@earshot/narrate";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { terminalWording } from "@earshot/terminal/narration-lines";
import { plainText } from "@earshot/terminal/plain-text";
import { layOutItem } from "@earshot/terminal/saying";
import { createStyle } from "@earshot/terminal/style";
import { createUsageError } from "@earshot/terminal/usage";
import { command } from "../command.ts";
import { commandLine, LANGUAGE_OPTION, readLanguage, readLimit, readSeveral, readTimeOption } from "../story/options.ts";
import { printCosts } from "../story/print-costs.ts";
import { sessionSaying, statusesLine } from "../story/session-lines.ts";
import { PROCESS_PORTS, type ViewPorts, ViewReader } from "../story/view-reader.ts";
import { listLines, PLAIN_OPTION, shortIds } from "../terminal/table.ts";

const STATUSES = ["running", "waiting", "idle", "stalled", "completed", "failed", "cancelled", "timeout", "ended"];
const FILTERS = ["status", "agent", "protocol", "since"] as const;

export const sessionsCommand = command(
  {
    name: "sessions",
    positionals: [],
    about: "Lists the sessions by their latest event, newest first: status, agent, goal, and alerts.",
    options: {
      status: {
        type: "string",
        value: "S",
        about: "only these, separated by commas: running, waiting, idle, stalled, completed, failed, cancelled, timeout, ended",
      },
      agent: { type: "string", value: "A", about: "only of this agent" },
      protocol: { type: "string", value: "P", about: "only these protocols: aaep, aep, aop, separated by commas" },
      since: { type: "string", value: "TIME", about: "only those with events since: 2h, 3d, 2026-11-15" },
      roots: { type: "boolean", default: false, about: "only those without a parent" },
      limit: { type: "string", value: "N", about: "how many (default: 20)" },
      after: { type: "string", value: "CURSOR", about: "continue a list" },
      costs: {
        type: "boolean",
        default: false,
        about: "instead, add up the costs and tokens that agents reported. Agents that report none are not listed",
      },
      by: {
        type: "string",
        default: "session",
        choices: ["session", "tool", "model", "agent", "day"],
        about: "with --costs: what is added up (default: session)",
      },
      from: { type: "string", value: "DAY", about: "with --costs: from this day on, in UTC: 2026-11-15" },
      to: { type: "string", value: "DAY", about: "with --costs: up to and including this day" },
      session: { type: "string", value: "S", about: "with --costs: only of this session: an id, its beginning, or a key" },
      ...PLAIN_OPTION,
      lang: LANGUAGE_OPTION,
      json: { type: "boolean", default: false, about: "print them as JSON" },
    },
    examples: ["sessions --status waiting,stalled,failed", "sessions --since 1h --roots", "sessions --costs --by model --from 2026-11-01"],
  },
  async ({ values }, io: CommandIo, ports: ViewPorts = PROCESS_PORTS): Promise<number> => {
    const { costs: isCosts, by, from, to, session } = values;
    if (isCosts) return printCosts({ ...values, by, from, to, session }, io, ports);
    if (from !== undefined || to !== undefined || session !== undefined)
      throw createUsageError("--from, --to and --session are for --costs.", "earshot sessions --costs");
    const now = ports.now();
    const list = await new ViewReader(await ports.open(), io).collect<SessionView>("/api/sessions", {
      status: readSeveral(values.status, "--status", STATUSES),
      agent: values.agent === undefined ? undefined : agentSlug(values.agent),
      protocol: readSeveral(values.protocol, "--protocol", ["aaep", "aep", "aop"]),
      since: readTimeOption(values.since, "--since", now),
      roots: values.roots ? true : undefined,
      after: values.after,
      limit: readLimit(values.limit, 20),
    });
    if (values.json) {
      io.out(`${JSON.stringify(list, null, 2)}\n`);
      return EXIT.ok;
    }
    const filters = FILTERS.flatMap((name) => (values[name] === undefined ? [] : [`--${name}`, values[name]]));
    const again = [...filters, ...(values.roots ? ["--roots"] : []), ...(values.limit === undefined ? [] : ["--limit", values.limit])];
    const wording = terminalWording(readLanguage(values.lang));
    const layout = { width: io.terminal.width, style: createStyle(io.terminal.colour), full: false, texts: wording.sessions.texts };
    const { listing } = wording.sessions;
    const ids = shortIds(list.items.map(({ id }) => id));
    const lines = [
      list.items.length > 0 ? statusesLine(list.items, wording) : again.length > 0 ? listing.noMatch : listing.none,
      ...(await listLines(io, values.plain, {
        items: list.items,
        columns: Object.values(listing.columns),
        cut: 2,
        rowOf: (session, index) => rowOf(session, now, ids[index] ?? "", wording),
        sentencesOf: (session, index) => layOutItem(sessionSaying(session, { now, wording, shownId: ids[index] }), undefined, layout),
      })),
      ...(list.next === undefined ? [] : [wording.sessions.listMore(commandLine("sessions", ...again, "--after", list.next))]),
      ...(list.items.length > 0 && io.terminal.out ? [listing.showOne] : []),
    ];
    io.out(`${lines.join("\n")}\n`);
    return EXIT.ok;
  },
);

function rowOf(session: SessionView, now: number, id: string, wording: DescriptionWords) {
  const { sessions } = wording;
  const { agent, status, goal, lastSummary, lastHeardAt, costUsd, counts } = session;
  return [
    describeStatus(status, wording.voice).words.toLowerCase(),
    plainText(agentName(agent)),
    plainText((goal ?? lastSummary ?? "").replaceAll(/\s+/g, " ")),
    [
      ...(counts.openRequests > 0 ? [sessions.listing.asks] : []),
      ...(counts.alerts > 0 ? [sessions.counts.alerts(counts.alerts)] : []),
    ].join(", "),
    costUsd === undefined ? "" : `$${costUsd.toFixed(2)}`,
    wording.ago(lastHeardAt, now),
    plainText(id),
  ];
}
