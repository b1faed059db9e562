import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { HookProcessEnd } from "../packages/cli/src/agents/run-line.ts";
import { claudeHost as CLAUDE } from "../packages/cli/src/agents/testing/hosts/claude-hosts.ts";
import { ALL_HOSTS } from "../packages/cli/src/agents/testing/hosts/play-host.ts";
import { COMES_TO } from "./hook/comes-to.ts";
import { DESTRUCTIVE, HARMLESS } from "./hook/commands.ts";
import { fateOf, type HookBench, openHookBench, runProgram, sessionOf } from "./hook/hook-bench.ts";

const RULES = `
extends: guard
rules:
  - { name: never, match: { command: "echo never*" }, answer: deny, message: Not here. }
  - { name: nobody, match: { command: "echo nobody*" }, answer: ask, unreachable: deny }
`;

let bench: HookBench;
beforeAll(async () => {
  bench = await openHookBench({ policy: RULES });
  await bench.hub().kill("SIGKILL");
  bench.forbidStarting();
});
beforeEach(() => bench.forbidStarting());
afterAll(() => bench[Symbol.asyncDispose]());

const toolAfter = (run: HookProcessEnd) => fateOf(CLAUDE.judge(run, { failsClosed: true }));
const spool = () => join(bench.folder, "home", "spool", "hooks");
const spooled = () => readdirSync(spool()).filter((name) => name.endsWith(".jsonl"));

