import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import type { SourceSettings } from "@earshot/hub";
import { EarshotError } from "@earshot/protocol/problem";
import { EXIT, type Io } from "../io.ts";
import { VERSION } from "../version.ts";
import { usage } from "./check.ts";

export const START_HELP = `Usage: earshot [start] [options]

Runs the hub: it hears agents on this machine, keeps what they say under ~/.earshot (or EARSHOT_HOME), and passes it on.

  --port N                listen on this port, and on no other (default: 4747, or a free one when that is taken)
  --aop                   listen on 4317 too, where AOP clients look when nobody tells them otherwise
  --strict                refuse events that break a sequence, instead of keeping them with a flag
  --capture LEVEL         how much is kept of what agents say: full (default), summary, minimal; aop=minimal for one protocol
  --keep-secrets SOURCE   do not mask what looks like a credential: all, a protocol, or a source such as aop/local
  --no-open               do not open a browser

Ctrl-C stops it. Nothing that was acknowledged is lost, however it ends.
`;

export async function start(argv: readonly string[], io: Io): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      port: { type: "string" },
      aop: { type: "boolean" },
      strict: { type: "boolean" },
      capture: { type: "string", multiple: true },
      "keep-secrets": { type: "string", multiple: true },
      open: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
    allowNegative: true,
  });
  if (values.help === true) {
    io.out(START_HELP);
    return EXIT.ok;
  }
  const port = values.port === undefined ? undefined : readPort(values.port);
  const { homeOf, readCapture, readSource, startHub } = await import("@earshot/hub");
  const sources: Record<string, Partial<SourceSettings>> = {};
  for (const [source, capture] of (values.capture ?? []).map(readCapture)) sources[source] = { ...sources[source], capture };
  for (const source of (values["keep-secrets"] ?? []).map(readSource)) sources[source] = { ...sources[source], redact: false };
  const home = homeOf(process.env);
  let hub: Awaited<ReturnType<typeof startHub>>;
  try {
    hub = await startHub({
      home,
      version: VERSION,
      aop: values.aop === true,
      strict: values.strict === true,
      sources,
      log: (message) => io.err(`earshot: ${message}\n`),
      ...(port === undefined ? {} : { port }),
    });
  } catch (error) {
    if (port !== undefined || !EarshotError.is(error) || error.problem.code !== "LEDGER_IN_USE") throw error;
    io.out(`Earshot is running already: ${error.problem.message}\n`);
    return EXIT.ok;
  }
  io.out(
    [
      `Earshot ${VERSION} listens at ${hub.url}`,
      ...(values.aop === true ? ["AOP clients that look at port 4317 are heard too."] : []),
      `What is said is kept in ${home.folder}`,
      "",
      "  earshot tail               follow what agents say",
      "  earshot export SESSION     print a session",
      "  earshot refused            what was refused, and why",
      "  earshot verify             check that nothing stored was changed",
      "",
      "Ctrl-C stops it.",
      "",
    ].join("\n"),
  );
  if (values.open !== false && io.terminal.out) openBrowser(hub.url);
  const why = await stopSignal();
  io.err(`earshot: stopping (${why}) …\n`);
  const head = await hub.ledger.head();
  await hub.close();
  io.err(`earshot: stopped at position ${head}.\n`);
  return EXIT.ok;
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port >= 0 && port <= 65_535))
    throw usage(`${JSON.stringify(text)} is no port.`, "--port takes a number from 0 to 65535; 0 is any free one.");
  return port;
}

/** A second Ctrl-C does not wait. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(EXIT.found));
        resolve(signal);
      });
    }
  });
}

/** Best effort: the address is printed as well. */
function openBrowser(url: string): void {
  const [command, ...args] =
    process.platform === "darwin" ? ["open", url] : process.platform === "win32" ? ["cmd", "/c", "start", "", url] : ["xdg-open", url];
  if (process.platform === "linux" && (process.env["DISPLAY"] ?? process.env["WAYLAND_DISPLAY"] ?? "") === "") return;
  const child = spawn(command ?? "", args, { stdio: "ignore", detached: true });
  child.once("error", () => {}); // no browser to be opened: the address was printed
  child.unref();
}
