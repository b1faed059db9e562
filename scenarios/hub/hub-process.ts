import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EARSHOT } from "../../tools/built-command.ts";

export interface HubProcess extends AsyncDisposable {
  readonly url: string;
  readonly home: string;
  readonly child: ChildProcess;
  readonly log: () => string;
  /** Fulfills when it answers, and rejects when it exits before. */
  ready(): Promise<void>;
  /** `Authorization` of the user's own commands. */
  readonly viewer: () => Readonly<Record<string, string>>;
  post(path: string, body: string | Buffer, type?: string): Promise<Response>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Runs a command of the same user. */
  earshot(...args: readonly string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string };
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export interface HubProcessOptions {
  readonly bin?: string;
  /** Kept when given; otherwise a new folder that is removed with the hub. */
  readonly home?: string;
  readonly args?: readonly string[];
  readonly port?: number;
  /** Whether it shows desktop notifications, on the desktop of the test's user unless the environment names another one. */
  readonly notifies?: boolean;
  /** In addition to the usual environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node itself. */
  readonly nodeArguments?: readonly string[];
  /** Whether to wait until it answers; some tests expect it to exit before. */
  readonly awaitsReady?: boolean;
}

/** A hub as a process, as a person starts it. */
export async function startHub(options: HubProcessOptions = {}): Promise<HubProcess> {
  const { bin = EARSHOT, home: given, args = [], port, nodeArguments = [], awaitsReady = true, notifies = false } = options;
  const home = given ?? mkdtempSync(join(tmpdir(), "earshot-hub-"));
  // Sockets for discovery are in the same folder; a killed hub leaves its own behind.
  const env = { ...process.env, XDG_RUNTIME_DIR: home, ...options.env, EARSHOT_HOME: home, EARSHOT_URL: "" };
  const chosen = port ?? (await freePort());
  const words = [...nodeArguments, bin, "start", "--port", String(chosen), "--no-open", ...(notifies ? [] : ["--no-notify"]), ...args];
  const child = spawn(process.execPath, words, { env, stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  const url = `http://127.0.0.1:${chosen}`;
  const kill = async (signal: NodeJS.Signals = "SIGTERM") => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  };
  const viewer = () => ({ authorization: `Bearer ${readFileSync(join(home, "viewer.token"), "utf8").trim()}` });
  if (awaitsReady) await ready(url, child, () => log);
  return {
    url,
    home,
    child,
    ready: () => ready(url, child, () => log),
    log: () => log,
    viewer,
    post: (path, body, type = "application/json") =>
      fetch(url + path, {
        method: "POST",
        headers: { "content-type": type },
        body: typeof body === "string" ? body : new Uint8Array(body),
      }),
    get: (path, headers = viewer()) => fetch(url + path, { headers }),
    earshot(...words) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words], { env, encoding: "utf8", maxBuffer: 1 << 28 });
      return { status, stdout, stderr };
    },
    kill,
    async [Symbol.asyncDispose]() {
      await kill("SIGKILL");
      if (given === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}

export function aopEvent({
  session,
  sequence,
  payload = { content: "So it is." },
}: {
  session: string;
  sequence: number;
  payload?: object;
}): string {
  const timestamp = new Date(Date.UTC(2026, 0, 1) + sequence * 1000).toISOString();
  const type = sequence === 1 ? "session.started" : "cognition.thought";
  return JSON.stringify({ spec: "aop/1.0", session_id: session, agent_id: "agent", sequence, timestamp, type, payload });
}

/** A port for a hub that is killed and restarted: below the ephemeral range, so that it stays free. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}

async function ready(url: string, child: ChildProcess, log: () => string): Promise<void> {
  for (let attempt = 0; attempt < 1200; attempt++) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The hub ended with ${child.exitCode}: ${log()}`);
    const health = await fetch(`${url}/health`).then(
      (response) => response.json() as Promise<{ ready: boolean }>,
      () => undefined,
    );
    if (health?.ready === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The hub is not ready: ${log()}`);
}
