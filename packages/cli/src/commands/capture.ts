import { once } from "node:events";
import { type OpenPorts, openSource } from "../capture/open-source.ts";
import { CAPTURE_OPTIONS, readArguments } from "../capture/read-arguments.ts";
import { runCapture } from "../capture/run-capture.ts";
import { command } from "../command.ts";
import { EXIT, type Io } from "../io.ts";
import { leanMemory } from "../visualize/lean-memory.ts";

export const capture = command(
  {
    name: "capture",
    positionals: ["[URL]"],
    usage: ["--session ID [options]", "--all [options]", "[options] -- COMMAND [ARGUMENTS]"],
    takesCommand: true,
    about: `Writes down what agents say, one event per line, exactly as it was said, and nothing else: "earshot check" and any other tool
reads it. If the connection to a source is lost, the capture waits for it and continues. FILE.capture.json says what was captured, what
was left out and why. Start the same capture with the same FILE again to continue where it stopped, even after a kill.

  URL               an AAEP producer (http, https, ws, wss, unix:/PATH), an AOP collector, or a hub. Detected when it connects`,
    options: CAPTURE_OPTIONS,
    notes: `  -- COMMAND        run this once, and capture the events that it prints, one per line

Exit code: 0 captured, 1 the command failed, 2 cannot be captured or wrong usage.`,
  },
  async (input, io: Io, ports: OpenPorts = ofThisProcess()): Promise<number> => {
    const given = readArguments(input);
    const exit: { said?: string; failed?: boolean } = {};
    const { source, session } = await openSource(given, io, ports, (said, failed) => {
      exit.said = said;
      exit.failed = failed;
    });
    const { into, redacts, untilEnded, forMs } = given;
    await runCapture({ source, into, session, redacts, untilEnded, forMs, exit: () => exit.said }, io, ports);
    return exit.failed === true ? EXIT.found : EXIT.ok;
  },
);

function ofThisProcess(): OpenPorts {
  leanMemory();
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
  const drained = async () => {
    if (process.stdout.writableNeedDrain) await once(process.stdout, "drain");
  };
  return { signal: stop.signal, drained, now: Date.now, monotonic: () => performance.now(), env: process.env };
}
