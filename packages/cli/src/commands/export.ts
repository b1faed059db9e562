import { once } from "node:events";
import type { SessionView } from "@earshot/hub";
import { HUB_SOURCE } from "@earshot/hub/home";
import { EarshotError, membersOf } from "@earshot/protocol";
import { endsSession, RecordingWriter } from "@earshot/recordings/capture";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { createUsageError } from "@earshot/terminal/usage";
import { type CommandInput, command } from "../command.ts";
import { type HubAccess, linesOfResponse, openHub, requestFromHub } from "../hub-client.ts";
import { readDuration } from "../keeping/quantities.ts";
import { findSessionByName, ViewReader } from "../story/view-reader.ts";
import { followEntries, headPositionOf, reportAbsence } from "../tail/follow.ts";

const OPTIONS = {
  all: { type: "boolean", default: false, about: "every session, in the order in which the hub received the events" },
  follow: { type: "boolean", short: "f", default: false, about: "continue with new events: until the session ends, or until Ctrl-C" },
  "from-now": { type: "boolean", default: false, about: "with --follow: leave out earlier events" },
  for: { type: "string", value: "30s", about: "with --follow: stop after this time: s, m, h, d" },
  out: { type: "string", short: "o", value: "FILE", about: "write to this new file; without it, or with -, print" },
  protocol: {
    type: "string",
    choices: ["aaep", "aep", "aop"],
    about: "which session is meant, when several protocols use the same id",
  },
  source: { type: "string", value: "NAME", about: "which session is meant, when several sources use the same id" },
} as const;

/** Everything outside the command: the hub, the stop signal, and the output. */
export interface ExportPorts {
  readonly open: () => Promise<HubAccess>;
  readonly signal: AbortSignal;
  /** Fulfills when the printed text was accepted. */
  readonly drained?: () => Promise<void>;
}

export const exportCommand = command(
  {
    name: "export",
    positionals: ["[SESSION]"],
    usage: ["--all [options]"],
    about: `Writes the events of a session as JSON lines, in their original order and exactly as they were sent: a recording for "earshot
check", "replay", "visualize", "diff" and any other tool. With --follow, a lost connection to the hub is made again, and no event is
missing or doubled.`,
    options: OPTIONS,
    examples: ["export 7c1e -o run.jsonl", "export --follow 7c1e", "export --all -o everything.jsonl"],
  },
  async (input, io: CommandIo, ports: ExportPorts = ofThisProcess()): Promise<number> => {
    const { values } = input;
    const name = readSession(input);
    const hub = await ports.open();
    const find = () => findSessionByName(new ViewReader(hub, io), name ?? "", values);
    const lines =
      name === undefined || values.follow
        ? readLive(name === undefined ? undefined : await find(), values, io, ports)
        : linesOfResponse(await askForRecorded(hub, name, values, find));
    using recorder = new RecordingWriter(values.out === "-" ? undefined : values.out, io.out);
    for await (const line of lines) {
      if (line !== undefined) recorder.append(line);
      if (line !== undefined && !recorder.isFull) continue;
      recorder.flush();
      await ports.drained?.();
    }
    return EXIT.ok;
  },
);

type Values = CommandInput<typeof OPTIONS>["values"];

function readSession({ values, positionals: [session] }: CommandInput<typeof OPTIONS>): string | undefined {
  if (values.all === (session !== undefined)) throw createUsageError("Name one session, or say --all.", "`earshot sessions` lists them.");
  const early = values["from-now"] ? "from-now" : values.for === undefined ? undefined : "for";
  if (early !== undefined && !values.follow) throw createUsageError(`--${early} is for --follow.`, "Add --follow.");
  return session;
}

/** The hub finds a whole id directly; a prefix is looked up in the views. */
async function askForRecorded(hub: HubAccess, id: string, values: Values, find: () => Promise<SessionView>): Promise<Response> {
  const { protocol, source } = values;
  const ask = (asked: { readonly session: string; readonly protocol?: string | undefined; readonly source?: string | undefined }) =>
    requestFromHub(
      hub,
      `/api/export?${new URLSearchParams(Object.entries(asked).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))}`,
    );
  try {
    return await ask({ session: id, protocol, source });
  } catch (error) {
    if (!EarshotError.is(error) || error.problem.code !== "NOT_FOUND") throw error;
    const found = await find();
    return ask({ session: found.id, protocol: found.protocol, source: found.source });
  }
}

/** Events from the beginning or from now on, one per line; undefined whenever nothing else is available yet. */
async function* readLive(
  session: SessionView | undefined,
  values: Values,
  io: CommandIo,
  ports: ExportPorts,
): AsyncGenerator<string | undefined, void> {
  const timeout = values.for === undefined ? [] : [AbortSignal.timeout(readDuration(values.for, "--for"))];
  const signal = AbortSignal.any([ports.signal, ...timeout]);
  const told = followEntries({
    open: ports.open,
    filter: session === undefined ? {} : { session: session.id, protocol: session.protocol },
    after: values["from-now"] ? "now" : "0",
    signal,
    ...reportAbsence(io),
  });
  let head: number | undefined;
  let hasEnded = false;
  for await (const one of told) {
    // The first frame tells the newest position: entries up to it are history.
    head ??= headPositionOf(one) ?? one.position;
    if (!values.follow && one.position > head) return;
    const entry = one.kind === "entry" ? readEntry(one.json) : undefined;
    if (entry !== undefined && (session === undefined ? entry.source !== HUB_SOURCE : entry.source === session.source)) {
      hasEnded = session !== undefined && endsSession(entry.type);
      yield entry.text;
    }
    if (one.position < head) continue;
    yield undefined;
    if (!values.follow || hasEnded) return;
  }
}

/** The original text of an event or message. Decisions are entries as well, but no agent sent them. */
function readEntry(json: string): { readonly text: string; readonly type: string; readonly source: string } | undefined {
  const members = new Map(membersOf(json));
  const text = members.get('"event"');
  if (text === undefined || !['"event"', '"message"'].includes(members.get('"kind"') ?? "")) return undefined;
  const read = (key: string) => JSON.parse(members.get(key) ?? '""') as string;
  return { text, type: read('"type"'), source: read('"source"') };
}

function ofThisProcess(): ExportPorts {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
  const drained = async () => {
    if (process.stdout.writableNeedDrain) await once(process.stdout, "drain");
  };
  return { open: () => openHub(process.env), signal: stop.signal, drained };
}
