import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { becomeAdmin, callJson as call } from "../../packages/hub/src/access/testing/test-device.ts";
import { pause, verify } from "../durability/kills.ts";
import { freePort, type HubProcess, startHub } from "../hub/hub-process.ts";
import { arrivalOf, isPoint } from "./points.ts";

type Body = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

export interface KillReport {
  /** Number of settling entries per request. */
  readonly decisionsPerRequest: readonly number[];
  /** The asker's final answer. */
  readonly heard: string;
  /** The asker's answer before the kill. */
  readonly heardBefore: string | undefined;
  /** Decisions acknowledged to the approver. */
  readonly acknowledged: readonly string[];
  /** The stored decision. */
  readonly decided: string;
  readonly verification: Body;
}

const BIN = resolve("scenarios/requests/broken-hub.ts");

/**
 * A hook asks, an approver extends and answers, and the hub is killed on the way; a second hub continues on its files. Agent and person
 * repeat their steps: ask again, look again, answer what is open.
 */
export async function killDuring(fault: string, word: "allow" | "deny"): Promise<KillReport> {
  const home = mkdtempSync(join(tmpdir(), "earshot-requests-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let hub: HubProcess | undefined;
  try {
    // The approver is created with a correct hub.
    hub = await startHub({ home, port });
    const admin = await becomeAdmin(url, hub.viewer());
    const { token } = await call(url, "/api/tokens", { name: "Ana's phone", role: "approver", owner: "tests" }, admin);
    const approver = { authorization: `Bearer ${String(token)}` };
    const producer = { authorization: `Bearer ${readFileSync(join(home, "producer.token"), "utf8").trim()}` };
    await hub.kill("SIGTERM");
    hub = await startHub({ home, port, bin: BIN, args: ["--fault", fault] });

    const agent = new Agent(url, producer);
    const person = new Person(url, approver, word);
    const stop = new AbortController();
    const asking = agent.run(stop.signal);
    const deciding = person.run(stop.signal);
    if (isPoint(fault)) {
      while (!hub.log().includes(arrivalOf(fault))) {
        if (hub.child.exitCode !== null) throw new Error(`The hub ended before it was there: ${hub.log()}`);
        await pause(5);
      }
    } else while (person.acknowledged.length === 0) await pause(1);
    const heardBefore = agent.heard;
    await hub.kill("SIGKILL");
    hub = await startHub({ home, port });
    while (agent.heard === undefined) await pause(10);
    await pause(300);
    stop.abort();
    await Promise.all([asking, deciding]);
    const verification = await verify(hub);
    await hub.kill("SIGTERM");
    return { ...readBack(join(home, "ledger.db")), heard: agent.heard, heardBefore, acknowledged: person.acknowledged, verification };
  } finally {
    await hub?.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  }
}

/** Asks until answered, like a hook: first with the event, then by request id. */
class Agent {
  heard: string | undefined;
  readonly #url: string;
  readonly #headers: Headers;
  readonly #event = {
    aep_version: "0.1",
    id: "evt_1",
    type: "action.requested",
    time: new Date().toISOString(),
    agent: { slug: "claude" },
    session: { id: "session-1" },
    action: { type: "tool_call", id: "call_1", input: { command: "deploy" } },
    tool: { name: "Bash", type: "native" },
  };

  constructor(url: string, headers: Headers) {
    this.#url = url;
    this.#headers = headers;
  }

  async run(stop: AbortSignal): Promise<void> {
    let id: string | undefined;
    while (!stop.aborted) {
      const path = id === undefined ? "/aep/v1/hooks?asks=1&dialog=1&wait=1000" : `/aep/v1/hooks/${id}?wait=1000`;
      const answer = await reach(this.#url + path, this.#headers, id === undefined ? this.#event : undefined);
      if (answer === undefined) await pause(20);
      else if (answer["waits"] === true) id = answer["again"] === true ? undefined : String(answer["request"]);
      else {
        const { control } = answer["response"] as { readonly control: Body };
        this.heard ??= String(control["behavior"]);
        return;
      }
    }
  }
}

/** Reads open requests, extends once, and answers. */
class Person {
  readonly acknowledged: string[] = [];
  readonly #url: string;
  readonly #headers: Headers;
  readonly #word: string;

  constructor(url: string, headers: Headers, word: string) {
    this.#url = url;
    this.#headers = headers;
    this.#word = word;
  }

  async run(stop: AbortSignal): Promise<void> {
    let hasMoreTime = false;
    while (!stop.aborted) {
      const list = await reach(`${this.#url}/api/requests?state=open`, this.#headers);
      const [open] = (list?.["requests"] ?? []) as readonly Body[];
      if (open?.["waits"] === true) {
        const path = `${this.#url}/api/requests/${String(open["id"])}`;
        const digest = String(open["digest"]);
        if (!hasMoreTime) hasMoreTime = (await reach(`${path}/extend`, this.#headers, { digest }))?.["id"] !== undefined;
        const answered = await reach(`${path}/answer`, this.#headers, { digest, answer: this.#word });
        const decision = answered?.["decision"] as Body | undefined;
        if (decision !== undefined && decision !== null) this.acknowledged.push(String((decision["answer"] as Body)["word"]));
      }
      await pause(20);
    }
  }
}

/** Undefined when the hub is down or answers with an error. */
async function reach(url: string, headers: Headers, body?: object): Promise<Body | undefined> {
  try {
    const post = { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } };
    const response = await fetch(url, { ...(body === undefined ? { headers } : post), signal: AbortSignal.timeout(5000) });
    return response.ok ? ((await response.json()) as Body) : undefined;
  } catch {
    return undefined; // killed, not up yet, or standing still
  }
}

function readBack(path: string): Pick<KillReport, "decisionsPerRequest" | "decided"> {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const requests = db.prepare("SELECT id, state FROM request").all() as unknown as readonly {
      readonly id: string;
      readonly state: string;
    }[];
    const decisions = (
      db.prepare("SELECT text FROM entry WHERE kind = 2 AND type = 'decision'").all() as unknown as readonly { readonly text: string }[]
    ).map(({ text }) => JSON.parse(text) as Body);
    const [first] = decisions;
    const answer = JSON.parse(String(first?.["answer"] ?? "{}")) as Body;
    return {
      decisionsPerRequest: requests.map(({ id }) => decisions.filter(({ request }) => request === id).length),
      decided: String(answer["word"]),
    };
  } finally {
    db.close();
  }
}
