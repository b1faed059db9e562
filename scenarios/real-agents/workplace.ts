import { spawn } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { becomeAdmin, callJson } from "../../packages/hub/src/access/testing/test-device.ts";
import { type Machine, openMachine } from "../init/machine.ts";
import { pathsIn, RULES } from "./cases.ts";
import type { Script } from "./model/script.ts";
import { openScriptedModel, type ScriptedModel } from "./model/scripted-model.ts";
import type { RealAgent } from "./real-agent.ts";

/** An agent takes seconds for a task; on a busy machine, two minutes. */
const RUN_DEADLINE_MS = 240_000;

/** A user with one real agent and a scripted model. */
export interface Workplace extends AsyncDisposable {
  readonly machine: Machine;
  readonly model: ScriptedModel;
  readonly launcher: string;
  /** Runs `earshot init` and starts a hub. Before that, the agent runs without Earshot. */
  register(): Promise<void>;
  /** The agent's permission modes beside its default. */
  readonly modes: readonly string[];
  /** Starts the agent with a scripted model. To resume, a session is created first. */
  play(script: Script, how: { readonly mode?: string | undefined; readonly resumes?: true | undefined }): Promise<AgentRun>;
  /** Allows the next question and returns what `look` saw just before. */
  allowNext<Seen>(look: () => Seen): Promise<Seen>;
}

export interface AgentRun {
  readonly code: number | string;
  readonly output: string;
  /** It did not end before its deadline. */
  readonly isStopped: boolean;
  /** The model's lines. */
  readonly said: string;
}

export interface WorkplaceOptions {
  readonly agent: RealAgent;
  readonly program: string;
}

export async function openWorkplace({ agent, program }: WorkplaceOptions): Promise<Workplace> {
  const machine = openMachine();
  const model = await openScriptedModel();
  const { home, project } = machine;
  const server = join(import.meta.dirname, "mcp-server.ts");
  const at = { url: model.url, home, project, mcp: [process.execPath, server, pathsIn(project).treasure] as const };
  for (const [path, value] of Object.entries(agent.files(at)))
    machine.write(path, typeof value === "string" ? value : `${JSON.stringify(value, null, 2)}\n`);
  const start = `#!/bin/sh\nexec ${agent.isScript ? `"${process.execPath}" ` : ""}"${program}" "$@"\n`;
  machine.write(`bin/${agent.command}`, start);
  chmodSync(join(home, "bin", agent.command), 0o755);
  const launcher = join(home, ".earshot/bin/earshot-hook");
  return {
    machine,
    model,
    launcher,
    async register() {
      machine.write(".earshot/policy.yaml", RULES);
      const { code, out, err } = machine.earshot("init", "--agent", agent.slug);
      if (code !== 0) throw new Error(`earshot init ended with ${code}: ${out}${err}`);
      await machine.startHub();
    },
    modes: Object.keys(agent.modes ?? {}),
    async play(script, { mode, resumes }) {
      const env = { ...machine.env, ...agent.env(at) };
      const words = mode === undefined ? agent.words : (agent.modes?.[mode] ?? agent.words);
      const run = (wordsOf: RealAgent["words"]) =>
        runAlone(join(home, "bin", agent.command), wordsOf("Do the task.", at), { cwd: project, env });
      model.play(script);
      if (resumes === true) await run(words);
      const from = model.heard.length;
      const ended = await run(resumes === true ? (agent.resumes ?? words) : words);
      const said = model.heard.slice(from).map(({ request, said: line }) => `${request} → ${line}`);
      return { ...ended, said: said.join("\n") };
    },
    async allowNext(look) {
      const { url } = JSON.parse(machine.read(".earshot/address.json")) as { readonly url: string };
      const viewer = { authorization: `Bearer ${machine.read(".earshot/viewer.token").trim()}` };
      const approver = await becomeAdmin(url, viewer);
      for (;;) {
        const { requests } = await callJson(url, "/api/requests?state=open", undefined, approver);
        const [open] = requests as readonly Readonly<Record<string, unknown>>[];
        if (open !== undefined) {
          const seen = look();
          await callJson(url, `/api/requests/${String(open["id"])}/answer`, { digest: open["digest"], answer: "allow" }, approver);
          return seen;
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await machine[Symbol.asyncDispose]();
    },
  };
}

/** Without a terminal, in a process group of its own, which is killed at the deadline. */
function runAlone(
  program: string,
  words: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Omit<AgentRun, "said">> {
  const child = spawn(program, words, { ...options, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let output = "";
  const take = (piece: Buffer) => {
    output += piece.toString();
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  let isStopped = false;
  const timer = setTimeout(() => {
    isStopped = true;
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, RUN_DEADLINE_MS);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      resolve({ code: code ?? String(signal), output, isStopped });
    });
  });
}
