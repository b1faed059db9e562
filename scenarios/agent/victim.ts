import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ask as call, TEST_PIN } from "../../packages/hub/src/access/testing/test-device.ts";
import { freePort, type HubProcess, startHub } from "../hub/hub-process.ts";
import { confirmation, hookEvent } from "../requests/confirmation.ts";

type Headers = Readonly<Record<string, string>>;
type Body = Readonly<Record<string, unknown>>;

export const POLICY = `# My rules.
extends: guard
rules:
  - name: never-wipe
    match: { tool: Bash, command: wipe }
    answer: deny
  - name: dry-runs
    match: { tool: Bash, command: wipe --dry }
    answer: allow
  - name: look-at-deploys
    match: { tool: Bash, command: deploy }
    answer: ask
    hold: always
  - name: look-at-mail
    match: { tool: Bash, command: mail }
    answer: ask
    hold: never
    unanswered: deny
`;
export const REPOSITORY_POLICY =
  "rules:\n  - name: no-pushing\n    match: { tool: Bash, command: git push }\n    answer: deny\n    message: Ask a maintainer.\n";

/** What is tried after each script, and what is answered as long as no rule was loosened. */
const PROBES: Readonly<Record<string, string>> = {
  "wipe --all": "deny",
  "wipe --dry": "deny",
  "mail everybody": "deny",
  "git push": "deny",
  "rm -rf /": "ask",
  ls: "abstain",
};

/** What must be the same after a script as before it. */
export interface Snapshot {
  /** Everything that a person is said to have decided, and every yes. */
  readonly decisions: readonly string[];
  readonly rules: readonly string[];
  readonly answers: Readonly<Record<string, string>>;
  readonly control: Body;
  readonly approvers: readonly string[];
}

/** What an agent has asked, and what its own hook has heard about it. */
export interface Question {
  readonly event: Body;
  readonly request: string;
  readonly digest: string;
  /** A confirmation of another agent. */
  readonly question: Body;
  readonly confirmation: string;
  heard(): string | undefined;
}

/** A person's hub, with rules, a repository, an approver who is elsewhere, and an agent that waits for an answer. */
export interface Victim extends AsyncDisposable {
  readonly home: string;
  readonly repository: string;
  readonly url: string;
  hub(): HubProcess;
  /** The agent asks something new. Its hook waits, and another agent's question does, too. */
  ask(): Promise<Question>;
  /** Runs a script in the agent's shell, which knows everything about its question. */
  run(script: string, question: Question): Promise<string>;
  snapshot(): Promise<Snapshot>;
  /** The person puts back what was changed, and starts the hub again where it does not run. */
  restore(): Promise<void>;
  /** The person decides, from elsewhere. */
  decide(path: string, body: object): Promise<Body>;
  read(path: string): Promise<Body>;
}

const EARSHOT = resolve("packages/cli/bin/earshot.cjs");
const PRELUDE = readFileSync(resolve("scenarios/agent/prelude.sh"), "utf8");

