import { homeOf, readAddress } from "@earshot/hub/home";
import { EarshotError } from "@earshot/protocol/problem";
import { askHub, findHub } from "./hub-client.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The hub of this user's folder, which runs and answers. */
export interface RunningHub {
  readonly url: string;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: string;
  /** The words it was started with. */
  readonly startedWith: readonly string[];
}

/** Looks in the folder only: EARSHOT_URL may name the hub of another machine, which is nobody's to start or stop here. */
export async function findRunningHub(env: Environment): Promise<RunningHub | undefined> {
  const address = readAddress(homeOf(env));
  // A hub that was killed leaves its file behind, and another user's hub may have taken the port since.
  if (address === undefined || !isAlive(address.pid)) return undefined;
  try {
    const response = await fetch(`${address.url}/health`, { signal: AbortSignal.timeout(3000) });
    const health: unknown = await response.json();
    if (typeof health !== "object" || health === null || !("ok" in health) || health.ok !== true) return undefined;
    const version = "version" in health ? String(health.version) : "0.0.0";
    const { url, pid, startedAt, startedWith = [] } = address;
    return { url, pid, version, startedAt, startedWith };
  } catch {
    return undefined; // nothing listens there, or something that is no hub
  }
}

/** How long a hub may take over what is under way. Its own limit for that is two seconds. */
const STOP_MS = 20_000;

/**
 * Asks the process to end, and waits until it has. The file with its number may be left from a hub that was killed, and the
 * number may belong to another program by now. So the hub that listens must know our credential and have begun when the file
 * says: then the number is that of this hub.
 */
export async function stopHub(hub: RunningHub, env: Environment): Promise<void> {
  const access = await findHub({ ...env, EARSHOT_URL: hub.url });
  const status = access === undefined ? undefined : ((await (await askHub(access, "/api/status")).json()) as { startedAt?: unknown });
  if (status?.startedAt !== hub.startedAt) {
    throw new EarshotError({
      code: "HUB_NOT_FOUND",
      message: `What listens at ${hub.url} is not the hub that the address file names; nothing was stopped.`,
    });
  }
  const { readHolder } = await import("@earshot/hub");
  // A process that has ended is there until its parent has taken note, and a parent may be busy: the ledger tells sooner.
  const holderPath = `${homeOf(env).ledger}.holder`;
  const hasEnded = () => readHolder(holderPath)?.pid !== hub.pid || !isAlive(hub.pid);
  process.kill(hub.pid, "SIGTERM");
  const deadline = performance.now() + STOP_MS;
  while (!hasEnded()) {
    if (performance.now() > deadline) {
      const message = `Process ${hub.pid} was asked to stop and still runs after ${STOP_MS / 1000} s.`;
      throw new EarshotError({ code: "INTERNAL", message, hint: "It may be stopped by force without losing anything acknowledged." });
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Whether there is such a process, of this user. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // gone, or somebody else's by now
  }
}
