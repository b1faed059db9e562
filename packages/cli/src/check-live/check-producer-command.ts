import { createPublicKey, type KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { EarshotError } from "@earshot/protocol/problem";
import { EXIT, type Io } from "../io.ts";
import { PATIENCE } from "./patience.ts";
import { openPeer, type Target } from "./peer/open-peer.ts";
import { checkProducer } from "./producer/check-producer.ts";
import { keyOf } from "./producer/signed-manifest.ts";
import { readLevel, readSeconds, usage } from "./read-options.ts";
import { DEFAULT_WORDS, defaultSituations, readSituationsFile } from "./situations.ts";
import { writeReport } from "./write-report.ts";

const HELP = `Usage: earshot check producer URL [options]
       earshot check producer [options] -- COMMAND [ARGUMENT...]

Drives a live AAEP producer through scenarios, as a subscriber does, and checks what it says and when.
URL is the address under which its /events and /messages are (http, https), or that of its WebSocket (ws, wss).
A COMMAND is started and spoken to over its standard streams (JSON-RPC), once for each connection.

Options:
  --level 1|2|3        up to which conformance level (default 3)
  --scenarios FILE     JSON: what to send or run to bring this producer into each situation; otherwise it is sent
                       {"kind":"user_input","text":…} with plain words. See docs/check-live.md
  --header "NAME: VALUE"   sent with every request, for example an Authorization; may be given several times
  --key FILE           the public key of its signed manifest: PEM or JWK
  --wait SECONDS       how long something that must come may take (default ${PATIENCE.answerMs / 1000})
  --strict             warnings count as failures
  --require-all        a scenario that could not be shown counts as a failure
  --json               print the report as JSON
  --html FILE          write the report as a page, too
  --help

Situations: ${Object.keys(DEFAULT_WORDS).join(", ")}.
A scenario that could not be reached is "not shown", never passed.
Exit code: 0 nothing failed, 1 something did, 2 nothing could be shown, or wrong usage.
`;

export async function checkProducerCommand(argv: readonly string[], io: Io): Promise<number> {
  const divider = argv.indexOf("--");
  const { values, positionals } = parseArgs({
    args: divider < 0 ? [...argv] : argv.slice(0, divider),
    allowPositionals: true,
    options: {
      level: { type: "string", default: "3" },
      scenarios: { type: "string" },
      header: { type: "string", multiple: true, default: [] },
      key: { type: "string" },
      wait: { type: "string" },
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
  const target = readTarget(positionals, divider < 0 ? undefined : argv.slice(divider + 1));
  const level = readLevel(values.level);
  const situations = values.scenarios === undefined ? defaultSituations() : await readSituationsFile(values.scenarios);
  const manifestKey = values.key === undefined ? undefined : await readKey(values.key);
  const answerMs = values.wait === undefined ? PATIENCE.answerMs : readSeconds("--wait", values.wait) * 1000;
  const peer = openPeer(target, readHeaders(values.header));
  try {
    const report = await checkProducer({
      peer,
      level,
      situations,
      manifestKey,
      patience: { ...PATIENCE, answerMs },
      strict: values.strict,
      requiresAll: values["require-all"],
      onScenario: ({ name }, index, of) => {
        if (io.terminal.err) io.err(`Scenario ${index + 1} of ${of}: ${name}\n`);
      },
    });
    return await writeReport(report, { json: values.json, html: values.html }, io);
  } finally {
    await peer.close();
  }
}

function readTarget(positionals: readonly string[], command: readonly string[] | undefined): Target {
  const [url, more] = positionals;
  if (command !== undefined && command.length > 0 && url === undefined) return { command };
  if (command === undefined && url !== undefined && more === undefined) return { url };
  throw usage(
    "It takes one address, or -- and a command.",
    "earshot check producer http://127.0.0.1:8090/aaep/v1, or earshot check producer -- node agent.js",
  );
}

function readHeaders(given: readonly string[]): Readonly<Record<string, string>> {
  const pairs = given.map((header) => {
    const colon = header.indexOf(":");
    if (colon < 1)
      throw usage(`--header cannot be ${JSON.stringify(header.slice(0, 20))}.`, 'Write it as in "Authorization: Bearer TOKEN".');
    return [header.slice(0, colon).trim().toLowerCase(), header.slice(colon + 1).trim()] as const;
  });
  return Object.fromEntries(pairs);
}

async function readKey(path: string): Promise<KeyObject> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new EarshotError({ code: "FILE_UNREADABLE", message: `${path} cannot be read.` }, { cause });
  });
  try {
    const key = text.trimStart().startsWith("{") ? keyOf(JSON.parse(text)) : createPublicKey(text);
    if (key !== undefined) return key;
  } catch {
    // Told below: it is no key, whatever the library calls it.
  }
  throw usage(`${path} holds no public key.`, "Give a PEM file, or a JWK as JSON.");
}