export async function openVictim(bin?: string): Promise<Victim> {
  const folder = mkdtempSync(join(tmpdir(), "earshot-victim-"));
  const home = join(folder, ".earshot");
  const repository = join(folder, "shop");
  const policy = join(home, "policy.yaml");
  const repositoryPolicy = join(repository, ".earshot", "policy.yaml");
  mkdirSync(home, { mode: 0o700 });
  const writeRules = () => {
    for (const path of [policy, join(repository, ".earshot")]) rmSync(path, { recursive: true, force: true });
    mkdirSync(join(repository, ".earshot"), { recursive: true });
    writeFileSync(policy, POLICY);
    writeFileSync(repositoryPolicy, REPOSITORY_POLICY);
  };
  writeRules();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const start = () => startHub({ home, port, ...(bin === undefined ? {} : { bin, nodeArguments: ["--conditions=earshot-source"] }) });
  let hub = await start();
  const viewer = () => hub.viewer();
  const producer = (): Headers => ({ authorization: `Bearer ${readFileSync(join(home, "producer.token"), "utf8").trim()}` });

  await call(url, "/api/first-pin", { pin: TEST_PIN }, viewer());
  const { ticket } = await call(url, "/api/unlock", { pin: TEST_PIN }, viewer());
  const admin = { authorization: `Bearer ${String(ticket)}` };
  const { token } = await call(url, "/api/tokens", { name: "Ana's phone", role: "approver", owner: "Ana" }, admin);
  const approver = { authorization: `Bearer ${String(token)}` };

  const { pending } = (await call(url, "/api/policy", undefined, viewer())) as { readonly pending: { readonly hash: string } };
  await call(url, "/api/policy/accept", { hash: pending.hash }, approver);
  const stop = new AbortController();
  const hooks: Promise<void>[] = [];
  let questions = 0;
  /** The agent's own hook: it waits, and shows by polling that it does. */
  const wait = async (event: Body, request: string, hear: (behaviour: string) => void): Promise<void> => {
    let again = false;
    while (!stop.signal.aborted) {
      try {
        const told: Body = again
          ? await call(url, "/aep/v1/hooks?wait=500", event, producer())
          : await call(url, `/aep/v1/hooks/${request}?wait=500`, undefined, producer());
        again = told["again"] === true;
        if (told["waits"] === false) return hear(String((told["response"] as { control: Body }).control["behavior"]));
      } catch {
        await pause(100); // no hub just now
      }
    }
  };

  let probes = 0;
  const answerTo = async (command: string): Promise<string> => {
    const probe = hookEvent(command, { session: { id: `session-probe-${probes++}` }, workspace: { cwd: repository } });
    const told = await call(url, "/aep/v1/hooks?wait=0", probe, producer());
    // Whether it is asked here or by the agent depends on whether somebody was just there.
    return told["waits"] === true ? "ask" : String((told["response"] as { control: Body }).control["behavior"]);
  };

  const isUp = () =>
    fetch(`${url}/health`).then(
      (response) => response.ok,
      () => false,
    );

  const victim: Victim = {
    home,
    repository,
    url,
    hub: () => hub,
    async ask() {
      questions++;
      const event = hookEvent("deploy shop", { workspace: { cwd: repository }, session: { id: `session-${questions}` } });
      const request = String((await call(url, "/aep/v1/hooks?wait=0", event, producer()))["request"]);
      const question = confirmation(`sess_${questions}`);
      const { request: confirming } = await call(url, "/v1/events", question, producer());
      const { digest } = await victim.read(`/api/requests/${request}`);
      let heard: string | undefined;
      hooks.push(
        wait(event, request, (behaviour) => {
          heard = behaviour;
        }),
      );
      return { event, request, digest: String(digest), question, confirmation: String(confirming), heard: () => heard };
    },
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
        EVERY_ROUTE: resolve("scenarios/agent/every-route.ts"),
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
    async snapshot() {
      const { text, repositories } = (await victim.read("/api/policy")) as { text: string; repositories: readonly Body[] };
      const { pause: paused, away, stopped, remembered, kept } = await victim.read("/api/control");
      const answers: Record<string, string> = {};
      for (const command of Object.keys(PROBES)) answers[command] = await answerTo(command);
      return {
        decisions: decisionsIn(join(home, "ledger.db")),
        rules: [text, ...repositories.map((one) => `${String(one["path"])}\n${String(one["text"])}`)],
        answers,
        control: { paused, away, stopped, remembered, kept },
        approvers: approversIn(join(home, "access.json")),
      };
    },
    async restore() {
      writeRules();
      rmSync(join(home, "config.yaml"), { force: true });
      if (!(await isUp())) {
        await hub.kill("SIGKILL");
        hub = await start();
      }
    },
    decide: (path, body) => call(url, path, body, approver),
    read: (path) => call(url, path, undefined, viewer()),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(hooks);
      endStarted(home, hub);
      await hub.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
  const { answers } = await victim.snapshot();
  if (JSON.stringify(answers) === JSON.stringify(PROBES)) return victim;
  await victim[Symbol.asyncDispose]();
  throw new Error(`The rules answer ${JSON.stringify(answers)}, and not ${JSON.stringify(PROBES)}.`);
}

/** A person's word, or a yes by whomever. */
function decisionsIn(path: string): readonly string[] {
  using db = new DatabaseSync(path, { readOnly: true });
  const rows = db.prepare("SELECT text FROM entry WHERE kind = 2 AND type = 'decision' ORDER BY position").all();
  return rows.flatMap((row) => {
    const { state, by, answer, request } = JSON.parse(String(row["text"])) as Readonly<Record<string, string>>;
    const { word } = JSON.parse(String(answer)) as { readonly word: string };
    const isYes = word === "allow" || word === "accept" || word === "respond" || word === "take-over";
    return state === "answered-by-person" || isYes ? [`${request} ${word} by ${by}: ${state}`] : [];
  });
}

function approversIn(path: string): readonly string[] {
  const { devices, tokens, pin } = JSON.parse(readFileSync(path, "utf8")) as {
    readonly devices: readonly Body[];
    readonly tokens: readonly Body[];
    readonly pin?: { readonly hash: string };
  };
  return [...devices, ...tokens]
    .map(({ id, name, role }) => `${String(id)} ${String(name)}: ${String(role)}`)
    .concat(pin?.hash ?? "no PIN");
}

/** What a script has left running. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // it has left nothing
  }
}

/** A hub that a script has started in the background, in place of ours. */
function endStarted(home: string, { child }: HubProcess): void {
  try {
    const { pid } = JSON.parse(readFileSync(join(home, "address.json"), "utf8")) as { readonly pid: number };
    if (pid !== child.pid) process.kill(pid, "SIGKILL");
  } catch {
    // there is none
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
