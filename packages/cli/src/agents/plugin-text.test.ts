import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PluginFormat } from "@earshot/agents";
import { describe, expect, it } from "vitest";
import { pluginText } from "./plugin-text.ts";
import { cardOf } from "./testing/card-of.ts";

const opencode = cardOf("opencode");
const pi = cardOf("pi");

/** A launcher that records its input in order and refuses forbidden commands. */
const LAUNCHER = `#!/bin/sh
cd "$(dirname "$0")" || exit 1
payload=$(cat)
number=$(ls heard | wc -l)
printf '%s' "$payload" > "heard/$number.$2"
case $payload in *forbidden*) echo '{"throw":"Not here.","block":true}' ;; esac
`;

interface Told {
  readonly hook: string;
  readonly told: string;
}

const OPENCODE_HOST = `import { Earshot } from "./plugin.mjs";
const hooks = await Earshot({ directory: "/w", worktree: "/w" });
const bus = (type, properties) => hooks.event({ event: { type, properties } });
const message = (id, role, more = {}) => bus("message.updated", { info: { id, role, sessionID: "s1", time: { created: 1, ...more } } });
const text = (messageID, id, text) => bus("message.part.updated", { part: { type: "text", id, messageID, text } });
`;

const PI_HOST = `import earshot from "./plugin.mjs";
const handlers = {};
earshot({ on: (type, handler) => { handlers[type] = handler; } });
`;

/** Runs a program that loads a plugin like its agent, until the launcher was called `count` times. */
async function heardFrom(program: string, count: number, card = opencode, host = OPENCODE_HOST): Promise<readonly Told[]> {
  const folder = mkdtempSync(join(tmpdir(), "earshot-plugin-"));
  try {
    const launcher = join(folder, "earshot-hook");
    writeFileSync(launcher, LAUNCHER, { mode: 0o700 });
    spawnSync("mkdir", [join(folder, "heard")]);
    writeFileSync(join(folder, "plugin.mjs"), pluginText(card.user?.format as PluginFormat, card, JSON.stringify(launcher)));
    writeFileSync(join(folder, "program.mjs"), `${host}${program}`);
    const { status, stderr } = spawnSync(process.execPath, [join(folder, "program.mjs")], { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    // Reports under way continue after the program's end.
    for (let round = 0; round < 200 && readdirSync(join(folder, "heard")).length < count; round++)
      await new Promise((resolve) => setTimeout(resolve, 25));
    const names = readdirSync(join(folder, "heard")).sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));
    return names.map((name) => ({ hook: name.replace(/^\d+\./, ""), told: readFileSync(join(folder, "heard", name), "utf8") }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("the plugin in OpenCode", () => {
  it("tells a message once, with its text", async () => {
    const heard = await heardFrom(
      `
await hooks["chat.message"]({}, { message: { id: "m1", role: "user" }, parts: [{ type: "text", text: "Do it." }, { type: "text", text: "hidden", synthetic: true }] });
await message("m1", "user");
await message("m2", "assistant");
await text("m2", "p1", "All ");
await text("m2", "p1", "All done.");
await message("m2", "assistant", { completed: 2 });
await message("m2", "assistant", { completed: 2 });`,
      2,
    );
    expect(heard.map(({ hook }) => hook)).toEqual(["message.updated", "message.updated"]);
    const parts = heard.map(({ told }) => (JSON.parse(told) as { properties: { parts: unknown } }).properties.parts);
    expect(parts).toEqual([[{ type: "text", text: "Do it." }], [{ type: "text", text: "All done." }]]);
  });

  it("tells once that it is busy, and what happens in the order in which it happens, also when it ends at once", async () => {
    const status = (type: string) => `await bus("session.status", { sessionID: "s1", status: { type: "${type}" } });`;
    const heard = await heardFrom(
      `
await bus("session.created", { info: { id: "s1" } });
${status("busy")}${status("busy")}
await bus("file.edited", { file: "a" });
await bus("server.connected", {});
${status("idle")}
await bus("session.idle", { sessionID: "s1" });
process.exit(0);`,
      5,
    );
    expect(heard.map(({ hook }) => hook).sort()).toEqual(
      ["session.created", "session.status", "file.edited", "session.status", "session.idle"].sort(),
    );
    // A report under way at the end may come in between.
    expect(heard.map(({ hook }) => hook).filter((hook) => hook !== "session.created")).toEqual([
      "session.status",
      "file.edited",
      "session.status",
      "session.idle",
    ]);
  });

  it("tells of a tool that failed, and not of one that was refused", async () => {
    const tool = (id: string, command: string) =>
      `await hooks["tool.execute.before"]({ tool: "bash", sessionID: "s1", callID: "${id}" }, { args: { command: "${command}" } }).catch(() => {});
await bus("message.part.updated", { part: { type: "tool", tool: "bash", callID: "${id}", state: { status: "error", error: "boom" } } });`;
    const heard = await heardFrom(`${tool("c1", "make")}\n${tool("c2", "forbidden")}`, 3);
    // Gating calls do not wait for observing ones.
    expect(heard.map(({ hook, told }) => `${hook} ${/"callID":"(\w+)"/.exec(told)?.[1]}`).sort()).toEqual([
      "message.part.updated c1",
      "tool.execute.before c1",
      "tool.execute.before c2",
    ]);
  });
});

describe("the plugin in Pi", () => {
  it("reports a tool that failed, and not one that was refused", async () => {
    const tool = (id: string, command: string) =>
      `await handlers.tool_call({ toolName: "bash", toolCallId: "${id}", input: { command: "${command}" } });
handlers.tool_execution_end({ toolName: "bash", toolCallId: "${id}", isError: true });`;
    const heard = await heardFrom(`${tool("c1", "make")}\n${tool("c2", "forbidden")}`, 3, pi, PI_HOST);
    expect(heard.map(({ hook, told }) => `${hook} ${/"toolCallId":"(\w+)"/.exec(told)?.[1]}`).sort()).toEqual([
      "tool_call c1",
      "tool_call c2",
      "tool_execution_end c1",
    ]);
  });
});
