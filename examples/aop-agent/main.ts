import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Starts a hub, runs the agent, and checks that the hub received its events. */
const EARSHOT = resolve(import.meta.dirname, "../../packages/cli/bin/earshot.cjs");
const home = mkdtempSync(join(tmpdir(), "earshot-example-"));
process.env["EARSHOT_HOME"] = home; // the agent finds the hub by this alone
delete process.env["EARSHOT_URL"];

const hub = spawn(process.execPath, [EARSHOT, "start", "--port", "0", "--no-open"], { stdio: ["ignore", "pipe", "ignore"] });
const ended = once(hub, "exit");
try {
  const url = await addressOf();
  // Reading needs a credential: that of the user's own commands.
  const headers = { authorization: `Bearer ${readFileSync(join(home, "viewer.token"), "utf8").trim()}` };
  const { createAgent, diagnose } = await import("./agent.ts");
  const agent = createAgent();
  console.log(await diagnose(agent));
  strictEqual(await agent.flush(5000), true, "everything was delivered");

  const { sessions } = (await (await fetch(`${url}/sessions`, { headers })).json()) as { sessions: readonly Row[] };
  const [parent, child] = ["test-doctor", "date-checker"].map((id) => sessions.find((row) => row.agent_id === id));
  deepStrictEqual([parent?.status, child?.status, child?.parent_session_id], ["completed", "completed", parent?.id]);
  deepStrictEqual([parent?.total_steps, parent?.total_tokens, parent?.total_cost_usd], [3, 1500, 0.004]);

  const exports = [parent, child].map(async (row) =>
    (await (await fetch(`${url}/sessions/${row?.id}/export`, { headers })).text()).trimEnd(),
  );
  const recording = (await Promise.all(exports)).join("\n");
  writeFileSync(join(home, "run.jsonl"), recording);
  const check = spawn(process.execPath, [EARSHOT, "check", join(home, "run.jsonl"), "--strict"], { stdio: "inherit" });
  strictEqual((await once(check, "exit"))[0], 0, "the recording conforms, without warnings");
  console.log(`The hub heard ${recording.split("\n").length} events of the agent and its child.`);
  await agent.close();
} finally {
  hub.kill();
  await ended;
  rmSync(home, { recursive: true, force: true });
}

interface Row {
  readonly id: string;
  readonly agent_id: string;
  readonly status: string;
  readonly parent_session_id: string | null;
  readonly total_steps: number;
  readonly total_tokens: number;
  readonly total_cost_usd: number | null;
}

async function addressOf(): Promise<string> {
  let said = "";
  const lines = hub.stdout.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>; // the hub goes on talking
  for await (const chunk of lines) {
    said += String(chunk);
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
    if (url === undefined) continue;
    hub.stdout.resume();
    return url;
  }
  throw new Error(`The hub did not start: ${said}`);
}
