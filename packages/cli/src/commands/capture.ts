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
reads it. A source that is cut off is waited for, and gone on with. What was captured, and what was left out and why, stands
beside it in FILE.capture.json. The same capture started again with the same FILE goes on where it stopped, also when it was killed.

  URL               an AAEP producer (http, https, ws, wss, unix:/PATH), an AOP collector, or a hub: told apart by looking`,
    options: CAPTURE_OPTIONS,
    notes: `  -- COMMAND        run this, and capture the events that it prints, one per line. It is run once

  --as aaep|aop|hub what URL is, where looking does not tell

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
