import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findCard } from "../../packages/cli/src/agents/find-card.ts";
import type { HookProcessEnd } from "../../packages/cli/src/agents/run-line.ts";
import type { HostVerdict } from "../../packages/cli/src/agents/testing/hosts/host.ts";
import { type AnyHost, playHost } from "../../packages/cli/src/agents/testing/hosts/play-host.ts";
import { type LauncherOptions, launcherPlaces, launcherText } from "../../packages/cli/src/hook/launcher-text.ts";
import { becomeAdmin, callJson } from "../../packages/hub/src/access/testing/test-device.ts";
import { hubHomeOf } from "../../packages/hub/src/home.ts";
import { EARSHOT } from "../../tools/built-command.ts";
import { pause } from "../durability/kills.ts";
import { freePort, type HubProcess, startHub } from "../hub/hub-process.ts";

type Body = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;
type Ended = Extract<HookProcessEnd, { readonly kind: "ended" }>;

/** The result for the tool: `left` means the agent's own rules and prompts, as without a hook. */
export type Fate = "ran" | "blocked" | "asked" | "left" | "failed";

export interface Played extends HostVerdict {
  readonly tool: Fate;
  readonly tookMs: number;
}

/** One session per host, because two may be of one agent. */
export const sessionOf = ({ agent, name }: AnyHost) => `${agent}-${name.replaceAll(/\W+/g, "-")}`;

/** An installed Earshot without an agent: a hub, a launcher, and an approver. */
export interface HookBench extends AsyncDisposable {
  readonly folder: string;
  readonly launcher: string;
  readonly hub: () => HubProcess;
  /** Activates rules, whatever they allow. */
  accept(policy: string): Promise<void>;
  start(): Promise<void>;
  /** Prevents hooks from starting a hub, as if it could not run. */
  forbidStarting(): void;
  run(words: readonly string[], payload: string | Buffer, env?: Headers): Promise<Ended>;
  /** A host calls its hook before a tool and obeys the answer. */
  call(host: AnyHost, command: string, seconds?: number): Promise<Played>;
  /** Waits for a request and answers it. */
  answer(answer: Body, session?: string): Promise<void>;
  requests(): Promise<readonly Body[]>;
  /** Reports an approver's presence. */
  showPresence(): Promise<void>;
}

let calls = 0;

export async function openHookBench(
  options: { readonly policy?: string; readonly launcher?: Partial<LauncherOptions>; readonly args?: readonly string[] } = {},
): Promise<HookBench> {
  const folder = mkdtempSync(join(tmpdir(), "earshot-hook-"));
  const home = hubHomeOf({ EARSHOT_HOME: join(folder, "home") });
  // The hub rewrites its own launcher when rules are accepted, so a test's launcher is elsewhere.
  const launcher = join(options.launcher === undefined ? home.bin : folder, "earshot-hook");
  const places = async () => ({ ...(await launcherPlaces(home)), earshot: EARSHOT, ...options.launcher });
  const writeLauncher = async () => writeFileSync(launcher, launcherText(await places()), { mode: 0o700 });
  // Agents' plugins run in this process. With CI set, the launcher would report an unattended run.
  delete process.env["CI"];
  mkdirSync(home.bin, { recursive: true, mode: 0o700 });
  await writeLauncher();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const start = () => startHub({ home: home.folder, port, args: options.args ?? [] });
  let hub = await start();
  const admin = await becomeAdmin(url, hub.viewer());
  const { token } = await callJson(url, "/api/tokens", { name: "Ana's phone", role: "approver", owner: "tests" }, admin);
  const approver = { authorization: `Bearer ${String(token)}` };
  const requests = async () => (await callJson(url, "/api/requests?state=open", undefined, approver))["requests"] as readonly Body[];
  const bench: HookBench = {
    folder,
    launcher,
    hub: () => hub,
    async accept(policy) {
      writeFileSync(home.policy, policy);
      const view = await callJson(url, "/api/policy", undefined, approver);
      const pending = view["pending"] as Body | null;
      if (pending !== null) await callJson(url, "/api/policy/accept", { hash: pending["hash"] }, approver);
      const troubles = view["troubles"] as readonly string[];
      if (troubles.length > 0) throw new Error(troubles.join("\n"));
      if (options.launcher !== undefined) return writeLauncher();
      const wanted = launcherText(await places());
      while (readFileSync(launcher, "utf8") !== wanted) await pause(30);
    },
    async start() {
      hub = await start();
    },
    forbidStarting() {
      const lock = join(home.folder, "run", "starting");
      writeFileSync(lock, "");
      const justBefore = new Date(Date.now() - 8000);
      utimesSync(lock, justBefore, justBefore);
    },
    run: (words, payload, env = {}) => runProgram(launcher, words, payload, env),
    async call(host, command, seconds = 600) {
      const card = findCard(host.agent);
      if (card === undefined) throw new Error(`There is no card for ${host.agent}.`);
      const call = { session: sessionOf(host), id: `call_${++calls}`, command, cwd: folder };
      const began = performance.now();
      const stage = { card, launcher, folder, env: { PATH: "/usr/bin:/bin" }, timeoutMs: (seconds + 60) * 1000, seconds };
      const verdict = await playHost(host, call, stage);
      return { ...verdict, tool: fateOf(verdict), tookMs: performance.now() - began };
    },
    async answer(answer, session) {
      for (;;) {
        const open = (await requests()).find((one) => one["waits"] === true && (session === undefined || one["session"] === session));
        if (open !== undefined) {
          await callJson(url, `/api/requests/${String(open["id"])}/answer`, { digest: open["digest"], ...answer }, approver);
          return;
        }
        await pause(30);
      }
    },
    requests,
    async showPresence() {
      await callJson(url, "/api/presence", {}, approver);
    },
    async [Symbol.asyncDispose]() {
      await hub.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
  if (options.policy !== undefined) await bench.accept(options.policy);
  return bench;
}

export function fateOf({ effect, granted, failed }: HostVerdict): Fate {
  if (effect !== "ran") return effect;
  if (failed === true) return "failed";
  return granted === true ? "ran" : "left";
}

/** Runs a program like an agent's hook: the payload on standard input, which is then closed. */
export function runProgram(program: string, words: readonly string[], payload: string | Buffer, env: Headers): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { env: { PATH: "/usr/bin:/bin", ...env }, stdio: ["pipe", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ kind: "ended", code: code ?? -1, stdout, stderr }));
    child.stdin.on("error", () => {}); // it need not read all of it
    child.stdin.end(payload);
  });
}
