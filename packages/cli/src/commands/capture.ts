import { once } from "node:events";
import { type OpenPorts, openSource } from "../capture/open-source.ts";
import { readArguments } from "../capture/read-arguments.ts";
import { runCapture } from "../capture/run-capture.ts";
import { EXIT, type Io } from "../io.ts";
import { leanMemory } from "../visualize/lean-memory.ts";

export const CAPTURE_HELP = `Usage: earshot capture URL [-o FILE] [options]
       earshot capture --session ID|--all [-o FILE] [options]
       earshot capture [-o FILE] [options] -- COMMAND [ARGUMENTS]

Writes down what agents say, one event per line, exactly as it was said, and nothing else: "earshot check" and any other tool
reads it. A source that is cut off is waited for, and gone on with. What was captured, and what was left out and why, stands
beside it in FILE.capture.json. The same capture started again with the same FILE goes on where it stopped, also when it was killed.

  URL               an AAEP producer (http, https, ws, wss, unix:/PATH), an AOP collector, or a hub: told apart by looking
  --session ID      this session, of the running hub or of URL. Ends by itself when the session has ended
  --all             everything that the running hub hears
  -- COMMAND        run this, and capture the events that it prints, one per line. It is run once

  -o, --out FILE    write there; without it, or with -, print
  --redact          mask secrets of known shapes before they are written
  --for 30s         stop after so long: s, m, h, d
  --until-ended     stop when every session that was captured has ended
  --follow          with --session: go on when it has ended, too
  --no-follow       capture what is recorded so far and stop; for hubs and collectors
  --from-now        leave out what was said before; for hubs and collectors. AAEP producers always begin with now
  --as aaep|aop|hub what URL is, where looking does not tell
  --speaks aaep     COMMAND is an AAEP producer that speaks JSON-RPC and waits to be asked. Otherwise it prints
  --header TEXT     sent with every request: "Authorization: Bearer …". @FILE reads such lines from a file. May be repeated
  --signed-by FILE  listen only to an AAEP producer whose manifest this public key has signed: PEM or JWK. May be repeated
  --help

Exit code: 0 captured, 1 the command failed, 2 cannot be captured or wrong usage.
`;

export async function capture(argv: readonly string[], io: Io, ports: OpenPorts = ofThisProcess()): Promise<number> {
  if (isHelpAsked(argv)) {
    io.out(CAPTURE_HELP);
    return EXIT.ok;
  }
  const given = readArguments(argv);
  const exit: { said?: string; failed?: boolean } = {};
  const { source, session } = await openSource(given, io, ports, (said, failed) => {
    exit.said = said;
    exit.failed = failed;
  });
  const { into, redacts, untilEnded, forMs } = given;
  await runCapture({ source, into, session, redacts, untilEnded, forMs, exit: () => exit.said }, io, ports);
  return exit.failed === true ? EXIT.found : EXIT.ok;
}

function isHelpAsked(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).some((word) => word === "--help" || word === "-h");
}

function ofThisProcess(): OpenPorts {
  leanMemory();
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
  const drained = async () => {
    if (process.stdout.writableNeedDrain) await once(process.stdout, "drain");
  };
  return { signal: stop.signal, drained, now: Date.now, monotonic: () => performance.now(), env: process.env };
}
