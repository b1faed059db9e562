import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hubHomeOf } from "@earshot/hub/home";
import { EarshotError } from "@earshot/protocol/problem";
import { findRunningHub, type RunningHub } from "./running-hub.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The command's own file, in sources or built: both are one folder below it. */
export const EARSHOT_FILE = fileURLToPath(new URL("../bin/earshot.cjs", import.meta.url));

const READY_MS = 30_000;

/** Starts a hub in the background that outlives this command, and waits until it answers. Its output goes to a file. */
export async function startDetached(words: readonly string[], env: Environment): Promise<RunningHub> {
  const { log, output } = openOutput(hubHomeOf(env).folder);
  const child = spawn(process.execPath, ["--disable-sigusr1", EARSHOT_FILE, "start", "--no-open", ...words], {
    detached: true,
    stdio: ["ignore", output, output],
    env,
    windowsHide: true,
  });
  closeSync(output);
  child.unref();
  try {
    return await awaitHub(env, { isIt: (hub) => hub.pid === child.pid, isHopeless: () => child.exitCode !== null });
  } catch {
    // Its own message is more informative than its absence.
  }
  const said = readFileSync(log, "utf8").trim().split("\n").slice(-5).join("\n");
  throw new EarshotError({ code: "HUB_NOT_FOUND", message: `The hub did not start. It said:\n${said}`, hint: `All it said is in ${log}.` });
}

/** A new file for a background hub's output. An existing pipe would block, and a link would lead elsewhere. */
export function openOutput(folder: string): { readonly log: string; readonly output: number } {
  const log = join(folder, "hub-output.log");
  rmSync(log, { force: true, recursive: true });
  return { log, output: openSync(log, "wx", 0o600) };
}

export interface AwaitOptions {
  readonly isIt?: (hub: RunningHub) => boolean;
  readonly isHopeless?: () => boolean;
  readonly patienceMs?: number;
}

/** Waits until a hub answers, or clearly will not. */
export async function awaitHub(env: Environment, patience: AwaitOptions = {}): Promise<RunningHub> {
  const { isIt = () => true, isHopeless = () => false, patienceMs = READY_MS } = patience;
  const deadline = performance.now() + patienceMs;
  while (!isHopeless() && performance.now() < deadline) {
    const hub = await findRunningHub(env);
    if (hub !== undefined && isIt(hub)) return hub;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new EarshotError({ code: "HUB_NOT_FOUND", message: "The hub did not start." });
}
