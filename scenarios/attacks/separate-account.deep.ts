import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../../packages/cli/src/service/install.ts";
import { installSeparate, planSeparate, removeSeparate } from "../../packages/cli/src/service/install-separate.ts";
import type { SeparateService } from "../../packages/cli/src/service/separate.ts";
import { SELF_APPROVAL_ATTEMPTS } from "../../packages/hub/src/access/testing/agent-attempts.ts";
import { callJson, TEST_PIN_RECORD, unlockWithPin } from "../../packages/hub/src/access/testing/test-device.ts";
import {
  openVictimAt,
  type Victim,
  type VictimQuestion,
  type VictimSnapshot,
  writeRules,
} from "../../packages/hub/src/access/testing/victim.ts";
import { HARD_SCRIPTS, MALWARE, SCRIPTS } from "../agent/scripts.ts";

const IS_ROOT = process.platform === "linux" && process.getuid?.() === 0;
if (!IS_ROOT) process.stderr.write("Skipped: a hub under an account of its own is tested as root, with accounts that are made for it.\n");

const TAG = `es${process.pid}`;
const AGENT = `${TAG}agent`;
const PRELUDE = readFileSync(resolve("scenarios/agent/prelude.sh"), "utf8");
/** Attempts of an agent with a shell, and of malware under its account. */
const SHELL_ATTACKS: Readonly<Record<string, string>> = {
  ...SCRIPTS,
  ...HARD_SCRIPTS,
  "writes a decision into the ledger of the running hub": MALWARE.forge,
  "stops the hub and writes a decision into its ledger": `${MALWARE.stop}\nkill -9 "$HUB_PID"\n${MALWARE.forge}`,
  "removes the credentials": MALWARE["forget who is admitted"],
  "removes ledger and rules": MALWARE["forget everything"],
  "opens a debugger in the hub": 'kill -USR1 "$HUB_PID"; kill -CONT "$HUB_PID"',
  "reads the memory of the hub": 'head -c 100 "/proc/$HUB_PID/mem"; cat "/proc/$HUB_PID/environ"; ls -l "/proc/$HUB_PID/fd"',
  "changes the program that the hub runs": 'echo "process.exit()" >> "$EARSHOT"; echo x > "$NODE"; rm -f "$NODE" "$EARSHOT"',
  "puts a socket of its own in the place of the hub's": 'rm -f "$SOCKET"; mv "$SOCKET" "$SOCKET.old"; ln -sf /tmp/x "$SOCKET"',
};

