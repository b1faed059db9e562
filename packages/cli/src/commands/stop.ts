import { homeOf } from "@earshot/hub/home";
import { command } from "../command.ts";
import { EXIT, type Io } from "../io.ts";
import { findRunningHub, stopHub } from "../running-hub.ts";

export const stop = command(
  {
    name: "hub stop",
    positionals: [],
    about: "Stops the hub: what is under way is answered, listeners are told where to resume. Says at which position it stopped.",
    options: {
      json: { type: "boolean", default: false, about: "print the result as JSON" },
    },
  },
  async ({ values }, io: Io): Promise<number> => {
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
  },
);
