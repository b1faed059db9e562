import { once } from "node:events";
import { hubHomeOf, readAddress } from "@earshot/hub/home";
import { EarshotError } from "@earshot/protocol/problem";
import type { CommandExit } from "@earshot/recordings/capture";
import { type CapturePorts, openSource, runCapture } from "@earshot/recordings/capture";
import { leanMemory } from "@earshot/recordings/lean-memory";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { createUsageError } from "@earshot/terminal/usage";
import { PRODUCER_OPTIONS, toAttachBody } from "../attach/attachments.ts";
import { type CommandInput, command } from "../command.ts";
import { findHub } from "../hub-client.ts";
import { readDuration } from "../keeping/quantities.ts";

const OPTIONS = {
  out: { type: "string", short: "o", value: "FILE", about: "write to this new file; without it, or with -, print" },
  session: { type: "string", value: "ID", about: "only this session. Stops when the session ends" },
  redact: { type: "boolean", default: false, about: "mask secrets of known shapes before they are written" },
  for: { type: "string", value: "30s", about: "stop after this time: s, m, h, d" },
  "until-ended": { type: "boolean", default: false, about: "stop when every session that was captured has ended" },
  follow: { type: "boolean", default: false, about: "with --session: continue after the session ends" },
  "no-follow": { type: "boolean", default: false, about: "capture what is recorded so far and stop; for collectors" },
  "from-now": {
    type: "boolean",
    default: false,
    about: "leave out earlier events; for collectors. AAEP producers only send new events",
  },
  as: { type: "string", choices: ["aaep", "aop"], about: "what URL is, if detection fails" },
  speaks: {
    type: "string",
    choices: ["aaep", "lines"],
    default: "lines",
    about: "aaep: COMMAND is an AAEP producer that speaks JSON-RPC and waits for a request. lines: it prints events (default)",
  },
  ...PRODUCER_OPTIONS,
} as const;

interface CommandPorts extends CapturePorts {
  readonly env: Readonly<Record<string, string | undefined>>;
}

const HINT = "earshot capture URL, or earshot capture -- COMMAND; and -o FILE";

export const captureCommand = command(
  {
    name: "capture",
    positionals: ["[URL]"],
    usage: ["[options] -- COMMAND [ARGUMENTS]"],
    takesCommand: true,
    about: `Writes down the events of an agent that does not report to the hub, one event per line, exactly as it was sent: "earshot check"
and any other tool reads it. If the connection to a source is lost, the capture connects again and continues. To write down what the
hub records, use "earshot export --follow".

  URL               an AAEP producer (http, https, ws, wss, unix:/PATH) or an AOP collector. Detected when it connects`,
    options: OPTIONS,
    exclusive: [
      ["follow", "no-follow"],
      ["follow", "until-ended"],
      ["no-follow", "from-now"],
    ],
    notes: `  -- COMMAND        run this once, and capture the events that it prints, one per line

Exit code: 0 captured, 1 the command failed, 2 cannot be captured or wrong usage.`,
    examples: ["capture http://127.0.0.1:9000/aaep/v1 -o run.jsonl", "capture -o run.jsonl -- node agent.js"],
  },
  async (input, io: CommandIo, ports: CommandPorts = ofThisProcess()): Promise<number> => {
    const options = readArguments(input, ports);
    let exit: CommandExit | undefined;
    const source = await openSource(options, io, ports, (ended) => {
      exit = ended;
      const { code, killed } = ended;
      io.err(`earshot: ${killed === null ? `the command ended with code ${code}` : `the command was ended by ${killed}`}\n`);
    });
    await runCapture({ ...options, source }, io, ports);
    return exit !== undefined && exit.code !== 0 && !exit.wasStopped ? EXIT.found : EXIT.ok;
  },
);

function readArguments({ values, positionals, command: words }: CommandInput<typeof OPTIONS>, { env }: CommandPorts) {
  const [url] = positionals;
  const { session, out, follow } = values;
  if (words !== undefined && words.length === 0)
    throw createUsageError("There is no command after --.", "earshot capture -o run.jsonl -- node agent.js");
  if (url !== undefined && words !== undefined) throw createUsageError("Name one source: an address, or a command after --.", HINT);
  if (url === undefined && words === undefined)
    throw createUsageError("Say what to capture.", `${HINT}. What the hub records: earshot export --follow SESSION`);
  if (session === "") throw createUsageError("The name of the session is empty.", "Give the id of a session.");
  if (values.as !== undefined && url === undefined) throw createUsageError("--as says what an address is.", HINT);
  if (words !== undefined && (values["no-follow"] || values["from-now"]))
    throw createUsageError("A command has no history: --no-follow and --from-now are for collectors.", HINT);
  return {
    command: words ?? [],
    url,
    session,
    kind: values.as,
    speaks: values.speaks,
    into: out === "-" ? undefined : out,
    redacts: values.redact,
    forMs: values.for === undefined ? undefined : readDuration(values.for, "--for"),
    untilEnded: values["until-ended"] || (session !== undefined && !follow),
    follows: !values["no-follow"],
    begin: values["from-now"] ? ("now" as const) : ("start" as const),
    ...credentialsFor(url, values.header, values["signed-by"], env),
  };
}

/** The user's own hub gets the credential of the user's own commands; no other host does. */
function credentialsFor(url: string | undefined, lines: readonly string[], keyFiles: readonly string[], env: CommandPorts["env"]) {
  if (url === undefined) return { headers: async () => ({}), keys: [] };
  const body = toAttachBody({ url, command: [], headers: lines, keyFiles, cwd: process.cwd() });
  const { headers: given = {}, keys = [] } = "url" in body ? body : {};
  const shown = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  const host = URL.canParse(url) ? new URL(url).host : "";
  const headers = async (): Promise<Readonly<Record<string, string>>> => {
    if (lines.length > 0 || host === "") return shown;
    const own = await findHub(env);
    if (own !== undefined) return new URL(own.url).host === host ? own.headers : shown;
    const known = readAddress(hubHomeOf(env))?.url;
    // A starting hub would refuse a request without a credential.
    if (known === undefined || new URL(known).host !== host || (await isOtherProgram(known))) return shown;
    throw new EarshotError({ code: "PRODUCER_UNREACHABLE", message: `The hub at ${known} does not answer yet.` });
  };
  return { headers, keys };
}

async function isOtherProgram(url: string): Promise<boolean> {
  return fetch(`${url}/health`, { signal: AbortSignal.timeout(ASK_MS) }).then(
    async (response) => ((await response.json().catch(() => undefined)) as { readonly ok?: unknown } | undefined)?.ok !== true,
    () => false,
  );
}

const ASK_MS = 5000;

function ofThisProcess(): CommandPorts {
  leanMemory();
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
  const drained = async () => {
    if (process.stdout.writableNeedDrain) await once(process.stdout, "drain");
  };
  return { signal: stop.signal, drained, now: Date.now, monotonic: () => performance.now(), env: process.env };
}
