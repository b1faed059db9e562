import { parseArgs } from "node:util";
import { homeOf } from "@earshot/hub/home";
import { EXIT, type Io } from "../io.ts";
import { findRunningHub, stopHub } from "../running-hub.ts";

export const STOP_HELP = `Usage: earshot stop [--json]

Stops the hub: what is under way is answered, listeners are told where to resume. Says at which position it stopped.
`;

export async function stop(argv: readonly string[], io: Io): Promise<number> {
  const { values } = parseArgs({ args: [...argv], options: { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } });
  if (values.help === true) {
    io.out(STOP_HELP);
    return EXIT.ok;
  }
  const hub = await findRunningHub(process.env);
  if (hub === undefined) {
    io.out(values.json === true ? `${JSON.stringify({ stopped: false })}\n` : "No hub is running.\n");
    return EXIT.ok;
  }
  await stopHub(hub, process.env);
  const { readStoredHead } = await import("@earshot/hub");
  const position = readStoredHead(homeOf(process.env).ledger);
  const { pid, version, url } = hub;
  io.out(
    values.json === true
      ? `${JSON.stringify({ stopped: true, pid, version, url, position })}\n`
      : `Earshot ${version} (process ${pid}) stopped at position ${position}.\n`,
  );
  return EXIT.ok;
}
