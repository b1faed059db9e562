import { checkSubscriber, PlayedProducer, readLevel, readSeconds, writeLiveReport } from "@earshot/recordings/check-live";
import { readListenAddress } from "@earshot/recordings/listen-at";
import type { CommandIo } from "@earshot/terminal/io";
import { createUsageError } from "@earshot/terminal/usage";
import { command } from "../command.ts";

const WAIT_SECONDS = 60;

export const checkSubscriberCommand = command(
  {
    name: "check subscriber",
    positionals: [],
    about: `Acts as an AAEP producer at ADDRESS, waits for a subscriber, and checks its requests and replies.
ADDRESS is HOST:PORT, or a port of this machine. It serves server-sent events and WebSocket under /aaep/v1.
Each question says what to answer: answer it in the subscriber, by hand or with a program.`,
    options: {
      listen: { type: "string", value: "ADDRESS", about: "the address to listen on, for example 127.0.0.1:8095" },
      level: { type: "string", default: "3", choices: ["1", "2", "3"], about: "the highest conformance level to check (default 3)" },
      wait: {
        type: "string",
        default: String(WAIT_SECONDS),
        value: "SECONDS",
        about: "how long to wait for the subscriber, and for each answer (default 60)",
      },
      "allow-origin": {
        type: "string",
        multiple: true,
        default: [],
        value: "ORIGIN",
        about: "a page of this origin may subscribe; may be given several times",
      },
      strict: { type: "boolean", default: false, about: "warnings count as failures" },
      "require-all": { type: "boolean", default: false, about: "a scenario that was not shown counts as a failure" },
      json: { type: "boolean", default: false, about: "print the report as JSON" },
      html: { type: "string", value: "FILE", about: "also write the report as an HTML page" },
    },
    notes: `Actions that a subscriber does not report, such as speaking, cannot be checked.
Exit code: 0 nothing failed, 1 something failed, 2 nothing was shown, or wrong usage.`,
  },
  async ({ values }, io: CommandIo): Promise<number> => {
    const level = readLevel(values.level);
    const answerMs = readSeconds("--wait", values.wait) * 1000;
    const reception = await PlayedProducer.open({ ...readAddress(values.listen), origins: values["allow-origin"] });
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
      return await writeLiveReport(report, { json: values.json, html: values.html }, io);
    } finally {
      await reception.close();
    }
  },
);

function readAddress(given: string | undefined): { readonly host: string; readonly port: number } {
  if (given === undefined) throw createUsageError("--listen is missing.", "Give --listen 127.0.0.1:8095, or a port alone.");
  return readListenAddress(given, "--listen");
}
