import { createPublicKey, type KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { EarshotError } from "@earshot/protocol/problem";
import {
  checkProducer,
  DEFAULT_PATIENCE,
  DEFAULT_PROMPTS,
  defaultSituations,
  openPeer,
  type PeerTarget,
  publicKeyOf,
  readLevel,
  readSeconds,
  readSituationsFile,
  writeLiveReport,
} from "@earshot/recordings/check-live";
import type { CommandIo } from "@earshot/terminal/io";
import { createUsageError } from "@earshot/terminal/usage";
import { command } from "../command.ts";

export const checkProducerCommand = command(
  {
    name: "check producer",
    positionals: ["[URL]"],
    usage: ["[options] -- COMMAND [ARGUMENT…]"],
    takesCommand: true,
    about: `Drives a live AAEP producer through scenarios as a subscriber, and checks its events and their timing.
URL is the base address of its /events and /messages (http, https), or the address of its WebSocket (ws, wss).
A COMMAND is started once for each connection and speaks JSON-RPC over its standard streams.`,
    options: {
      level: { type: "string", default: "3", choices: ["1", "2", "3"], about: "the highest conformance level to check (default 3)" },
      scenarios: {
        type: "string",
        value: "FILE",
        about:
          'JSON: what to send or run for each situation (default: {"kind":"user_input","text":…} with a plain sentence). See docs/check-live.md',
      },
      header: {
        type: "string",
        multiple: true,
        default: [],
        value: '"NAME: VALUE"',
        about: "sent with every request, for example an Authorization; may be given several times",
      },
      key: { type: "string", value: "FILE", about: "the public key of its signed manifest: PEM or JWK" },
      wait: { type: "string", value: "SECONDS", about: "how long to wait for a required event (default 10)" },
      strict: { type: "boolean", default: false, about: "warnings count as failures" },
      "require-all": { type: "boolean", default: false, about: "a scenario that was not shown counts as a failure" },
      json: { type: "boolean", default: false, about: "print the report as JSON" },
      html: { type: "string", value: "FILE", about: "also write the report as an HTML page" },
    },
    notes: `Situations: ${Object.keys(DEFAULT_PROMPTS).join(", ")}.

A scenario that could not be reached is reported as "not shown", never as passed.
Exit code: 0 nothing failed, 1 something failed, 2 nothing was shown, or wrong usage.`,
  },
  async (input, io: CommandIo): Promise<number> => {
    const { values, positionals } = input;
    const target = readTarget(positionals, input.command);
    const level = readLevel(values.level);
    const situations = values.scenarios === undefined ? defaultSituations() : await readSituationsFile(values.scenarios);
    const manifestKey = values.key === undefined ? undefined : await readKey(values.key);
    const answerMs = values.wait === undefined ? DEFAULT_PATIENCE.answerMs : readSeconds("--wait", values.wait) * 1000;
    const peer = openPeer(target, readHeaders(values.header));
    try {
      const report = await checkProducer({
        peer,
        level,
        situations,
        manifestKey,
        patience: { ...DEFAULT_PATIENCE, answerMs },
        strict: values.strict,
        requiresAll: values["require-all"],
        onScenario: ({ name }, index, of) => {
          if (io.terminal.err) io.err(`Scenario ${index + 1} of ${of}: ${name}\n`);
        },
      });
      return await writeLiveReport(report, { json: values.json, html: values.html }, io);
    } finally {
      await peer.close();
    }
  },
);

function readTarget(positionals: readonly string[], command: readonly string[] | undefined): PeerTarget {
  const [url, more] = positionals;
  if (command !== undefined && command.length > 0 && url === undefined) return { command };
  if (command === undefined && url !== undefined && more === undefined) return { url };
  throw createUsageError(
    "It takes one address, or -- and a command.",
    "earshot check producer http://127.0.0.1:8090/aaep/v1, or earshot check producer -- node agent.js",
  );
}

function readHeaders(given: readonly string[]): Readonly<Record<string, string>> {
  const pairs = given.map((header) => {
    const colon = header.indexOf(":");
    if (colon < 1)
      throw createUsageError(`--header cannot be ${JSON.stringify(header.slice(0, 20))}.`, 'Write it as in "Authorization: Bearer TOKEN".');
    return [header.slice(0, colon).trim().toLowerCase(), header.slice(colon + 1).trim()] as const;
  });
  return Object.fromEntries(pairs);
}

async function readKey(path: string): Promise<KeyObject> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new EarshotError({ code: "FILE_UNREADABLE", message: `${path} cannot be read.` }, { cause });
  });
  try {
    const key = text.trimStart().startsWith("{") ? publicKeyOf(JSON.parse(text)) : createPublicKey(text);
    if (key !== undefined) return key;
  } catch {
    // Reported below as an invalid key, independent of the library's message.
  }
  throw createUsageError(`${path} contains no public key.`, "Give a PEM file, or a JWK as JSON.");
}
