import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { type Home, readLastStart } from "@earshot/hub/home";
import { EARSHOT_FILE, openOutput } from "../start-detached.ts";
import { wordsFor } from "../start-words.ts";

/** After a start, nobody tries again for so long: a hub that cannot run is not started by every tool call. */
const AGAIN_MS = 30_000;

/** And whoever finds that it was started longer ago than this need not wait for it. */
const UNDERWAY_MS = 5000;

/**
 * Starts the hub in the background, unless somebody else has just done so: of many hooks that find none, one starts it. It
 * outlives the agent and knows nothing of the agent's surroundings. Says whether one is on its way.
 */
export function startOnce(home: Home, now = Date.now()): boolean {
  const lock = join(home.folder, "run", "starting");
  if (!takeTurn(lock, now)) return now - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? now) < UNDERWAY_MS;
  const { output } = openOutput(home.folder);
  // As it ran last, also after a stop: with other flags it would be another hub.
  const last = readLastStart(home);
  const words = last === undefined ? [] : wordsFor(last, undefined);
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
