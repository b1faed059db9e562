import type { StatusView } from "@earshot/hub";
import { hubHomeOf, readAddress } from "@earshot/hub/home";
import { EarshotError } from "@earshot/protocol/problem";
import { findHub, requestFromHub } from "./hub-client.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The running hub of this user's folder. */
export interface RunningHub {
  readonly url: string;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: string;
  /** The arguments of its start. */
  readonly startedWith: readonly string[];
}

/** Only looks in the folder: EARSHOT_URL may name another machine's hub, which must not be started or stopped here. */
export async function findRunningHub(env: Environment): Promise<RunningHub | undefined> {
  const address = readAddress(hubHomeOf(env));
  // A killed hub leaves its file behind, and another user's hub may have taken the port.
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

/** The time for a hub to finish its work; its own limit is two seconds. */
const STOP_MS = 20_000;

/**
 * Asks the process to end and waits for it. The file may be left by a killed hub, and its process id reused, so the listening hub must
 * know the credential and have started when the file says.
 */
export async function stopHub(hub: RunningHub, env: Environment): Promise<void> {
  const access = await findHub({ ...env, EARSHOT_URL: hub.url });
  const status = access === undefined ? undefined : ((await (await requestFromHub(access, "/api/status")).json()) as Partial<StatusView>);
  if (status?.startedAt !== hub.startedAt) {
    throw new EarshotError({
      code: "HUB_NOT_FOUND",
      message: `What listens at ${hub.url} is not the hub that the address file names; nothing was stopped.`,
    });
  }
  const { readLockHolder } = await import("@earshot/hub");
  // An ended process exists until its parent reaps it; the ledger's holder file tells sooner.
  const holderPath = `${hubHomeOf(env).ledger}.holder`;
  const hasEnded = () => readLockHolder(holderPath)?.pid !== hub.pid || !isAlive(hub.pid);
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

/** Whether this user has such a process. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // gone, or somebody else's by now
  }
}