describe.skipIf(!IS_ROOT)("held with `earshot hub autostart on --separate`: an agent", () => {
  const folder = IS_ROOT ? mkdtempSync("/var/tmp/earshot-separate-") : "";
  const places = {
    account: `${TAG}hub`,
    program: join(folder, "program"),
    data: join(folder, "data"),
    run: join(folder, "run"),
    file: join(folder, "earshot.service"),
    command: join(folder, "earshot-hub"),
  };
  let service: SeparateService;
  let hub: ReturnType<typeof spawn>;
  let victim: Victim;
  let before: VictimSnapshot;
  let ids: { readonly user: number; readonly group: number };
  const idOf = (flag: string, name: string) => Number(runCommand(["id", flag, name]).output);

  async function startHub(): Promise<string> {
    const [node = "", ...words] = service.launch.words;
    const options = { uid: idOf("-u", places.account), gid: ids.group, cwd: "/", env: { PATH: "/usr/bin:/bin", ...service.launch.env } };
    hub = spawn(node, [...words, "--port", "0", "--no-notify"], { ...options, stdio: ["ignore", "ignore", "pipe"] });
    const address = join(places.data, "address.json");
    while (!existsSync(address) && hub.exitCode === null) await new Promise((done) => setTimeout(done, 50));
    return (JSON.parse(readFileSync(address, "utf8")) as { readonly url: string }).url;
  }

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    const made = spawnSync("useradd", ["--create-home", "--base-dir", folder, "--user-group", AGENT], { encoding: "utf8" });
    expect(made).toMatchObject({ status: 0 });
    ids = { user: idOf("-u", AGENT), group: idOf("-g", AGENT) };
    // systemd does not run here; the unit's command line is started below.
    const run = (words: readonly string[]) => (words[0] === "systemctl" ? { status: 0, output: "" } : runCommand(words));
    const packageFolder = resolve("dist/earshot");
    service = planSeparate({ platform: "linux", userName: AGENT, run, places, packageFolder });
    expect(installSeparate(service, run)).toBeUndefined();
    const repository = join(folder, "shop");
    mkdirSync(repository, { mode: 0o755 });
    writeRules({ home: places.data, repository });
    const url = await startHub();
    const viewer = { authorization: `Bearer ${readFileSync(join(places.data, "viewer.token"), "utf8").trim()}` };
    await callJson(url, "/api/first-pin", { pin: TEST_PIN_RECORD }, viewer);
    const admin = await unlockWithPin(url, viewer);
    const { token } = await callJson(url, "/api/tokens", { name: "Ana's phone", role: "approver", owner: "Ana" }, admin);
    victim = await openVictimAt({ url, home: places.data, repository, approver: { authorization: `Bearer ${String(token)}` } });
    // The agents' account owns the repository, as in practice.
    spawnSync("chown", ["-R", `${AGENT}:${AGENT}`, repository]);
    before = await victim.snapshot();
    expect(before.decisions).toEqual([]);
  });
  afterAll(async () => {
    await victim?.[Symbol.asyncDispose]();
    hub?.kill("SIGKILL");
    if (service !== undefined) removeSeparate(service, () => ({ status: 0, output: "" }));
    for (const account of [AGENT, places.account]) spawnSync("userdel", [account]);
    rmSync(folder, { recursive: true, force: true });
  });

  async function attempt(name: string, question: VictimQuestion): Promise<string> {
    const script = SHELL_ATTACKS[name];
    const order = { ...ids, attempt: name, victim: { url: victim.url, home: places.data, repository: victim.repository }, question };
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: join(folder, AGENT),
      EARSHOT_HOME: join(folder, AGENT, ".earshot"),
      EARSHOT_URL: "",
      NODE: service.launch.words[0] ?? "",
      EARSHOT: service.launch.words[2] ?? "",
      SOCKET: join(places.run, "hub.sock"),
      URL: victim.url,
      PORT: new URL(victim.url).port,
      REPOSITORY: victim.repository,
      REQUEST: question.request,
      DIGEST: question.digest,
      CONFIRMATION: question.confirmation,
      EVENT: JSON.stringify(question.event),
      QUESTION: JSON.stringify(question.question),
      HUB_PID: String(hub.pid),
      TERM: "xterm",
      // The actual folder of the hub's files.
      REAL_FILES: places.data,
    };
    const child =
      script === undefined
        ? spawn(process.execPath, [resolve("scenarios/agent/agent.ts")], { env: process.env, stdio: ["pipe", "pipe", "pipe"] })
        : spawn(
            "setpriv",
            [
              `--reuid=${ids.user}`,
              `--regid=${ids.group}`,
              "--clear-groups",
              "bash",
              "-c",
              `${PRELUDE}\nfiles="$REAL_FILES"; policy="$files/policy.yaml"\n${script}`,
            ],
            {
              env,
              cwd: victim.repository,
              stdio: ["pipe", "pipe", "pipe"],
              detached: true,
            },
          );
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.stdin?.end(script === undefined ? JSON.stringify(order) : "");
    await once(child, "exit");
    try {
      if (script !== undefined) process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      // The group has ended.
    }
    return said;
  }

  it.each([...Object.keys(SELF_APPROVAL_ATTEMPTS), ...Object.keys(SHELL_ATTACKS)])("%s", async (name) => {
    const question = await victim.ask();
    const said = await attempt(name, question);
    expect(said).not.toMatch(/^(\[\])?$|command not found|syntax error|unbound variable/); // it was really tried
    expect(said).not.toContain('"behavior":"allow"');
    expect(hub.exitCode).toBe(null);
    spawnSync("chown", ["-R", `${AGENT}:${AGENT}`, victim.repository]);
    victim.writeRules();
    expect(await victim.snapshot()).toEqual(before);
    expect(["deny", "abstain", "ask", undefined]).toContain(question.heard());
  });

  it("finds nothing in the hub's folder that it could read, and asks over the socket with the producer's token", async () => {
    const read = spawnSync("setpriv", [`--reuid=${ids.user}`, `--regid=${ids.group}`, "--clear-groups", "ls", places.data], {
      encoding: "utf8",
    });
    expect(read.status).not.toBe(0);
    const socket = join(places.run, "hub.sock");
    const curl = (header: string) =>
      spawnSync(
        "setpriv",
        [
          `--reuid=${ids.user}`,
          `--regid=${ids.group}`,
          "--clear-groups",
          "curl",
          "-s",
          "--unix-socket",
          socket,
          "-H",
          header,
          "-H",
          "content-type: application/json",
          "-d",
          "{}",
          "http://localhost/aep/v1/hooks?wait=0",
        ],
        { encoding: "utf8" },
      );
    expect(curl("x-nothing: x").stdout).toContain("NOT_AUTHORISED");
    const token = readFileSync(join(folder, AGENT, ".earshot", "producer.token"), "utf8").trim();
    expect(curl(`authorization: Bearer ${token}`).stdout).toContain("EVENT_INVALID");
  });
});
