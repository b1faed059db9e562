import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { VERSION } from "@earshot/terminal/version";
import { compareVersions } from "./compare-versions.ts";
import type { RunningHub } from "./running-hub.ts";
import { confirmYes } from "./terminal/ask.ts";

export interface RunningHubActions {
  /** Shows the dashboard, or the way to it. */
  readonly greet: () => Promise<void>;
  /** Options were given that a running hub ignores. */
  readonly hasFlags: boolean;
  /** Stops the hub and starts this version in its place. */
  readonly restart: () => Promise<number>;
}

/** One hub per user: with one running, `earshot start` opens that one. */
export async function useRunningHub(hub: RunningHub, io: CommandIo, { greet, hasFlags, restart }: RunningHubActions): Promise<number> {
  io.out(`Earshot ${hub.version} is running already at ${hub.url} (process ${hub.pid}).\n`);
  const order = compareVersions(VERSION, hub.version);
  if (order > 0) {
    io.out(`This command is newer: ${VERSION}. A restart loses nothing: pending requests stay pending, and listeners reconnect.\n`);
    if (await confirmYes(io, "Restart it now?")) return restart();
    io.out("To use the new version: earshot hub restart\n");
  } else if (order < 0) io.out(explainDowngrade(hub.version));
  if (hasFlags)
    io.out("The options you gave were not used; the hub goes on with its own. To change them: earshot hub stop, then start again.\n");
  await greet();
  return EXIT.ok;
}

/** Why an older version should not take over, and how to go back anyway. */
export function explainDowngrade(running: string): string {
  return [
    `This command is older: ${VERSION}. The hub is left as it is; its commands should be of version ${running} as well:`,
    `  npm install --global earshot@${running}`,
    `To go back to ${VERSION} instead: earshot hub stop, then earshot start. If ${running} has changed the format of the ledger, ${VERSION}`,
    "does not open it and does not touch it. A copy from before the change stands beside it (ledger.db.backup-…).",
    "",
  ].join("\n");
}
