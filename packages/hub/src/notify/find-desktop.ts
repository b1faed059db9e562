import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Found } from "./desktop.ts";
import { createGdbusDesktop, createNotifySendDesktop } from "./freedesktop.ts";
import { createMacDesktop } from "./mac-desktop.ts";
import { createRunner, type Environment, findProgram } from "./run-program.ts";
import { createWindowsDesktop } from "./windows-desktop.ts";

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
  const gdbus = findProgram("gdbus", env);
  if (gdbus !== undefined) return { desktop: createGdbusDesktop(gdbus, run) };
  const notifySend = findProgram("notify-send", env);
  if (notifySend !== undefined) return { desktop: createNotifySendDesktop(notifySend, run) };
  return { why: "There is a desktop session, but neither gdbus (of GLib) nor notify-send (of libnotify) to speak to it." };
}

function hasSessionBus(env: Environment): boolean {
  if ((env["DBUS_SESSION_BUS_ADDRESS"] ?? "") !== "") return true;
  const folder = env["XDG_RUNTIME_DIR"] ?? "";
  return folder !== "" && existsSync(join(folder, "bus"));
}
