import { EarshotError } from "@earshot/protocol/problem";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { createUsageError } from "@earshot/terminal/usage";
import { checkChoice, command } from "../command.ts";
import { findRunningHub, type RunningHub } from "../running-hub.ts";
import {
  currentService,
  findInstalledState,
  installService,
  processOf,
  type RunSystemCommand,
  removeInstalledService,
  runCommand,
  runSteps,
  typedCommandOf,
} from "../service/install.ts";
import type { LoginService } from "../service/service.ts";

/** Replaceable by tests. */
export interface ServicePorts {
  readonly service: LoginService;
  readonly run: RunSystemCommand;
  readonly running: () => Promise<RunningHub | undefined>;
}

export const autostartCommand = command(
  {
    name: "hub autostart",
    positionals: ["[on|off]"],
    about: `Starts the hub when you log in: a systemd user unit, a LaunchAgent, or a Windows logon task. It is yours alone and needs no
administrator. Its settings are in config.yaml: see earshot hub config --help.

  on       adds the login entry and starts the hub; run it again to update the entry
  off      stops that hub and removes the login entry; recorded data stays
           without either, says whether it is installed, whether a hub runs, where, and in which version`,
    options: {
      "dry-run": { type: "boolean", default: false, about: "only prints what on or off would do" },
      separate: {
        type: "boolean",
        default: false,
        about:
          "on, off: the hub runs under an account of its own, which programs of yours can neither read nor change. Agents reach it by its socket and the producer's token alone. Needs an administrator (sudo)",
      },
      for: { type: "string", value: "USER", about: "with --separate: whose agents it serves (default: the user who called sudo)" },
      json: { type: "boolean", default: false, about: "print the state as JSON" },
    },
  },
  async ({ values, positionals: [action] }, io: CommandIo, given?: ServicePorts): Promise<number> => {
    if (action !== undefined) checkChoice("hub autostart", action, ["on", "off"]);
    if (values.separate) return separate(action, io, values.for, values["dry-run"]);
    const ports = given ?? {
      service: currentService(process.env),
      run: runCommand,
      running: () => findRunningHub(process.env),
    };
    if (action === undefined) return tellStatus(ports, io, values.json);
    if (values["dry-run"]) {
      io.out(action === "on" ? describeInstall(ports.service) : describeRemove(ports.service));
      return EXIT.ok;
    }
    return action === "on" ? doInstall(ports, io) : doRemove(ports, io);
  },
);

async function separate(action: string | undefined, io: CommandIo, user = process.env["SUDO_USER"] ?? "", isDry: boolean): Promise<number> {
  if (action === undefined) throw createUsageError("With --separate, the service manager reports the status.", "systemctl status earshot");
  const { installSeparate, planSeparate, removeSeparate } = await import("../service/install-separate.ts");
  const plan = planSeparate({ platform: process.platform, userName: user, run: runCommand });
  const { account, command, data } = plan.places;
  if (isDry) {
    const commands = (steps: typeof plan.start) => steps.map((step) => `  ${plainText(typedCommandOf(step))}\n`).join("");
    const files = plan.files.map(({ path, as }) => `  ${plainText(path)} (as ${plainText(as)})\n`).join("");
    io.out(
      action === "on"
        ? `Would be run:\n${commands(plan.prepare)}Would be written:\n${files}Then would be run:\n${commands(plan.start)}`
        : `Would be run:\n${commands(plan.remove)}Would be removed:\n${plan.leftovers.map((path) => `  ${plainText(path)}\n`).join("")}`,
    );
    return EXIT.ok;
  }
  if (action === "off") {
    removeSeparate(plan, runCommand);
    io.out(`Removed. The account ${account} and what it recorded in ${data} are left.\n`);
    return EXIT.ok;
  }
  const failed = installSeparate(plan, runCommand);
  if (failed !== undefined) {
    io.err(`earshot: ${plainText(failed.why)}\nEverything is written, and nothing runs yet. Where that works, run:\n`);
    io.err(failed.left.map((step) => `  ${plainText(typedCommandOf(step))}\n`).join(""));
    return EXIT.found;
  }
  io.out(
    `The hub runs as ${account}. Become its first approver: ${command} start\n` +
      `As ${plainText(plan.user.name)}, stop the hub that ran until now (earshot hub stop) and write the hooks anew: earshot init\n`,
  );
  return EXIT.ok;
}

