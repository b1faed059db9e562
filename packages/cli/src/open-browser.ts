import { spawn } from "node:child_process";

/** Whether there is anything to open one on. */
export function canOpenBrowser(): boolean {
  return process.platform !== "linux" || (process.env["DISPLAY"] ?? process.env["WAYLAND_DISPLAY"] ?? "") !== "";
}

/** Best effort: whoever calls this has printed the address as well. Never with a code in it: every user sees the words of a process. */
export function openBrowser(url: string): void {
  const [command, ...args] =
    process.platform === "darwin" ? ["open", url] : process.platform === "win32" ? ["cmd", "/c", "start", "", url] : ["xdg-open", url];
  if (!canOpenBrowser()) return;
  const child = spawn(command ?? "", args, { stdio: "ignore", detached: true });
  child.once("error", () => {}); // no browser to be opened: the address was printed
  child.unref();
}
