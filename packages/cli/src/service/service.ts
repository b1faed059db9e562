import { join } from "node:path";
import { AGENT_LABEL, checkPaths, type Launch, TASK_NAME, writeLaunchAgent, writeLogonTask, writeSystemdUnit } from "./service-texts.ts";

/** One system command as words. */
export interface ServiceStep {
  readonly words: readonly string[];
  /** It may fail when there is nothing to do. */
  readonly mayFail?: boolean;
}

/** How one system starts a program at login: a file, and the commands that activate it. Pure data. */
export interface LoginService {
  readonly name: string;
  readonly file: string;
  readonly content: Buffer;
  /** Run after the file was written. */
  readonly install: readonly ServiceStep[];
  readonly start: readonly ServiceStep[];
  /** Run before the files are removed. */
  readonly remove: readonly ServiceStep[];
  /** Other files that an installation leaves. */
  readonly leftovers: readonly string[];
  readonly afterRemove: readonly ServiceStep[];
  /** The command that prints the process id, and the pattern to find it. */
  readonly process?: { readonly words: readonly string[]; readonly pattern: RegExp };
  /** Notes to read before installing. */
  readonly notes: readonly string[];
}

export interface ServicePlace {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  /** The hub's folder. */
  readonly hubHome: string;
  readonly userId: number;
}

/** Undefined on an unsupported system. */
export function serviceFor(launch: Launch, place: ServicePlace): LoginService | undefined {
  checkPaths(launch);
  if (place.platform === "linux") return systemd(launch, place);
  if (place.platform === "darwin") return launchd(launch, place);
  if (place.platform === "win32") return taskScheduler(launch, place);
  return undefined;
}

function systemd(launch: Launch, { env, userHome }: ServicePlace): LoginService {
  const unit = "earshot.service";
  const given = env["XDG_CONFIG_HOME"];
  const folder = join(given === undefined || given === "" ? join(userHome, ".config") : given, "systemd", "user");
  const systemctl = (...words: readonly string[]) => ["systemctl", "--user", ...words];
  return {
    name: "systemd user unit",
    file: join(folder, unit),
    content: Buffer.from(writeSystemdUnit(launch)),
    install: [{ words: systemctl("daemon-reload") }, { words: systemctl("enable", unit) }],
    start: [{ words: systemctl("restart", unit) }],
    remove: [{ words: systemctl("disable", "--now", unit), mayFail: true }],
    leftovers: [join(folder, "default.target.wants", unit)],
    afterRemove: [
      { words: systemctl("daemon-reload"), mayFail: true },
      { words: systemctl("reset-failed", unit), mayFail: true },
    ],
    process: { words: systemctl("show", "--property=MainPID", unit), pattern: /^MainPID=([1-9]\d*)$/m },
    notes: [],
  };
}

function launchd(launch: Launch, { userHome, userId }: ServicePlace): LoginService {
  const domain = `gui/${userId}`;
  const file = join(userHome, "Library", "LaunchAgents", `${AGENT_LABEL}.plist`);
  const away: ServiceStep = { words: ["launchctl", "bootout", `${domain}/${AGENT_LABEL}`], mayFail: true };
  return {
    name: "LaunchAgent",
    file,
    content: Buffer.from(writeLaunchAgent(launch)),
    install: [{ words: ["launchctl", "enable", `${domain}/${AGENT_LABEL}`] }],
    start: [away, { words: ["launchctl", "bootstrap", domain, file] }],
    remove: [away],
    leftovers: [],
    afterRemove: [],
    process: { words: ["launchctl", "print", `${domain}/${AGENT_LABEL}`], pattern: /^\s*pid = ([1-9]\d*)$/m },
    notes: [],
  };
}

function taskScheduler(launch: Launch, { env, hubHome }: ServicePlace): LoginService {
  const file = join(hubHome, "service.xml");
  const user = env["USERDOMAIN"] === undefined ? (env["USERNAME"] ?? "") : `${env["USERDOMAIN"]}\\${env["USERNAME"] ?? ""}`;
  const end: ServiceStep = { words: ["schtasks", "/End", "/TN", TASK_NAME], mayFail: true };
  return {
    name: "logon task",
    file,
    content: Buffer.from(`\ufeff${writeLogonTask(launch, user)}`, "utf16le"), // the only encoding that schtasks reads reliably
    install: [{ words: ["schtasks", "/Create", "/TN", TASK_NAME, "/XML", file, "/F"] }],
    start: [end, { words: ["schtasks", "/Run", "/TN", TASK_NAME] }],
    remove: [end, { words: ["schtasks", "/Delete", "/TN", TASK_NAME, "/F"], mayFail: true }],
    leftovers: [],
    afterRemove: [],
    notes:
      launch.home === undefined ? [] : ["A task has no environment of its own: set EARSHOT_HOME for your account (setx EARSHOT_HOME …)."],
  };
}
