import { parseArgs } from "node:util";
import { EXIT, type Io } from "../io.ts";
import { readListenAddress } from "../listen-at.ts";
import { readLevel, readSeconds, usage } from "./read-options.ts";
import { checkSubscriber } from "./subscriber/check-subscriber.ts";
import { Reception } from "./subscriber/reception.ts";
import { writeReport } from "./write-report.ts";

const WAIT_SECONDS = 60;

const HELP = `Usage: earshot check subscriber --listen ADDRESS [options]

Plays an AAEP producer at ADDRESS, waits for a subscriber, and checks how it listens and answers.
ADDRESS is HOST:PORT, or a port of this machine. HTTP with server-sent events and WebSocket are served, under /aaep/v1.
The questions say what to answer: do as they say at the subscriber, or let a program do so.

Options:
  --listen ADDRESS       where to wait, for example 127.0.0.1:8095
  --level 1|2|3          up to which conformance level (default 3)
  --wait SECONDS         how long to wait for the subscriber, and for each answer (default ${WAIT_SECONDS})
  --allow-origin ORIGIN  a page of this origin may subscribe; may be given several times
  --strict               warnings count as failures
  --require-all          a scenario that could not be shown counts as a failure
  --json                 print the report as JSON
  --html FILE            write the report as a page, too
  --help

What a subscriber does without saying so, such as speaking, cannot be seen from here.
Exit code: 0 nothing failed, 1 something did, 2 nothing could be shown, or wrong usage.
`;

export async function checkSubscriberCommand(argv: readonly string[], io: Io): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      listen: { type: "string" },
      level: { type: "string", default: "3" },
      wait: { type: "string", default: String(WAIT_SECONDS) },
      "allow-origin": { type: "string", multiple: true, default: [] },
      strict: { type: "boolean", default: false },
      "require-all": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      html: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    io.out(HELP);
    return EXIT.ok;
  }
  const level = readLevel(values.level);
  const answerMs = readSeconds("--wait", values.wait) * 1000;
  const reception = await Reception.open({ ...readAddress(values.listen), origins: values["allow-origin"] });
  io.err(`Waiting for a subscriber at ${reception.url}\n`);
  try {
    const report = await checkSubscriber({
      reception,
      level,
      patience: { answerMs, quietMs: 800, shortSeconds: 5 },
      strict: values.strict,
      requiresAll: values["require-all"],
      onScene: ({ name }, index, of) => {
        if (io.terminal.err) io.err(`Scenario ${index + 1} of ${of}: ${name}\n`);
      },
    });
    return await writeReport(report, { json: values.json, html: values.html }, io);
  } finally {
    await reception.close();
  }
}

function readAddress(given: string | undefined): { readonly host: string; readonly port: number } {
  if (given === undefined) throw usage("It has to wait somewhere.", "Give --listen 127.0.0.1:8095, or a port alone.");
  return readListenAddress(given, "--listen");
}
