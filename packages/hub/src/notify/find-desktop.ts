import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import {
  createMacDesktop,
  createNotifySendDesktop,
  createWindowsDesktop,
  type Environment,
  type Found,
  type RunProgram,
} from "./desktops.ts";

const LONGEST_MS = 5000;
const MOST_BYTES = 64 * 1024;
const LONGEST_COMPLAINT = 200;

export function createRunner(env: Environment): RunProgram {
  return ([program = "", ...words], more = {}) =>
    new Promise((resolve, reject) => {
      const options = {
        env: { ...env, ...more },
        timeout: LONGEST_MS,
        maxBuffer: MOST_BYTES,
        windowsHide: true,
        encoding: "utf8" as const,
      };
      execFile(program, words, options, (error, out, complaint) => {
        if (error === null) resolve(out);
        else reject(new Error((complaint.trim() || error.message).slice(0, LONGEST_COMPLAINT), { cause: error }));
      });
    });
}

/** Where a program is, of those that this user would run by its name. */
export function findProgram(name: string, env: Environment): string | undefined {
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

/** How this desktop is notified, or why there is none. Starts nothing. */
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
