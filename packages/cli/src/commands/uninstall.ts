import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hubHomeOf } from "@earshot/hub/home";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { createUsageError } from "@earshot/terminal/usage";
import { type Installation, thisInstallation } from "../agents/installation.ts";
import { carryOutRemovals, planRemovals, printRemovals } from "../agents/undo-init.ts";
import { command } from "../command.ts";
import { findRunningHub, type RunningHub, stopHub } from "../running-hub.ts";
import { currentService, findInstalledState, removeInstalledService as removeService, runCommand } from "../service/install.ts";
import { confirmYes, hasKeyboard } from "../terminal/ask.ts";

/** Files without recorded data. */
const PARTS = [
  ["bin", "the launcher"],
  ["run", "the socket"],
  ["viewer.token", "your commands' credential"],
  ["producer.token", "the hooks' credential"],
  ["hook.key", "the key of what hooks believe"],
  ["spool", "what hooks could not deliver"],
  ["address.json", "the hub's address"],
  ["last-start.json", "the flags of the last start"],
  ["hub-socket", "where the hub of another account listens"],
  ["registered.json", "what was registered"],
  ["policy.accepted.json", "the hooks' copy of your rules"],
  ["hub-output.log", "what the hub said"],
  ["service.xml", "the logon task"],
  ["open.html", "a start link"],
] as const;

/** Files removed by --purge. Other names belong to somebody else. */
const DATA = [
  /^ledger\.(?:db|reserve)/,
  /^views\.db/,
  /^seal/,
  /^access\.(?:json|seal)/,
  /^manifest\.key$/,
  /^aaep-subscriptions\.jsonl/,
  /^attachments\.json/,
  /^policy\.yaml$/,
  /^request\.key$/,
  /^config(?:\.last-good)?\.yaml$/,
  /^hub\.log/,
  /^agents$/,
  /^backups$/,
];

/** Operations outside of files, replaceable by tests. */
export interface UninstallPorts {
  /** The service's file and its removal; undefined if there is none. */
  readonly service: { readonly file: string; remove(): void } | undefined;
  running(): Promise<RunningHub | undefined>;
  stop(hub: RunningHub): Promise<void>;
}

export const uninstallCommand = command(
  {
    name: "uninstall",
    positionals: [],
    about: `Removes Earshot from this machine: the agents' hooks, the service, the running hub, the launcher, the socket, the credentials, and
undelivered hook events. It lists each first. Recorded data, rules and settings stay unless you add --purge. To remove the command
itself, run \`npm uninstall --global earshot\`.`,
    options: {
      purge: {
        type: "boolean",
        default: false,
        about: "also delete recorded data, rules, settings and backups; this cannot be undone",
      },
      "dry-run": { type: "boolean", default: false, about: "only list what would be removed" },
      yes: { type: "boolean", short: "y", default: false, about: "do not ask" },
    },
  },
  async ({ values }, io: CommandIo, installation: Installation = thisInstallation(), given?: UninstallPorts): Promise<number> => {
    const { folder } = hubHomeOf(installation.env);
    const ports = given ?? portsOf(installation);
    const removals = planRemovals(installation);
    const hub = await ports.running();
    const parts = listParts(folder, values.purge);
    printRemovals(removals, io);
    if (ports.service !== undefined) io.out(`The service: ${plainText(ports.service.file)}\n`);
    if (hub !== undefined) io.out(`The hub that runs (process ${hub.pid}) is stopped.\n`);
    for (const { path, what } of parts.gone) io.out(`${plainText(path)}: ${what}\n`);
    for (const path of parts.kept) io.out(`Stays: ${plainText(path)}\n`);
    if (values["dry-run"]) {
      io.out("Nothing was removed.\n");
      return EXIT.ok;
    }
    if (!values.yes && !hasKeyboard(io))
      throw createUsageError("There is no terminal to confirm this.", "Add --yes, or run it in a terminal.");
    if (!values.yes && !(await confirmYes(io, values.purge ? "Remove all of this, with everything that was recorded?" : "Remove this?"))) {
      io.out("Nothing was removed.\n");
      return EXIT.found;
    }
    carryOutRemovals(removals, installation);
    const refused = removals.filter(({ plan }) => plan.kind === "refused");
    if (refused.length > 0) {
      io.err(
        "Hooks are left in the files above that could not be changed. Take them out, then do this again: without the launcher some agents refuse to work.\n",
      );
      return EXIT.found;
    }
    ports.service?.remove();
    if (hub !== undefined) await ports.stop(hub);
    // Repeated, because a hub leaves files when it ends.
    for (const { path } of listParts(folder, values.purge).gone) rmSync(path, { recursive: true, force: true });
    if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
    io.out("Removed. `npm uninstall --global earshot` removes the command itself.\n");
    return EXIT.ok;
  },
);

function listParts(
  folder: string,
  purges: boolean,
): { readonly gone: readonly { readonly path: string; readonly what: string }[]; readonly kept: readonly string[] } {
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  const parts: ReadonlyMap<string, string> = new Map(PARTS);
  const isGone = (name: string) => parts.has(name) || (purges && DATA.some((pattern) => pattern.test(name)));
  return {
    gone: names.filter(isGone).map((name) => ({ path: join(folder, name), what: parts.get(name) ?? "what was recorded, or set" })),
    kept: names.filter((name) => !isGone(name)).map((name) => join(folder, name)),
  };
}

function portsOf({ env }: Installation): UninstallPorts {
  const service = ["linux", "darwin", "win32"].includes(process.platform) ? currentService(env) : undefined;
  return {
    service:
      service === undefined || findInstalledState(service) === "absent"
        ? undefined
        : { file: service.file, remove: () => removeService(service, runCommand) },
    running: () => findRunningHub(env),
    stop: (hub) => stopHub(hub, env),
  };
}
