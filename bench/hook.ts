import { spawn } from "node:child_process";
import { fdatasyncSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { launcherPlaces, launcherText } from "../packages/cli/src/hook/launcher-text.ts";
import { hubHomeOf } from "../packages/hub/src/home.ts";
import { startChild, startHub, startServer } from "./ingest/child.ts";
import { Connection } from "./ingest/connection.ts";
import { number, percentile, printLoad } from "./ingest/figures.ts";

/**
 * Measures a hook decided by a rule: over HTTP beside a bare POST over loopback and one `fdatasync`, and as the registered command beside
 * a bare `sh -c curl` with a static answer and an idle Node process. All take turns in one run, so that other load affects all of them.
 */
const { values } = parseArgs({ options: { rounds: { type: "string", default: "1000" }, shims: { type: "string", default: "150" } } });
const [rounds, shims] = [Number(values.rounds), Number(values.shims)];
let calls = 0;
/** Requests sent before measuring, so that both the hub's code and the bare server's are compiled. */
const WARM_UP = 5000;
const folder = mkdtempSync(join(tmpdir(), "earshot-bench-hook-"));
printLoad();
try {
  const home = hubHomeOf({ EARSHOT_HOME: join(folder, "home") });
  mkdirSync(home.bin, { recursive: true, mode: 0o700 });
  writeFileSync(home.policy, "rules:\n  - { name: never, match: { command: 'echo never*' }, answer: deny, message: Not here. }\n");
  const places = await launcherPlaces(home);
  const launcher = join(home.bin, "earshot-hook");
  writeFileSync(launcher, launcherText(places), { mode: 0o700 });
  await using hub = await startHub(home.folder);
  await using bare = await startServer("echo");
  const socket = join(folder, "bare.sock");
  const server = join(import.meta.dirname, "hook", "static-socket.ts");
  await using _static = await startChild({ command: [process.execPath, server, socket] });

  const token = readFileSync(home.producerToken, "utf8").trim();
  await throughHttp(hub.port, bare.port, token);
  await throughShim(launcher, socket, places.curl ?? "curl");
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function payload(): string {
  return JSON.stringify({
    session_id: "bench",
    hook_event_name: "PreToolUse",
    cwd: folder,
    tool_name: "Bash",
    tool_input: { command: "echo never again" },
    tool_use_id: `toolu_${++calls}`,
  });
}

async function throughHttp(hubPort: number, barePort: number, token: string): Promise<void> {
  const [hub, bare] = await Promise.all([Connection.open(hubPort), Connection.open(barePort)]);
  const file = openSync(join(folder, "synced"), "w");
  const page = Buffer.alloc(4096, 1);
  const times = { hook: [] as number[], post: [] as number[], sync: [] as number[] };
  const hookHead = (length: number) =>
    `POST /hooks/claude?hook=PreToolUse&longest=600000 HTTP/1.1\r\nHost: 127.0.0.1:${hubPort}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const bareHead = (length: number) =>
    `POST / HTTP/1.1\r\nHost: 127.0.0.1:${barePort}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  for (let round = -WARM_UP; round < rounds; round++) {
    const body = payload();
    const hook = await timed(async () => {
      const { status, body: answer } = await sendOver(hub, hookHead(body.length) + body);
      if (status !== 200 || !answer.includes('"deny"')) throw new Error(`The hub said ${status}: ${answer}`);
    });
    const post = await timed(() => sendOver(bare, bareHead(body.length) + body));
    const sync = await timed(async () => {
      writeSync(file, page);
      fdatasyncSync(file);
    });
    if (round < 0) continue;
    times.hook.push(hook);
    times.post.push(post);
    times.sync.push(sync);
  }
  hub.close();
  bare.close();
  const floor = times.post.map((value, round) => value + (times.sync[round] ?? 0));
  console.log(`\nThrough HTTP, ${rounds} hooks decided by a rule, in milliseconds:`);
  print("bare POST over loopback", times.post);
  print("one fdatasync", times.sync);
  print("both", floor);
  print("POST /hooks/claude", times.hook);
  compare("hook / (POST + fdatasync)", times.hook, floor, 3);
}

async function throughShim(launcher: string, socket: string, curl: string): Promise<void> {
  const times = { shim: [] as number[], curl: [] as number[], node: [] as number[] };
  const command = `${curl} -q -s --unix-socket ${socket} --data-binary @- http://localhost/`;
  for (let round = -5; round < shims; round++) {
    const body = payload();
    const shim = await timed(() => run(launcher, ["claude", "PreToolUse", "600"], body, '"deny"'));
    const bare = await timed(() => run("/bin/sh", ["-c", command], body, '"deny"'));
    const node = await timed(() => run(process.execPath, ["-e", "0"], "", ""));
    if (round < 0) continue;
    times.shim.push(shim);
    times.curl.push(bare);
    times.node.push(node);
  }
  console.log(`\nThrough the shim, ${shims} hooks decided by a rule, in milliseconds:`);
  print("sh -c curl, static answer", times.curl);
  print("node -e 0", times.node);
  print("the registered command", times.shim);
  compare("shim / sh -c curl", times.shim, times.curl, 1.6);
  compare("shim / node -e 0", times.shim, times.node, 1);
}

function sendOver(connection: Connection, text: string): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => connection.send(Buffer.from(text), resolve, reject));
}

function run(program: string, words: readonly string[], input: string, expected: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 && said.includes(expected) ? resolve() : reject(new Error(`${program} ended with ${code}: ${said}`)),
    );
    child.stdin.on("error", () => {}); // Node reads nothing
    child.stdin.end(input);
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function quantiles(values: readonly number[]): { readonly p50: number; readonly p99: number } {
  const ordered = Float64Array.from(values).sort();
  return { p50: percentile(ordered, 0.5), p99: percentile(ordered, 0.99) };
}

function print(what: string, values: readonly number[]): void {
  const { p50, p99 } = quantiles(values);
  console.log(`    ${what.padEnd(28)} p50 ${number(p50, 2).padStart(7)}   p99 ${number(p99, 2).padStart(7)}`);
}

function compare(what: string, ours: readonly number[], theirs: readonly number[], atMost: number): void {
  const [our, their] = [quantiles(ours), quantiles(theirs)];
  const ratio = our.p50 / their.p50;
  const mark = ratio > atMost ? "  ← above the aim" : "";
  console.log(
    `    ${`${what}:`.padEnd(28)} p50 ${number(ratio, 2)}, p99 ${number(our.p99 / their.p99, 2)}   aimed at: at most ${atMost}${mark}`,
  );
}
