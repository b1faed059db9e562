import { hubHomeOf } from "@earshot/hub/home";
import { EarshotError } from "@earshot/protocol/problem";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { VERSION } from "@earshot/terminal/version";
import { command } from "../command.ts";
import { compareVersions } from "../compare-versions.ts";
import { findRunningHub, type RunningHub, stopHub } from "../running-hub.ts";
import { currentService, findInstalledState, installService, processOf, runCommand, runSteps, typedCommandOf } from "../service/install.ts";
import type { LoginService } from "../service/service.ts";
import { awaitHub, startDetached } from "../start-detached.ts";
import { startArgumentsFor } from "../start-words.ts";
import { explainDowngrade } from "../use-running-hub.ts";

export const stopCommand = command(
  {
    name: "hub stop",
    positionals: [],
    about: "Stops the hub: it answers pending HTTP requests, sends listeners the position to resume from, and prints its last position.",
    options: {
      json: { type: "boolean", default: false, about: "print the result as JSON" },
    },
  },
  async ({ values }, io: CommandIo): Promise<number> => {
    const hub = await findRunningHub(process.env);
    if (hub === undefined) {
      io.out(values.json === true ? `${JSON.stringify({ stopped: false })}\n` : "No hub is running.\n");
      return EXIT.ok;
    }
    await stopHub(hub, process.env);
    const { ledgerLocation, readStoredHead } = await import("@earshot/hub");
    const position = await readStoredHead(ledgerLocation(hubHomeOf(process.env)));
    const { pid, version, url } = hub;
    io.out(
      values.json === true
        ? `${JSON.stringify({ stopped: true, pid, version, url, position })}\n`
        : `Earshot ${version} (process ${pid}) stopped at position ${position}.\n`,
    );
    return EXIT.ok;
  },
);

export const restartCommand = command(
  {
    name: "hub restart",
    positionals: [],
    about: `Stops the hub and starts it again, in the version of this command, with the options it had and the settings as they are now. It
runs in the background then; its output goes to hub-output.log in its folder. Nothing is lost: pending requests stay pending, listeners resume at their position, and senders resend unacknowledged events.`,
    options: {},
  },
  async (_, io: CommandIo): Promise<number> => {
    const { ledgerLocation, readConfig, readStoredHead } = await import("@earshot/hub");
    const home = hubHomeOf(process.env);
    const before = await findRunningHub(process.env);
    const service = before === undefined ? undefined : serviceThatRuns(before);
    if (before === undefined) io.out("No hub was running.\n");
    else if (compareVersions(VERSION, before.version) < 0) {
      io.err(explainDowngrade(before.version));
      return EXIT.unusable;
    } else {
      await stopHub(before, process.env);
      io.out(`Earshot ${before.version} stopped at position ${await readStoredHead(ledgerLocation(home))}.\n`);
    }
    const words = before === undefined ? [] : startArgumentsFor(before, readConfig(home).settings.port);
    const after = service === undefined ? await startDetached(words, process.env) : await startService(service);
    const how = service === undefined ? "in the background. To stop it: earshot hub stop" : `by its ${service.name}`;
    io.out(`Earshot ${after.version} listens at ${after.url} (process ${after.pid}), ${how}\n`);
    return EXIT.ok;
  },
);

/** The system's service if it runs the hub, because it must then run the next one. */
function serviceThatRuns({ pid }: RunningHub): LoginService | undefined {
  if (!["linux", "darwin", "win32"].includes(process.platform)) return undefined;
  const service = currentService(process.env);
  return findInstalledState(service) !== "absent" && processOf(service, runCommand) === pid ? service : undefined;
}

async function startService(service: LoginService): Promise<RunningHub> {
  const installed = installService(service, runCommand); // it may still name the version before
  const started = installed.ok ? runSteps(service.start, runCommand) : installed;
  if (!started.ok) throw new EarshotError({ code: "HUB_NOT_FOUND", message: started.why, hint: `Run: ${typedCommandOf(started.step)}` });
  return awaitHub(process.env);
}
