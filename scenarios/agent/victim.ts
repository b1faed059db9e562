import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { callJson as call, TEST_PIN_RECORD, unlockWithPin } from "../../packages/hub/src/access/testing/test-device.ts";
import { openVictimAt, type Victim, type VictimQuestion, writeRules } from "../../packages/hub/src/access/testing/victim.ts";
import { EARSHOT } from "../../tools/built-command.ts";
import { freePort, type HubProcess, startHub } from "../hub/hub-process.ts";

/** A victim with a hub process and an agent with a shell. */
export interface ShellVictim extends Victim {
  hub(): HubProcess;
  /** Runs a script in the agent's shell with everything known about the question. */
  run(script: string, question: VictimQuestion): Promise<string>;
  /** Restores the person's files and restarts the hub if it is down. */
  restore(): Promise<void>;
}

const PRELUDE = readFileSync(resolve("scenarios/agent/prelude.sh"), "utf8");

export async function openVictim(): Promise<ShellVictim> {
  const folder = mkdtempSync(join(tmpdir(), "earshot-victim-"));
  const [home, repository] = [join(folder, ".earshot"), join(folder, "shop")];
  mkdirSync(home, { mode: 0o700 });
  writeRules({ home, repository });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let hub = await startHub({ home, port });

  await call(url, "/api/first-pin", { pin: TEST_PIN_RECORD }, hub.viewer());
  const admin = await unlockWithPin(url, hub.viewer());
  const { token } = await call(url, "/api/tokens", { name: "Ana's phone", role: "approver", owner: "Ana" }, admin);
  const victim = await openVictimAt({ url, home, repository, approver: { authorization: `Bearer ${String(token)}` } });

  const isUp = () =>
    fetch(`${url}/health`).then(
      (response) => response.ok,
      () => false,
    );
  return {
    ...victim,
    hub: () => hub,
    async run(script, { request, digest, event, question, confirmation: confirming }) {
      const env = {
        ...process.env,
        EARSHOT_HOME: home,
        EARSHOT_URL: "",
        HOME: folder,
        NODE: process.execPath,
        EARSHOT,
        URL: url,
        PORT: String(port),
        REPOSITORY: repository,
        REQUEST: request,
        DIGEST: digest,
        CONFIRMATION: confirming,
        EVENT: JSON.stringify(event),
        QUESTION: JSON.stringify(question),
        HUB_PID: String(hub.child.pid),
        TERM: "xterm",
      };
      const child = spawn("bash", ["-c", `${PRELUDE}\n${script}`], {
        env,
        cwd: repository,
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
      });
      let said = "";
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (chunk: Buffer) => {
          said += chunk.toString();
        });
      }
      await once(child, "exit");
      endGroup(child.pid);
      return said;
    },
    async restore() {
      victim.writeRules();
      rmSync(join(home, "config.yaml"), { force: true });
      if (!(await isUp())) {
        await hub.kill("SIGKILL");
        hub = await startHub({ home, port });
      }
    },
    async [Symbol.asyncDispose]() {
      await victim[Symbol.asyncDispose]();
      endStarted(home, hub);
      await hub.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Ends the processes a script left running. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended.
  }
}

/** Stops a hub that a script started in place of the original. */
function endStarted(home: string, { child }: HubProcess): void {
  try {
    const { pid } = JSON.parse(readFileSync(join(home, "address.json"), "utf8")) as { readonly pid: number };
    if (pid !== child.pid) process.kill(pid, "SIGKILL");
  } catch {
    // There is none.
  }
}
