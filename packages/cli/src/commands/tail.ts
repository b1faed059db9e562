import type { RefusedList } from "@earshot/hub";
import { agentSlug, capitalize, formatNumber } from "@earshot/narrate";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { createStyle } from "@earshot/terminal/style";
import { createUsageError } from "@earshot/terminal/usage";
import { type CommandInput, command } from "../command.ts";
import { type HubAccess, openHub, requestFromHub } from "../hub-client.ts";
import { followGate } from "../inbox/gate-lines.ts";
import { readLimit } from "../story/options.ts";
import { type FollowOptions, followEntries, type HubMessage, headPositionOf, reportAbsence } from "../tail/follow.ts";
import { formatLiveEntry, readLiveFrame } from "../tail/live-entry.ts";
import { KNOWN_ALERT_TYPES, tailAlerts } from "../tail/tail-alerts.ts";

/** Everything outside the command: the hub and the stop signal. */
export interface TailPorts {
  readonly open: FollowOptions["open"];
  readonly signal: AbortSignal;
  readonly now?: () => number;
}

const OPTIONS = {
  session: { type: "string", value: "ID", about: "only this session" },
  protocol: { type: "string", value: "P", about: "only these protocols: aaep, aep, aop, separated by commas" },
  type: { type: "string", value: "T", about: "only these types, separated by commas; a * at the end stands for any ending: operation.*" },
  agent: { type: "string", value: "A", about: "only this agent" },
  after: { type: "string", value: "N", about: "begin after this position; without it, from now on" },
  limit: { type: "string", value: "N", about: "with --alerts or --refused: how many (default: 20)" },
  "from-start": { type: "boolean", default: false, about: "begin with the oldest" },
  "no-follow": { type: "boolean", default: false, about: "print what is recorded so far and stop" },
  alerts: {
    type: "boolean",
    default: false,
    about: `instead, show the alerts that the hub raised: ${KNOWN_ALERT_TYPES.join(", ")}; --type and --session filter them`,
  },
  refused: { type: "boolean", default: false, about: "instead, list what the hub refused, newest first, with the reason, and stop" },
  plain: { type: "boolean", default: false, about: "with --alerts and --no-follow: sentences instead of a table" },
  json: { type: "boolean", default: false, about: "print the hub's frames, one JSON object per line" },
} as const;

export const tailCommand = command(
  {
    name: "tail",
    positionals: [],
    about: `Prints events live as the hub receives them, one line each, until you press Ctrl-C. After a restart of the hub it continues
where it stopped.`,
    options: OPTIONS,
    exclusive: [
      ["alerts", "refused"],
      ["after", "from-start"],
    ],
    examples: ["tail --type 'operation.*'", "tail --alerts --no-follow --type loop,stall", "tail --refused --limit 5"],
  },
  async (input, io: CommandIo, ports: TailPorts = ofThisProcess()): Promise<number> => {
    const { values } = input;
    if (values.refused) return listRefused(values.limit, values.json, io, ports.open);
    if (values.alerts) return tailAlerts({ ...values, follow: !values["no-follow"] }, io, { now: Date.now, ...ports });
    const options = readArguments(input);
    const style = createStyle(io.terminal.colour);
    const print = options.json ? (told: HubMessage) => io.out(`${told.json}\n`) : (told: HubMessage) => io.out(`${lineOf(told)}\n`);
    const lineOf = ({ json }: HubMessage) => {
      const heard = readLiveFrame(json);
      return heard === undefined ? "The hub sent a message that is not an event." : formatLiveEntry(heard, style);
    };
    // The state of the gates is no event, so it is printed on standard error.
    if (options.follow) void followGate({ ...ports, print: (line) => io.err(`earshot: ${line}\n`) });
    let end = Number.POSITIVE_INFINITY;
    const told = followEntries({
      ...ports,
      filter: options.filter,
      after: options.after,
      ...reportAbsence(io),
    });
    for await (const one of told) {
      // The hub's first message contains the last position.
      if (!options.follow && end === Number.POSITIVE_INFINITY) end = headPositionOf(one) ?? end;
      if (one.kind === "entry" && one.position <= end) print(one);
      if (one.position >= end) break;
    }
    return EXIT.ok;
  },
);

function readArguments({ values }: CommandInput<typeof OPTIONS>) {
  if (values.limit !== undefined) throw createUsageError("--limit is for --alerts and --refused.", "earshot tail --help");
  if (values.after !== undefined && !/^(\d{1,15}|now)$/.test(values.after))
    throw createUsageError(`--after cannot be ${JSON.stringify(values.after)}.`, "Give a position: a whole number from 0 on.");
  const { session, protocol, type } = values;
  const agent = values.agent === undefined ? undefined : agentSlug(values.agent);
  const filter = Object.entries({ session, protocol, type, agent }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return {
    filter: Object.fromEntries(filter) as Readonly<Record<string, string>>,
    // Without following, existing entries are wanted.
    after: values.after ?? (values["from-start"] || values["no-follow"] ? "0" : "now"),
    follow: !values["no-follow"],
    json: values.json,
  };
}

function ofThisProcess(): TailPorts {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
  return { open: () => openHub(process.env), signal: stop.signal };
}

const SHOWN = 200;

/** `earshot tail --refused`: refused events, newest first. */
async function listRefused(limit: string | undefined, json: boolean, io: CommandIo, open: () => Promise<HubAccess>): Promise<number> {
  const response = await requestFromHub(await open(), `/api/refused?limit=${readLimit(limit, 20, 1000)}`);
  const answer = (await response.json()) as RefusedList;
  io.out(
    json
      ? `${JSON.stringify(answer, null, 2)}
`
      : describe(answer),
  );
  return EXIT.ok;
}

function describe({ refused: list, counts }: RefusedList): string {
  const lines: string[] = [];
  for (const { number, receivedAt, source, problem, text, sizeBytes } of list) {
    const place = [problem.rule, problem.pointer].filter((one) => one !== undefined && one !== "").join(" at ");
    lines.push(
      `${number}. ${new Date(receivedAt).toISOString()}, from ${plainText(source)}, ${formatNumber(sizeBytes)} bytes: ${problem.code}${place === "" ? "" : ` (${plainText(place)})`}`,
    );
    lines.push(`   ${plainText(problem.message)}`);
    if (problem.hint !== undefined) lines.push(`   To do: ${plainText(problem.hint)}`);
    if (text !== "") lines.push(`   Sent: ${plainText(text.slice(0, SHOWN))}${text.length > SHOWN ? "…" : ""}`);
  }
  if (list.length === 0) lines.push("Nothing was refused.");
  for (const { what, source, howMany, lastAt } of counts) {
    lines.push(`${capitalize(what)}: ${formatNumber(howMany)} from ${plainText(source)}, last at ${new Date(lastAt).toISOString()}.`);
  }
  return `${lines.join("\n")}\n`;
}
