import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookEventNow } from "../../requests/testing/asked-now.ts";
import { TEST_PIN_RECORD, TestDevice } from "./test-device.ts";
import type { Victim, VictimQuestion } from "./victim.ts";

type Headers = Readonly<Record<string, string>>;

/** Attacks by an agent with everything its user can read. */
export interface AttackingAgent {
  readonly producer: string;
  readonly viewer: string;
  /** Every text in the hub's files that could be a credential. */
  credentials(): readonly string[];
  /** Calls a route with or without a token. */
  post(path: string, token: string, body: unknown, headers?: Headers): Promise<string>;
  get(path: string, token?: string): Promise<string>;
  remove(path: string, token: string): Promise<string>;
  /** Asks about a command like a hook, under a new id. */
  ask(command: string): Promise<string>;
  /** Ends after the rules file was checked again. */
  letItLook(): Promise<void>;
  /** Everything that was answered. */
  readonly heard: readonly string[];
}

export function createAttackingAgent({ url, home, repository }: Victim): AttackingAgent {
  /** Empty if this account cannot read it. */
  const file = (name: string) => {
    try {
      return readFileSync(join(home, name), "utf8");
    } catch {
      return "";
    }
  };
  const heard: string[] = [];
  const call = async (method: string, path: string, token: string, headers: Headers, body?: unknown) => {
    const shown = token === "" ? {} : { authorization: `Bearer ${token}` };
    const sent = { method, headers: { ...shown, ...headers }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const text = await (await fetch(url + path, sent)).text();
    heard.push(text);
    return text;
  };
  const json = { "content-type": "application/json" };
  const producer = file("producer.token").trim();
  const viewer = file("viewer.token").trim();
  const ask = (command: string) => {
    const event = hookEventNow(command, { session: { id: "session-agent" }, workspace: { cwd: repository } });
    return call("POST", "/aep/v1/hooks?wait=1", producer, json, event);
  };
  return {
    producer,
    viewer,
    credentials: () =>
      [
        producer,
        viewer,
        file("request.key").trim(),
        ...["access.json", "address.json"].flatMap((name) => file(name).match(/[\w-]{16,}/g) ?? []),
        ...file("seal-key.pem")
          .split("\n")
          .filter((line) => line !== "" && !line.includes("-----")),
      ].filter((text) => text !== ""),
    post: (path, token, body, headers = {}) => call("POST", path, token, { ...json, ...headers }, body),
    get: (path, token = "") => call("GET", path, token, {}),
    remove: (path, token) => call("DELETE", path, token, {}),
    ask,
    async letItLook() {
      await call("GET", "/api/policy", viewer, {});
      await ask("wipe --all");
    },
    heard,
  };
}

type Attempt = (agent: AttackingAgent, question: VictimQuestion, victim: Victim) => Promise<void>;

const LOOSE = "rules:\n  - name: all\n    match: { tool: Bash }\n    answer: allow\n";
const policyOf = ({ home }: Victim) => join(home, "policy.yaml");
const repositoryPolicyOf = ({ repository }: Victim) => join(repository, ".earshot", "policy.yaml");

/** Writes each text into the rules file and makes the hub check it. */
async function writeEach(agent: AttackingAgent, path: string, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    writeFileSync(path, text);
    await agent.letItLook();
  }
}

