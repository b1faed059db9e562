import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { EARSHOT } from "../../tools/built-command.ts";
import { startHub } from "../hub/hub-process.ts";

const INSPECTOR_PORT = 9229;

function isInspectorOpen(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(INSPECTOR_PORT, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

/** Node opens the inspector within milliseconds on its own thread. */
async function watchInspector(child: ChildProcess, forMs: number): Promise<boolean> {
  const until = performance.now() + forMs;
  while (performance.now() < until && child.exitCode === null) {
    if (await isInspectorOpen()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

describe.skipIf(process.platform === "win32")("held: a program of the same account opens a debugger", () => {
  it("in the hub, with the signal SIGUSR1", async () => {
    await using hub = await startHub();
    hub.child.kill("SIGUSR1");
    expect(await watchInspector(hub.child, 500)).toBe(false);
    expect((await hub.get("/health")).status).toBe(200);
  });

  it("in a command that will ask for the PIN, with the signal SIGUSR1 again and again from its start", async () => {
    const child = spawn(process.execPath, [EARSHOT, "check", "-"], { stdio: ["pipe", "ignore", "ignore"] });
    const ended = once(child, "exit");
    const signals = setInterval(() => child.kill("SIGUSR1"), 1);
    await watchInspector(child, 800);
    clearInterval(signals);
    // An early signal ends the command; a running command must have no inspector.
    await expect.poll(async () => child.exitCode === null && child.signalCode === null && (await isInspectorOpen())).toBe(false);
    child.stdin?.end();
    await ended;
  });
});
