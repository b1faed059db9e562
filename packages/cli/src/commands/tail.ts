import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openHub } from "../hub-client.ts";
import { EXIT, type Io } from "../io.ts";
import { type FollowOptions, follow, headOf, type Told } from "../tail/follow.ts";
import { formatHeard } from "../tail/format-heard.ts";
import { readHeard } from "../tail/heard.ts";
import { createStyle } from "../terminal/style.ts";
import { usage } from "../usage.ts";

export const TAIL_HELP = `Usage: earshot tail [options]

Follows live what the hub hears: one line per event, until you press Ctrl-C. A hub that restarts is followed again from
where it stopped.

Options:
  --session ID     only this session
  --protocol P     only these protocols: aaep, aep, aop, separated by commas
  --type T         only these types, separated by commas; a * at the end stands for any ending: operation.*
  --agent A        only this agent
  --after N        begin after this position; without it, from now on
  --from-start     begin with the oldest
  --no-follow      print what is recorded so far and stop
  --json           print the hub's frames, one JSON object per line
  --help
`;

/** What is not the command's own: where the hub is, and when to stop. */
export interface TailPorts {
  readonly open: FollowOptions["open"];
  readonly signal: AbortSignal;
}

export async function tail(argv: readonly string[], io: Io, ports: TailPorts = ofThisProcess()): Promise<number> {
  const options = readArguments(argv);
  if (options === "help") {
    io.out(TAIL_HELP);
    return EXIT.ok;
  }
  const style = createStyle(io.terminal.colour);
  const print = options.json ? (told: Told) => io.out(`${told.json}\n`) : (told: Told) => io.out(`${lineOf(told)}\n`);
  const lineOf = ({ json }: Told) => {
    const heard = readHeard(json);
    return heard === undefined ? "The hub sent something that is no event." : formatHeard(heard, style);
  };
  let end = Number.POSITIVE_INFINITY;
  const told = follow({
    ...ports,
    filter: options.filter,
    after: options.after,
    wait: (ms) => pause(ms, undefined, { signal: ports.signal }).catch(() => {}), // woken by the signal, which is looked at next
    onGone: () => io.err("earshot: the hub is gone; waiting for it to come back\n"),
    onBack: () => io.err("earshot: the hub is back\n"),
  });
  for await (const one of told) {
    // The first thing a hub says is how far there is to go.
    if (!options.follow && end === Number.POSITIVE_INFINITY) end = headOf(one) ?? end;
    if (one.kind === "entry" && one.position <= end) print(one);
    if (one.position >= end) break;
  }
  return EXIT.ok;
}

function readArguments(argv: readonly string[]) {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      session: { type: "string" },
      protocol: { type: "string" },
      type: { type: "string" },
      agent: { type: "string" },
      after: { type: "string" },
      "from-start": { type: "boolean", default: false },
      "no-follow": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  if (values.after !== undefined && values["from-start"])
    throw usage("--after and --from-start contradict each other.", "Give one of the two.");
  if (values.after !== undefined && !/^(\d{1,15}|now)$/.test(values.after))
    throw usage(`--after cannot be ${JSON.stringify(values.after)}.`, "Give a position: a whole number from 0 on.");
  const { session, protocol, type, agent } = values;
  const filter = Object.entries({ session, protocol, type, agent }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return {
    filter: Object.fromEntries(filter) as Readonly<Record<string, string>>,
    // Whoever does not wait for what comes wants what is there.
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