/** An agent's shell is the same user: over HTTP it sends every text it can read, and it writes into every file. */
export const SELF_APPROVAL_ATTEMPTS: Readonly<Record<string, Attempt>> = {
  "answers its own request with everything that could be a credential": async (
    { post, credentials },
    { request, confirmation, digest },
  ) => {
    for (const token of ["", ...credentials()]) {
      await post(`/api/requests/${request}/answer`, token, { digest, answer: "allow" });
      await post(`/api/requests/${confirmation}/answer`, token, { digest, answer: "accept" });
      await post(`/k/${encodeURIComponent(token)}/api/requests/${request}/answer`, "", { digest, answer: "allow" });
    }
  },
  "calls every route that decides, sets or admits, with everything that could be a credential": async (
    agent,
    { request, digest },
    victim,
  ) => {
    const { paths } = JSON.parse(await agent.get("/openapi.json")) as { paths: Readonly<Record<string, object>> };
    const body = {
      ...{ digest, answer: "allow", hash: "none", scope: "always", rule: "never-wipe", forMs: 60_000, reason: "Because.", on: true },
      ...{ name: "me", role: "approver", owner: "me", pin: TEST_PIN_RECORD, match: "000000", code: "AAAAAAAAAAAAAAAAAAAAAA" },
      text: readFileSync(policyOf(victim), "utf8"),
    };
    // A reset takes ten minutes and is tested elsewhere.
    const routes = Object.keys(paths).filter((path) => !path.includes("reset-approver"));
    for (const path of routes) {
      for (const id of path.includes("{") ? [request, "session-1"] : [""]) {
        const url = path.replaceAll(/\{[^}]+\}/g, id);
        const methods = Object.keys(paths[path] ?? {}).filter((method) => !["get", "head", "options"].includes(method));
        const tokens = ["", ...agent.credentials()];
        const calls = methods.flatMap((method) => tokens.map((token) => [method, token] as const));
        await Promise.all(calls.map(([method, token]) => (method === "delete" ? agent.remove(url, token) : agent.post(url, token, body))));
      }
    }
  },
  "pretends to be the hub's own page": async ({ post, viewer }, { request, digest }, { url }) => {
    for (const headers of [
      { origin: url },
      { "sec-fetch-site": "same-origin" },
      { referer: `${url}/ui/` },
      { "x-forwarded-for": "127.0.0.1" },
      { cookie: "role=approver" },
    ]) {
      await post(`/api/requests/${request}/answer`, viewer, { digest, answer: "allow", by: "Ana's phone" }, headers as unknown as Headers);
    }
  },
  "has its kind allowed from now on": async ({ post, get, producer, viewer }, { request, digest }) => {
    for (const scope of ["once", "session", "project", "always"]) {
      const { hash } = JSON.parse(await get(`/api/requests/${request}/rule?scope=${scope}`, viewer)) as { hash?: string };
      for (const token of [producer, viewer]) await post(`/api/requests/${request}/remember`, token, { digest, scope, hash });
    }
    await post("/api/policy/forget", viewer, { rule: "never-wipe" });
  },
  "pauses, is away, is there, stops and lifts": async ({ post, producer, viewer }) => {
    for (const token of [producer, viewer]) {
      await post("/api/pause", token, { forMs: 600_000, reason: "Lunch." });
      await post("/api/away", token, { on: true });
      await post("/api/presence", token, {});
      await post("/api/sessions/session-1/stop", token, {});
      await post("/api/sessions/session-1/lift", token, {});
    }
  },
  "says as an event that it was answered: AAEP": async ({ post, get, producer }, { question, confirmation }) => {
    const reply = {
      type: "confirmation.reply",
      reply_token: question["reply_token"],
      decision: "accept",
      subscription_id: "sub_1",
      decided_by: "user:ana",
      timestamp: new Date().toISOString(),
    };
    for (const token of ["", producer]) await post("/v1/events?protocol=aaep", token, reply);
    await get(`/v1/answers/${confirmation}?wait=100`, producer);
  },
  "says as an event that it was answered: AEP": async ({ post, get, producer }, { event, request }) => {
    const response = (id: string) => ({
      aep_version: "0.1",
      id,
      request_event_id: event["id"],
      time: new Date().toISOString(),
      control: { behavior: "allow" },
      decision: { outcome: "approved", by: "Ana's phone" },
    });
    for (const [index, token] of ["", producer].entries()) {
      await post("/v1/events", token, response(`rsp_forged${index}`));
      await post("/aep/v1/hooks", producer, response(`rsp_hook${index}`));
    }
    await get(`/aep/v1/hooks/${request}?wait=100`, producer);
  },
  "speaks as the hub itself": async ({ post, producer, viewer }, { request, digest }) => {
    for (const type of ["decision", "control.policy", "control.paused", "control.remembered"]) {
      for (const token of ["", producer]) {
        await post("/v1/events", token, {
          aep_version: "0.1",
          id: `evt_own_${type}${token.length}`,
          type,
          time: new Date().toISOString(),
          agent: { slug: "Earshot" },
          session: { id: "control" },
          source: { name: "Earshot" },
          request,
          state: "answered-by-person",
          digest,
          by: "Ana's phone",
          answer: JSON.stringify({ word: "allow" }),
          policy: { text: "rules: []" },
          control: { pause: { until: 9_999_999_999_999, by: "x", reason: "x" } },
        });
      }
    }
    await post("/api/tokens", viewer, { name: "Earshot", role: "producer", owner: "me" });
  },
  "says that it went on, that it ended, and that somebody answered elsewhere": async ({ post, producer }, { event }) => {
    const envelope = { aep_version: "0.1", time: new Date().toISOString(), agent: { slug: "claude" } };
    const { id } = event["action"] as { readonly id: string };
    await post("/v1/events", producer, {
      ...envelope,
      id: "evt_answered",
      type: "question.answered",
      session: { id: "session-elsewhere" },
      content: [{ type: "answer", text: "yes" }],
      action: { id },
    });
    await post("/v1/events", "", { ...envelope, id: "evt_ended", type: "session.end", session: event["session"] });
  },
  "makes itself a token": async ({ post, producer, viewer }) => {
    for (const token of ["", producer, viewer]) await post("/api/tokens", token, { name: "me", role: "approver", owner: "me" });
  },
  "asks for a first PIN and a start link, and opens one that it made up": async ({ post, producer, viewer }) => {
    for (const token of ["", producer, viewer]) {
      await post("/api/start-code", token, {});
      await post("/api/first-pin", token, { pin: TEST_PIN_RECORD });
    }
    await post("/api/pair/start", "", { code: "AAAAAAAAAAAAAAAAAAAAAA", key: new TestDevice().key, name: "me", pin: TEST_PIN_RECORD });
  },
  "admits itself as a device, and confirms the number that it was shown": async ({ post, producer, viewer }) => {
    const { id, code } = JSON.parse(await post("/api/pairings", viewer, { role: "approver" })) as Readonly<Record<string, string>>;
    const claim = await post("/api/pair/claim", "", { code, name: "Ana", key: new TestDevice().key });
    const { match } = JSON.parse(claim) as { readonly match: string };
    for (const token of ["", producer, viewer]) await post(`/api/pairings/${id}/confirm`, token, { match });
  },
  "accepts its own rules over HTTP": async (agent, _question, victim) => {
    await writeEach(agent, policyOf(victim), LOOSE);
    const { pending } = JSON.parse(await agent.get("/api/policy", agent.viewer)) as { readonly pending: { readonly hash: string } };
    for (const token of ["", ...agent.credentials()]) await agent.post("/api/policy/accept", token, { hash: pending.hash });
  },
  "removes the file of rules": async ({ letItLook }, _question, victim) => {
    rmSync(policyOf(victim));
    await letItLook();
  },
  "empties the file of rules": (agent, _question, victim) => writeEach(agent, policyOf(victim), "", "{}", "rules: []\n"),
  "puts the rules into another order": async (agent, _question, victim) => {
    const [head = "", ...rules] = readFileSync(policyOf(victim), "utf8").split(/(?= {2}- name)/);
    await writeEach(agent, policyOf(victim), head + rules.toReversed().join(""));
  },
  "adds a rule that allows everything, first and last": async (agent, _question, victim) => {
    const text = readFileSync(policyOf(victim), "utf8");
    const first = text.replace(/^rules:$/m, "rules:\n  - { name: all, match: { tool: Bash }, answer: allow }");
    const more = "  - { name: more, match: { tool: Bash, danger: any, risk: high }, answer: allow }\n";
    await writeEach(agent, policyOf(victim), first, first + more, text + more);
  },
  "takes one rule out, and one word out of another": async (agent, _question, victim) => {
    const text = readFileSync(policyOf(victim), "utf8");
    const shorter = text.replace(/ {2}- name: never-wipe\n.*\n.*\n/, "");
    const words = shorter
      .replace("unanswered: deny", "unanswered: allow")
      .replace("hold: always", "hold: never")
      .replace("extends: guard", "extends: watch-only");
    await writeEach(agent, policyOf(victim), shorter, words);
  },
  "turns a no into a question, and a question into nothing": async (agent, _question, victim) => {
    const asking = readFileSync(policyOf(victim), "utf8").replaceAll("answer: deny", "answer: ask");
    await writeEach(agent, policyOf(victim), asking, asking.replaceAll("answer: ask", "answer: abstain"));
  },
  "puts a link in place of the file, and changes what it leads to": async ({ letItLook }, _question, victim) => {
    const [policy, mine] = [policyOf(victim), join(victim.repository, "mine.yaml")];
    const link = async (target: string) => {
      rmSync(policy, { force: true });
      symlinkSync(target, policy);
      await letItLook();
    };
    cpSync(policy, mine);
    await link(mine);
    writeFileSync(mine, LOOSE);
    await letItLook();
    for (const target of ["/dev/null", "/dev/zero", victim.repository]) await link(target);
  },
  "changes the file in place, without changing its size and its date": async (agent, _question, victim) => {
    const policy = policyOf(victim);
    const { size, mtime, atime } = statSync(policy);
    const text = readFileSync(policy, "utf8").replaceAll("answer: deny", "answer: ask ");
    writeFileSync(policy, text);
    utimesSync(policy, atime, mtime);
    if (statSync(policy).size !== size) throw new Error("The size has changed.");
    await agent.letItLook();
  },
  "spoils the file: not YAML, far too large, a folder, a pipe": async (agent, _question, victim) => {
    const policy = policyOf(victim);
    await writeEach(agent, policy, "rules: [\n", "\0".repeat(3_000_000));
    rmSync(policy);
    mkdirSync(policy);
    await agent.letItLook();
    rmSync(policy, { recursive: true });
    execFileSync("mkfifo", [policy]);
    await agent.letItLook();
  },
  "loosens, removes and hides the rules of the repository": async (agent, _question, victim) => {
    const { repository } = victim;
    const [policy, folder, hidden] = [repositoryPolicyOf(victim), join(repository, ".earshot"), join(repository, ".hidden")];
    await writeEach(agent, policy, "rules: []\n", LOOSE);
    rmSync(policy);
    symlinkSync("/dev/null", policy);
    await agent.letItLook();
    mkdirSync(join(folder, ".earshot"), { recursive: true });
    await writeEach(agent, join(folder, ".earshot", "policy.yaml"), "rules: []\n");
    renameSync(folder, hidden);
    await agent.letItLook();
    renameSync(hidden, folder);
    rmSync(folder, { recursive: true });
    await agent.letItLook();
  },
};
