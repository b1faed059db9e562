import { parseArgs } from "node:util";
import { EarshotError } from "@earshot/protocol/problem";
import { EXIT, type Io } from "../io.ts";
import { findRunningHub, type RunningHub } from "../running-hub.ts";
import { currentService } from "../service/current-service.ts";
import { install, lookAt, remove } from "../service/install.ts";
import { processOf, type Run, runCommand, runSteps, typed } from "../service/run-steps.ts";
import type { Service } from "../service/service.ts";
import { plainText } from "../terminal/plain-text.ts";
import { usage } from "../usage.ts";

export const SERVICE_HELP = `Usage: earshot service install|remove|status [--dry-run] [--json]

Has the hub start when you log in: a systemd user unit, a LaunchAgent, or a Windows logon task. It is yours alone and needs no
administrator. Settings for it stand in config.yaml: earshot config --help.

  install     writes it and starts the hub; doing it again brings it up to date
  remove      stops that hub and leaves nothing
  status      says whether it is installed, whether a hub runs, where, and in which version
  --dry-run   only prints what install or remove would do
`;

/** Where the command acts, so that tests can stand in for the system. */
export interface ServicePorts {
  readonly service: Service;
  readonly run: Run;
  readonly running: () => Promise<RunningHub | undefined>;
}

export async function service(argv: readonly string[], io: Io, given?: ServicePorts): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { "dry-run": { type: "boolean" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    allowPositionals: true,
  });
  if (values.help === true) {
    io.out(SERVICE_HELP);
    return EXIT.ok;
  }
  const [action = "", ...rest] = positionals;
  if (!["install", "remove", "status"].includes(action) || rest.length > 0)
    throw usage("Install, remove, or status?", "earshot service --help");
  const ports = given ?? {
    service: currentService(process.env),
    run: runCommand,
    running: () => findRunningHub(process.env),
  };
  if (action === "status") return tellStatus(ports, io, values.json === true);
  if (values["dry-run"] === true) {
    io.out(action === "install" ? describeInstall(ports.service) : describeRemove(ports.service));
    return EXIT.ok;
  }
  return action === "install" ? doInstall(ports, io) : doRemove(ports, io);
}

async function doInstall({ service: wanted, run, running }: ServicePorts, io: Io): Promise<number> {
  const before = lookAt(wanted);
  const hub = await running();
  const isByHand = hub !== undefined && processOf(wanted, run) !== hub.pid;
  const outcome = install(wanted, run);
  for (const note of wanted.notes) io.out(`${note}\n`);
  io.out(
    `${before === "installed" ? "Was there already" : before === "outdated" ? "Brought up to date" : "Written"}: ${plainText(wanted.file)}\n`,
  );
  const started = outcome.ok && !isByHand && (hub === undefined || before !== "installed") ? runSteps(wanted.start, run) : outcome;
  if (!started.ok) {
    const left = [...(outcome.ok ? [] : wanted.install), ...wanted.start];
    io.err(`earshot: ${plainText(started.why)}\nThe ${wanted.name} is written but does not count yet. Where that works, run:\n`);
    io.err(`${left.map((step) => `  ${plainText(typed(step))}\n`).join("")}`);
    return EXIT.found;
  }
  if (isByHand) {
    io.out(
      `The hub that runs (process ${hub.pid}) was started by hand and goes on. The ${wanted.name} takes over at the next login, or now:\n`,
    );
    io.out(`  earshot stop\n${wanted.start.map((step) => `  ${plainText(typed(step))}\n`).join("")}`);
  } else io.out(`The hub starts when you log in (${wanted.name}), and runs. To undo it: earshot service remove\n`);
  return EXIT.ok;
}

async function doRemove({ service: unwanted, run }: ServicePorts, io: Io): Promise<number> {
  const before = lookAt(unwanted);
  remove(unwanted, run);
  if (lookAt(unwanted) !== "absent") throw new EarshotError({ code: "INTERNAL", message: `${unwanted.file} could not be removed.` });
  io.out(
    before === "absent" ? "Nothing was installed.\n" : `Removed: ${plainText(unwanted.file)}\nThe hub does not start at login any more.\n`,
  );
  return EXIT.ok;
}

async function tellStatus({ service: asked, run, running }: ServicePorts, io: Io, json: boolean): Promise<number> {
  const state = lookAt(asked);
  const hub = await running();
  const isService = hub !== undefined && processOf(asked, run) === hub.pid;
  const installed = state !== "absent";
  if (json) {
    const seen = hub === undefined ? null : { address: hub.url, version: hub.version, pid: hub.pid, byService: isService };
    io.out(
      `${JSON.stringify({ installed, outdated: state === "outdated", kind: asked.name, file: asked.file, running: seen }, null, 2)}\n`,
    );
    return EXIT.ok;
  }
  const how = {
    installed: "installed",
    outdated: "installed, but for another Node or Earshot (earshot service install mends it)",
    absent: "not installed",
  };
  io.out(`${asked.name}: ${how[state]}${installed ? ` (${plainText(asked.file)})` : ""}\n`);
  if (hub === undefined) io.out("No hub is running.\n");
  else
    io.out(`Earshot ${plainText(hub.version)} runs at ${plainText(hub.url)} (process ${hub.pid}${isService ? ", started by it" : ""}).\n`);
  return EXIT.ok;
}

function describeInstall({ name, file, content, install: steps, start, notes }: Service): string {
  const text = content.subarray(0, 2).equals(Buffer.from([0xff, 0xfe])) ? content.toString("utf16le").slice(1) : content.toString();
  const commands = [...steps, ...start].map((step) => `  ${plainText(typed(step))}\n`).join("");
  const lines = text.split(/\r?\n/).map((line) => `  ${plainText(line)}`.trimEnd());
  return `A ${name} would be written to ${plainText(file)}:\n\n${lines.join("\n")}\nThen would be run:\n${commands}${notes.map((note) => `${note}\n`).join("")}`;
}

function describeRemove({ file, remove: steps, leftovers, afterRemove }: Service): string {
  const commands = (list: Service["remove"]) => list.map((step) => `  ${plainText(typed(step))}\n`).join("");
  const files = [file, ...leftovers].map((path) => `  ${plainText(path)}\n`).join("");
  return `Would be run:\n${commands(steps)}Would be removed:\n${files}${afterRemove.length === 0 ? "" : `Then would be run:\n${commands(afterRemove)}`}`;
}