async function doInstall({ service: wanted, run, running }: ServicePorts, io: CommandIo): Promise<number> {
  const before = findInstalledState(wanted);
  const hub = await running();
  const isByHand = hub !== undefined && processOf(wanted, run) !== hub.pid;
  const outcome = installService(wanted, run);
  for (const note of wanted.notes) io.out(`${note}\n`);
  io.out(`${before === "installed" ? "Already installed" : before === "outdated" ? "Updated" : "Written"}: ${plainText(wanted.file)}\n`);
  const started = outcome.ok && !isByHand && (hub === undefined || before !== "installed") ? runSteps(wanted.start, run) : outcome;
  if (!started.ok) {
    const left = [...(outcome.ok ? [] : wanted.install), ...wanted.start];
    io.err(`earshot: ${plainText(started.why)}\nThe ${wanted.name} was written but is not active yet. To activate it, run:\n`);
    io.err(`${left.map((step) => `  ${plainText(typedCommandOf(step))}\n`).join("")}`);
    return EXIT.found;
  }
  if (isByHand) {
    io.out(
      `The hub that runs (process ${hub.pid}) was started by hand and goes on. The ${wanted.name} takes over at the next login, or now:\n`,
    );
    io.out(`  earshot hub stop\n${wanted.start.map((step) => `  ${plainText(typedCommandOf(step))}\n`).join("")}`);
  } else io.out(`The hub starts when you log in (${wanted.name}), and runs. To undo it: earshot hub autostart off\n`);
  return EXIT.ok;
}

async function doRemove({ service: unwanted, run }: ServicePorts, io: CommandIo): Promise<number> {
  const before = findInstalledState(unwanted);
  removeInstalledService(unwanted, run);
  if (findInstalledState(unwanted) !== "absent")
    throw new EarshotError({ code: "INTERNAL", message: `${unwanted.file} could not be removed.` });
  io.out(
    before === "absent" ? "Nothing was installed.\n" : `Removed: ${plainText(unwanted.file)}\nThe hub does not start at login any more.\n`,
  );
  return EXIT.ok;
}

async function tellStatus({ service: asked, run, running }: ServicePorts, io: CommandIo, json: boolean): Promise<number> {
  const state = findInstalledState(asked);
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
    outdated: "installed, but for another Node or Earshot (earshot hub autostart on mends it)",
    absent: "not installed",
  };
  io.out(`${asked.name}: ${how[state]}${installed ? ` (${plainText(asked.file)})` : ""}\n`);
  if (hub === undefined) io.out("No hub is running.\n");
  else
    io.out(`Earshot ${plainText(hub.version)} runs at ${plainText(hub.url)} (process ${hub.pid}${isService ? ", started by it" : ""}).\n`);
  return EXIT.ok;
}

function describeInstall({ name, file, content, install: steps, start, notes }: LoginService): string {
  const text = content.subarray(0, 2).equals(Buffer.from([0xff, 0xfe])) ? content.toString("utf16le").slice(1) : content.toString();
  const commands = [...steps, ...start].map((step) => `  ${plainText(typedCommandOf(step))}\n`).join("");
  const lines = text.split(/\r?\n/).map((line) => `  ${plainText(line)}`.trimEnd());
  return `A ${name} would be written to ${plainText(file)}:\n\n${lines.join("\n")}\nThen would be run:\n${commands}${notes.map((note) => `${note}\n`).join("")}`;
}

function describeRemove({ file, remove: steps, leftovers, afterRemove }: LoginService): string {
  const commands = (list: LoginService["remove"]) => list.map((step) => `  ${plainText(typedCommandOf(step))}\n`).join("");
  const files = [file, ...leftovers].map((path) => `  ${plainText(path)}\n`).join("");
  return `Would be run:\n${commands(steps)}Would be removed:\n${files}${afterRemove.length === 0 ? "" : `Then would be run:\n${commands(afterRemove)}`}`;
}
