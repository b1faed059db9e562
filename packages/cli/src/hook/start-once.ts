import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { type HubHome, readLastStart } from "@earshot/hub/home";
import { EARSHOT_FILE, openOutput } from "../start-detached.ts";
import { startArgumentsFor } from "../start-words.ts";

/** After a start no hook tries again for this long, so that a broken hub is not started by every tool call. */
const AGAIN_MS = 30_000;

/** A hook does not wait for a hub started longer ago than this. */
const UNDERWAY_MS = 5000;

/**
 * Starts the hub in the background unless another hook just did. It outlives the agent and does not inherit its environment. Returns
 * whether a hub is starting.
 */
export function startOnce(home: HubHome, now = Date.now()): boolean {
  const lock = join(home.folder, "run", "starting");
  if (!takeTurn(lock, now)) return now - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? now) < UNDERWAY_MS;
  const { output } = openOutput(home.folder);
  // With the flags of its last run; other flags would make a different hub.
  const last = readLastStart(home);
  const words = last === undefined ? [] : startArgumentsFor(last, undefined);
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, ["--disable-sigusr1", EARSHOT_FILE, "start", "--no-open", ...words], {
    detached: true,
    stdio: ["ignore", output, output],
    cwd: home.folder,
    env: { HOME: homedir(), PATH, EARSHOT_HOME: home.folder },
    windowsHide: true,
  });
  child.on("error", () => {}); // there is no hub then, as before
  child.unref();
  closeSync(output);
  return true;
}

function takeTurn(lock: string, now: number): boolean {
  mkdirSync(dirname(lock), { recursive: true, mode: 0o700 });
  const taken = statSync(lock, { throwIfNoEntry: false });
  if (taken !== undefined) {
    if (Math.abs(now - taken.mtimeMs) < AGAIN_MS) return false;
    const old = `${lock}.${process.pid}`;
    try {
      renameSync(lock, old); // only one can
      rmSync(old, { force: true });
    } catch {
      return false;
    }
  }
  try {
    closeSync(openSync(lock, "wx", 0o600));
    return true;
  } catch {
    return false; // another hook was faster
  }
}
