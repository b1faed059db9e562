import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs a program with these arguments, without a shell. Fulfills with its output; rejects with its error output. */
type RunProgram = (words: readonly string[], more?: Environment) => Promise<string>;

/** A notification names the agent and the kind of request, never what the agent wants to run. */
export interface DesktopNotification {
  readonly title: string;
  readonly body: string;
  /** Stays until it is dismissed, if the desktop supports that. */
  readonly isUrgent: boolean;
}

/** Shows notifications on the desktop, whether or not a browser is open. */
export interface DesktopNotifier {
  /** In words: `org.freedesktop.Notifications, by notify-send`. */
  readonly name: string;
  /** Whether notifications can be removed. */
  readonly withdraws: boolean;
  /** Fulfills with the handle for `withdraw`, if supported. Rejects if it could not be shown. */
  show(note: DesktopNotification): Promise<string | undefined>;
  withdraw(handle: string): Promise<void>;
}

/** A desktop, or why there is none. */
type Found = { readonly desktop: DesktopNotifier } | { readonly why: string };

const APP = "Earshot";

/**
 * The desktop's notification service through notify-send. It cannot remove a notification, so it replaces it with one that expires at
 * once.
 */
function createNotifySendDesktop(notifySend: string, run: RunProgram): DesktopNotifier {
  const send = ({ title, body, isUrgent }: DesktopNotification, ...more: readonly string[]) =>
    run([
      notifySend,
      `--app-name=${APP}`,
      `--urgency=${isUrgent ? "critical" : "low"}`,
      `--icon=${iconOf(isUrgent)}`,
      ...more,
      "--",
      title,
      body,
    ]);
  let tellsIds = true;
  return {
    name: "org.freedesktop.Notifications, by notify-send",
    withdraws: true,
    async show(note) {
      if (!tellsIds) {
        await send(note);
        return undefined;
      }
      try {
        return /^\d+/.exec(await send(note, "--print-id"))?.[0];
      } catch (error) {
        if (!(error instanceof Error && /print-id/.test(error.message))) throw error;
        tellsIds = false; // an older one
        await send(note);
        return undefined;
      }
    },
    async withdraw(handle) {
      await send({ title: "Earshot", body: "Answered.", isUrgent: false }, `--replace-id=${handle}`, "--expire-time=1");
    },
  };
}

function iconOf(isUrgent: boolean): string {
  return isUrgent ? "dialog-warning" : "dialog-information";
}

/** Texts are passed as arguments, so that nothing in them is executed. */
const SCRIPT = ["on run argv", "display notification (item 2 of argv) with title (item 1 of argv)", "end run"] as const;

/** macOS. Notifications cannot be removed. */
function createMacDesktop(osascript: string, run: RunProgram): DesktopNotifier {
  return {
    name: "Notification Centre, by osascript",
    withdraws: false,
    async show({ title, body }) {
      await run([osascript, ...SCRIPT.flatMap((line) => ["-e", line]), title, body]);
      return undefined;
    },
    async withdraw() {},
  };
}

/** Notifications belong to an application known to Windows; PowerShell's is always present. */
const WINDOWS_APP = "{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe";
const MANAGER = "[Windows.UI.Notifications.ToastNotificationManager]";
const LOAD = [
  "$ErrorActionPreference = 'Stop'",
  "[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]",
  "[void][Windows.Data.Xml.Dom.XmlDocument, Windows.Data.Xml.Dom, ContentType = WindowsRuntime]",
] as const;
/** Texts are passed in the environment, so that nothing in them is executed. */
const SHOW = [
  ...LOAD,
  `$xml = ${MANAGER}::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)`,
  "$texts = $xml.GetElementsByTagName('text')",
  "[void]$texts.Item(0).AppendChild($xml.CreateTextNode($env:EARSHOT_TITLE))",
  "[void]$texts.Item(1).AppendChild($xml.CreateTextNode($env:EARSHOT_BODY))",
  "$toast = [Windows.UI.Notifications.ToastNotification]::new($xml)",
  "$toast.Tag = $env:EARSHOT_TAG",
  "$toast.Group = 'Earshot'",
  `${MANAGER}::CreateToastNotifier($env:EARSHOT_APP).Show($toast)`,
] as const;
const WITHDRAW = [...LOAD, `${MANAGER}::History.Remove($env:EARSHOT_TAG, 'Earshot', $env:EARSHOT_APP)`] as const;

/** Windows 10 and later. */
function createWindowsDesktop(powershell: string, run: RunProgram): DesktopNotifier {
  let count = 0;
  const script = (lines: readonly string[], words: Environment) =>
    run([powershell, "-NoProfile", "-NonInteractive", "-EncodedCommand", Buffer.from(lines.join("\n"), "utf16le").toString("base64")], {
      EARSHOT_APP: WINDOWS_APP,
      ...words,
    });
  return {
    name: "Windows notifications, by PowerShell",
    withdraws: true,
    async show({ title, body }) {
      const tag = `${process.pid}-${++count}`;
      await script(SHOW, { EARSHOT_TITLE: title, EARSHOT_BODY: body, EARSHOT_TAG: tag });
      return tag;
    },
    async withdraw(handle) {
      await script(WITHDRAW, { EARSHOT_TAG: handle });
    },
  };
}

const PROGRAM_TIMEOUT_MS = 5000;
const MAX_OUTPUT_BYTES = 64 * 1024;
const MAX_COMPLAINT_CHARACTERS = 200;

function createRunner(env: Environment): RunProgram {
  return ([program = "", ...words], more = {}) =>
    new Promise((resolve, reject) => {
      const options = {
        env: { ...env, ...more },
        timeout: PROGRAM_TIMEOUT_MS,
        maxBuffer: MAX_OUTPUT_BYTES,
        windowsHide: true,
        encoding: "utf8" as const,
      };
      execFile(program, words, options, (error, out, complaint) => {
        if (error === null) resolve(out);
        else reject(new Error((complaint.trim() || error.message).slice(0, MAX_COMPLAINT_CHARACTERS), { cause: error }));
      });
    });
}

/** The path of a program on this user's PATH. */
function findProgram(name: string, env: Environment): string | undefined {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // not there, or not ours to run
  }
}

/** The way to notify this desktop, or why there is none. Starts nothing. */
export function findDesktop(env: Environment, platform: NodeJS.Platform = process.platform): Found {
  const run = createRunner(env);
  if (platform === "darwin") {
    const osascript = findProgram("osascript", env);
    return osascript === undefined ? { why: "There is no osascript." } : { desktop: createMacDesktop(osascript, run) };
  }
  if (platform === "win32") {
    const path = join(env["SystemRoot"] ?? "C:\\Windows", "System32\\WindowsPowerShell\\v1.0\\powershell.exe");
    return existsSync(path) ? { desktop: createWindowsDesktop(path, run) } : { why: "There is no PowerShell." };
  }
  if (!hasSessionBus(env)) return { why: "There is no desktop session: no session bus is running (DBUS_SESSION_BUS_ADDRESS is not set)." };
  const notifySend = findProgram("notify-send", env);
  if (notifySend !== undefined) return { desktop: createNotifySendDesktop(notifySend, run) };
  return { why: "There is a desktop session, but no notify-send (of libnotify) to notify it with." };
}

function hasSessionBus(env: Environment): boolean {
  if ((env["DBUS_SESSION_BUS_ADDRESS"] ?? "") !== "") return true;
  const folder = env["XDG_RUNTIME_DIR"] ?? "";
  return folder !== "" && existsSync(join(folder, "bus"));
}
