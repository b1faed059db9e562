import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const ROOT = new URL("../../", import.meta.url).pathname;
/** Linux counts processor time in hundredths of a second. */
const TICK_MICROSECONDS = 10_000;

/** A measured server in its own process. */
export interface Child extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  /** Processor time so far; NaN where the system does not report it. */
  cpuMicroseconds(): number;
  residentMegabytes(): number;
  /** Waits until deferred work is done, for servers that defer work. */
  settled?(): Promise<void>;
  stop(): Promise<void>;
}

export interface ChildOptions {
  /** Program, script and arguments. */
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a server and waits until it has printed its address. */
export async function startChild({ command, env = {} }: ChildOptions): Promise<Child> {
  const [program = process.execPath, ...args] = command;
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  // Shows errors, but not the output of an intended stop.
  child.stderr.on("data", (chunk: Buffer) => child.killed || process.stderr.write(chunk));
  const port = await addressOf(child, command.join(" "));
  const pid = child.pid ?? 0;
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    const forced = setTimeout(() => child.kill("SIGKILL"), 5000);
    await once(child, "exit");
    clearTimeout(forced);
  };
  return {
    port,
    pid,
    cpuMicroseconds: () => cpuMicroseconds(pid),
    residentMegabytes: () => residentMegabytes(pid),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Starts one of the bench's own servers. */
export function startServer(name: string, args: readonly string[] = []): Promise<Child> {
  return startChild({ command: [process.execPath, `${ROOT}bench/ingest/servers/${name}.ts`, ...args] });
}

/** Starts the hub from source, as `earshot start` does in a clone. */
export async function startHub(
  home: string,
  nodeOptions: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Child> {
  const command = [process.execPath, ...nodeOptions, `${ROOT}packages/cli/bin/earshot.cjs`, "start", "--port", "0", "--no-open"];
  const child = await startChild({ command, env: { ...env, EARSHOT_HOME: home } });
  return { ...child, settled: () => viewsCaughtUp(child.port, readFileSync(join(home, "viewer.token"), "utf8").trim()) };
}

/** Deferred work of the views would slow down the next measurement. */
async function viewsCaughtUp(port: number, token: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    if (/^earshot_views_lag_positions 0$/m.test(await answer.text())) return;
    await pause(50);
  }
}

/** The PATH of the npm caller; npm puts the repository's Node first. */
export function pathOfUser(): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.filter((folder) => !/node_modules[\\/]\.bin[\\/]?$/.test(folder) && !folder.includes("node-gyp-bin")).join(delimiter);
}

async function addressOf(child: ChildProcess, command: string): Promise<number> {
  const exited = once(child, "exit").then(([code]) => {
    throw new Error(`${command} ended (${code}) before it printed an address.`);
  });
  exited.catch(() => {}); // only of interest while the address is waited for
  const printed = new Promise<number>((resolve) => {
    let said = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      said = said.length < 10_000 ? said + chunk.toString() : said;
      const match = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said);
      if (match !== null) resolve(Number(match[1]));
    });
  });
  return Promise.race([printed, exited]);
}

export function cpuMicroseconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS;
  } catch {
    return Number.NaN; // only Linux has this
  }
}

export function residentMegabytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    return Number.NaN; // only Linux has this
  }
}