describe("a hook that finds no hub", () => {
  it("blocks nothing harmless and lets nothing destructive run, for every drilled agent", async () => {
    // A few cases; all of them run with `node tools/install.cjs scenarios/hook/main.ts`.
    const outcomes: [string, string, string][] = [];
    for (const [index, host] of ALL_HOSTS.entries()) {
      bench.forbidStarting();
      const harmless = HARMLESS[(index * 3) % HARMLESS.length] ?? "ls";
      const destructive = DESTRUCTIVE[index % DESTRUCTIVE.length] ?? "rm -rf /";
      const [first, second] = await Promise.all([bench.call(host, harmless), bench.call(host, destructive)]);
      outcomes.push([host.name, first.tool, second.tool]);
    }
    // Where silence leads to the agent's own prompt, no answer amounts to `ask`.
    expect(outcomes).toEqual(ALL_HOSTS.map(({ name }) => [name, "left", COMES_TO[name]?.ask]));
  });

  it("decides by what was accepted: a looser file on disk does not count, a tighter one does", async () => {
    const path = join(bench.folder, "home", "policy.yaml");
    expect((await bench.call(CLAUDE, "echo nobody")).tool).toBe("blocked");
    writeFileSync(path, "rules:\n  - { name: all, match: {}, answer: allow }\n");
    expect((await bench.call(CLAUDE, "echo never")).tool).toBe("blocked");
    expect((await bench.call(CLAUDE, "rm -rf /")).tool).toBe("asked");
    rmSync(path);
    expect((await bench.call(CLAUDE, "echo never")).tool).toBe("blocked");
    writeFileSync(path, `${RULES}  - { name: no-more, match: { command: "echo more*" }, answer: deny }\n`);
    expect((await bench.call(CLAUDE, "echo more")).tool).toBe("blocked");
    // Without the accepted copy, files can only forbid.
    const copy = join(bench.folder, "home", "policy.accepted.json");
    renameSync(copy, `${copy}.away`);
    writeFileSync(
      path,
      "rules:\n  - { name: all, match: { command: 'echo all*' }, answer: allow }\n  - { name: not, match: {}, answer: deny }\n",
    );
    expect((await bench.call(CLAUDE, "echo all")).tool).toBe("blocked");
    writeFileSync(copy, readFileSync(`${copy}.away`, "utf8").replaceAll('"deny"', '"allow"'));
    writeFileSync(path, "rules: []\n");
    // A copy with a wrong signature is ignored. Without rules, no action is left to the agent.
    expect((await bench.call(CLAUDE, "echo never")).tool).toBe("blocked");
    renameSync(`${copy}.away`, copy);
    writeFileSync(path, RULES);
    expect((await bench.call(CLAUDE, "echo never")).tool).toBe("blocked");
  });

  it("tells the person at the agent, at the beginning of a session", async () => {
    const start = JSON.stringify({ session_id: "s9", hook_event_name: "SessionStart", cwd: bench.folder, source: "startup" });
    const { stdout, code } = await bench.run(["claude", "SessionStart", "30"], start);
    expect([code, (JSON.parse(stdout) as { systemMessage: string }).systemMessage]).toEqual([
      0,
      expect.stringContaining("hub is not running"),
    ]);
  });

  it("believes nobody else on the hub's port", async () => {
    const { url } = JSON.parse(readFileSync(join(bench.folder, "home", "address.json"), "utf8")) as { readonly url: string };
    const heard: string[] = [];
    const stranger = createServer((request, response) => {
      heard.push(`${request.url} ${request.headers.authorization ?? ""}`);
      const allow = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`;
      response.end(request.url?.startsWith("/hooks/proof") === true ? `{"proof":"${"x".repeat(43)}"}` : `earshot answer 0 out\n${allow}\n`);
    });
    await new Promise<void>((resolve) => stranger.listen(Number(new URL(url).port), "127.0.0.1", resolve));
    try {
      expect((await bench.call(CLAUDE, "echo never")).tool).toBe("blocked");
      expect(heard.length).toBeGreaterThan(0);
      expect(heard.join("\n")).not.toContain("Bearer");
    } finally {
      await new Promise((resolve) => stranger.close(resolve));
    }
  });

  it("does not believe what the agent's surroundings say about it", async () => {
    const fake = join(bench.folder, "fake");
    mkdirSync(join(fake, ".config"), { recursive: true });
    writeFileSync(join(fake, ".curlrc"), 'url = "file:///etc/hostname"\n');
    writeFileSync(join(fake, "node"), "#!/bin/sh\nexit 2\n", { mode: 0o700 });
    const payload = JSON.stringify(CLAUDE.payload({ session: "s", id: "env", command: "echo never", cwd: bench.folder }));
    const env = {
      EARSHOT_HOME: fake,
      EARSHOT_URL: "http://127.0.0.1:9",
      HOME: fake,
      XDG_CONFIG_HOME: fake,
      CURL_HOME: fake,
      PATH: fake,
      NODE_OPTIONS: "--require /nowhere.js",
      NODE_PATH: fake,
      http_proxy: "http://127.0.0.1:9",
      ALL_PROXY: "http://127.0.0.1:9",
      LD_LIBRARY_PATH: fake,
      IFS: "o",
      ENV: "/nowhere",
    };
    const ended = await runProgram(bench.launcher, ["claude", "PreToolUse", "600"], payload, env);
    expect(toolAfter(ended)).toBe("blocked");
  });

  it.each([
    ["nothing", ""],
    ["no JSON", "\u0000\u0001\uFFFE not json"],
    ["bytes", Buffer.from([0, 255, 254, 10, 0, 128, 13])],
    ["a list", "[]"],
    ["an unknown hook", '{"session_id":"s","hook_event_name":"NoSuchHook"}'],
    ["a tool without a name", '{"session_id":"s","hook_event_name":"PreToolUse"}'],
  ])("lets no action pass that comes as %s, and answers neutrally elsewhere, with exit 0", async (_what, payload) => {
    for (const words of [
      ["claude", "PreToolUse", "600"],
      ["claude", "PreToolUse", "600", "--nonsense", "--help"],
    ]) {
      const ended = await bench.run(words, payload);
      expect([words, ended.code, toolAfter(ended)]).toEqual([words, 0, "blocked"]);
    }
    const asked = await bench.run(["gemini", "BeforeTool", "600"], payload);
    expect([asked.code, JSON.parse(asked.stdout)]).toMatchObject([0, { decision: "deny" }]);
    for (const words of [["claude", "PreToolUse", "600", "observe"], ["no-such-agent"]]) {
      expect([words, await bench.run(words, payload)]).toMatchObject([words, { code: 0, stdout: "" }]);
    }
  });

  it("has what is too large to be looked at, or was cut on its way, refused by the strictest rule", async () => {
    const cut = await bench.run(
      ["claude", "PreToolUse", "600"],
      '{"session_id":"s","hook_event_name":"PreToolUse","permission_mode":"default","tool_input":{"command":"rm',
    );
    expect(toolAfter(cut)).toBe("blocked");
    const ended = await bench.run(["claude", "PreToolUse", "600"], Buffer.alloc(17 * 1024 * 1024, 32));
    expect(toolAfter(ended)).toBe("blocked");
    expect(await bench.run(["claude", "PostToolUse", "600"], Buffer.alloc(17 * 1024 * 1024, 32))).toMatchObject({
      code: 0,
      stdout: "",
    });
  });

  it("answers an agent that never closes its end by what came", async () => {
    const payload = JSON.stringify(CLAUDE.payload({ session: "s", id: "open", command: "echo never", cwd: bench.folder }));
    const child = spawn(bench.launcher, ["claude", "PreToolUse", "30"], { stdio: ["pipe", "pipe", "ignore"] });
    let stdout = "";
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stdin.write(payload);
    const exitCode = await new Promise<number | null>((resolve) => child.on("close", resolve));
    child.stdin.destroy();
    expect(toolAfter({ kind: "ended", code: exitCode ?? -1, stdout, stderr: "" })).toBe("blocked");
  });

  it("keeps what was said without secrets, and the hub takes it in once, in order", async () => {
    rmSync(spool(), { recursive: true, force: true });
    for (let index = 0; index < 5; index++) await bench.call(CLAUDE, `echo ${index} ghp_0123456789abcdefghijABCDEFGHIJ456789`);
    const files = spooled();
    expect(files).toHaveLength(5);
    expect(files.map((name) => readFileSync(join(spool(), name), "utf8")).join("")).not.toContain("ghp_0123");
    const copies = files.map((name) => [name, readFileSync(join(spool(), name))] as const);
    await bench.start();
    while (spooled().length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    // As after a kill between storing and removing.
    for (const [name, bytes] of copies) writeFileSync(join(spool(), name), bytes);
    while (spooled().length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    const { status, stdout } = bench.hub().earshot("export", sessionOf(CLAUDE));
    const commands = stdout.split("\n").flatMap((line) => /"command":"echo (\d) /.exec(line)?.[1] ?? []);
    expect([status, commands]).toEqual([0, ["0", "1", "2", "3", "4"]]);
  });

  it("is answered in time by a hub that stands still", async () => {
    bench.hub().child.kill("SIGSTOP");
    try {
      expect((await bench.call(CLAUDE, "echo never")).tool).toBe("blocked");
    } finally {
      bench.hub().child.kill("SIGCONT");
    }
  });
});

describe("six hooks that find no hub", () => {
  it("start one", async () => {
    await using own = await openHookBench({ policy: RULES });
    await own.hub().kill("SIGTERM");
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => own.call(CLAUDE, "echo never")));
    expect(outcomes.map(({ tool }) => tool)).toEqual(Array.from({ length: 6 }, () => "blocked"));
    const log = join(own.folder, "home", "hub-output.log");
    let started = "";
    while (!/listens at/.test(started)) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      started = readFileSync(log, "utf8");
    }
    expect(started.match(/listens at/g)).toHaveLength(1);
    const { pid } = JSON.parse(readFileSync(join(own.folder, "home", "address.json"), "utf8")) as { readonly pid: number };
    process.kill(pid, "SIGKILL");
  });
});
