import { spawn } from "node:child_process";

/** Best effort: whoever calls this has printed the address as well. */
export function openBrowser(url: string): void {
  const [command, ...args] =
    process.platform === "darwin" ? ["open", url] : process.platform === "win32" ? ["cmd", "/c", "start", "", url] : ["xdg-open", url];
  if (process.platform === "linux" && (process.env["DISPLAY"] ?? process.env["WAYLAND_DISPLAY"] ?? "") === "") return;
  const child = spawn(command ?? "", args, { stdio: "ignore", detached: true });
  child.once("error", () => {}); // no browser to be opened: the address was printed
  child.unref();
}
