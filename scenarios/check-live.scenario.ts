import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { aaep, subscribe } from "@earshot/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startDemoAgent } from "../examples/aaep-demo-agent/demo-agent.ts";
import { play } from "../examples/aaep-demo-agent/script.ts";
import { understand } from "../examples/aaep-demo-agent/understand.ts";
import { becomeAdmin, callJson } from "../packages/hub/src/access/testing/test-device.ts";
import { hubHomeOf } from "../packages/hub/src/home.ts";
import { startHub } from "../packages/hub/src/hub.ts";
import { openPeer } from "../packages/recordings/src/check-live/peer/open-peer.ts";
import type { ConnectOptions, DrivenConnection } from "../packages/recordings/src/check-live/peer/peer.ts";
import { checkProducer } from "../packages/recordings/src/check-live/producer/check-producer.ts";
import {
  DEFAULT_PATIENCE,
  DEFAULT_PROMPTS,
  type DrivePatience,
  defaultSituations,
  readSituations,
} from "../packages/recordings/src/check-live/situations.ts";
import { checkSubscriber } from "../packages/recordings/src/check-live/subscriber/check-subscriber.ts";
import { PlayedProducer } from "../packages/recordings/src/check-live/subscriber/played-producer.ts";
import { startSeededProducer } from "../packages/recordings/src/check-live/testing/seeded-producer.ts";
import { EARSHOT } from "../tools/built-command.ts";
import { freePort } from "./hub/hub-process.ts";

/** `earshot check producer` and `earshot check subscriber` as processes, with the demo agent. */
const DEMO = resolve("examples/aaep-demo-agent/main.ts");
const PATIENT: DrivePatience = {
  ...DEFAULT_PATIENCE,
  answerMs: 30_000,
  quietMs: 200,
  criticalMs: 5000,
  rateMs: 2000,
  graceMs: 20_000,
  fillMs: 1000,
};
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "earshot-check-live-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function earshot(...args: readonly string[]) {
  const child = spawn(process.execPath, [EARSHOT, "check", ...args], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [status] = (await once(child, "close")) as [number | null];
  return { status, stdout, stderr };
}

interface Report {
  readonly ok: boolean;
  readonly scenarios: readonly {
    readonly name: string;
    readonly outcome: string;
    readonly findings: readonly { readonly rule: string }[];
  }[];
}

const outcomes = (text: string, outcome: string) =>
  (JSON.parse(text) as Report).scenarios.filter((scenario) => scenario.outcome === outcome).map(({ name }) => name);

describe("the demo agent", () => {
  it.concurrent.each(["http", "ws"] as const)("passes all that can be shown of level 3 over %s", async (scheme) => {
    const journal: string[] = [];
    await using agent = await startDemoAgent({
      serve: { port: 0, token: "a-token" },
      acknowledges: false,
      journal: (line) => journal.push(line),
    });
    const url = (agent.endpoint.url ?? "").replace("http", scheme);
    const peer = openPeer({ url }, { authorization: "Bearer a-token" });
    const report = await checkProducer({
      peer,
      level: 3,
      situations: defaultSituations(),
      patience: PATIENT,
      strict: true,
      requiresAll: false,
    });
    const found = report.scenarios.flatMap(({ name, findings }) => findings.map(({ rule, message }) => `${name}: ${rule}: ${message}`));
    expect(found).toEqual([]);
    const missing = report.scenarios.filter(({ outcome, name }) => outcome === "not-shown" && name !== "deaf").map(({ name }) => name);
    expect(missing).toEqual(scheme === "http" ? ["languages"] : ["languages", "resume", "resume-unknown"]);
    expect(report.ok).toBe(true);
  });
});

it("passes the hub with an agent behind it, while others ask and hand over", async () => {
  const home = hubHomeOf({ EARSHOT_HOME: join(folder, "home") });
  const hub = await startHub({ home, version: "0.0.0", port: 0 });
  const token = (path: string) => readFileSync(path, "utf8").trim();
  const admin = await becomeAdmin(hub.url, { authorization: `Bearer ${token(home.viewerToken)}` });
  const { token: approver } = await callJson(hub.url, "/api/tokens", { name: "check", role: "approver", owner: "tests" }, admin);
  const agent = aaep({ agentId: "behind-the-hub", hub: hub.url, token: token(home.producerToken), spoolBytes: 0 });
  try {
    for (const words of [DEFAULT_PROMPTS.irreversible, DEFAULT_PROMPTS.confirm, DEFAULT_PROMPTS.clarify]) {
      void agent.run({ summary: "Working for another person." }, (session) => play(session, understand(words), () => {})).catch(() => {});
    }
    const handOver = [
      { type: "aaep:agent.session.started", summary_normal: "Working." },
      { type: "aaep:agent.handoff.requested", urgency: "critical", reason: "A person wants to be asked.", target_kind: "human" },
    ];
    for (const [index, said] of handOver.entries()) {
      const envelope = {
        "@context": "https://aaep-protocol.org/context/v1",
        event_id: `evt_handsover${index}`,
        session_id: "sess_handsover",
        timestamp: new Date().toISOString(),
        producer: { agent_id: "another" },
      };
      await callJson(hub.url, "/v1/events", { ...envelope, ...said }, { authorization: `Bearer ${token(home.producerToken)}` });
    }
    const open = async () => (await callJson(hub.url, "/api/requests?state=open", undefined, admin))["requests"];
    await expect.poll(open).toHaveLength(4);
    const http = openPeer({ url: `${hub.url}/aaep/v1` }, { authorization: `Bearer ${String(approver)}` });
    // Prompts go to the agent; everything else to the hub.
    const connect = async (options?: ConnectOptions): Promise<DrivenConnection> => {
      const connection = await http.connect(options);
      connection.send = async ({ text }) => {
        const understood = understand(String(text));
        void agent.run({ summary: "Working on a request." }, (session) => play(session, understood, () => {})).catch(() => {});
        return undefined;
      };
      return connection;
    };
    const situations = readSituations({ attended: true });
    const report = await checkProducer({
      peer: { ...http, connect },
      level: 3,
      situations,
      patience: PATIENT,
      strict: false,
      requiresAll: false,
    });
    expect(
      report.scenarios
        .filter(({ outcome, name }) => outcome !== "passed" && name !== "deaf")
        .map(({ name, reason, findings }) => ({ name, reason, findings })),
    ).toEqual([]);
  } finally {
    await agent.close();
    await hub.close();
  }
});

it.concurrent.each(["http", "ws"] as const)("passes the SDK's own subscriber over %s", async (scheme) => {
  const reception = await PlayedProducer.open({ host: "127.0.0.1", port: 0, origins: [] });
  const url = scheme === "http" ? reception.url : `${reception.url.replace("http", "ws")}/ws`;
  const replies = {
    supports_confirmation_reply: true,
    supports_clarification_reply: true,
    supported_conformance_levels: [1, 2, 3] as (1 | 2 | 3)[],
  };
  const obey = async () => {
    const subscription = subscribe(url, replies);
    for await (const event of subscription) {
      const words = String(event["action"] ?? event["question"] ?? event["summary_normal"]);
      if (words.includes("Please stop")) break; // which closes the subscription
      const token = event["reply_token"];
      if (typeof token !== "string" || words.includes("unanswered")) continue;
      const response = words.includes("yes") ? true : words.includes("number") ? 3 : "blue";
      await subscription.reply(
        token,
        event["question"] === undefined ? { decision: words.includes("accept") ? "accept" : "reject" } : { response },
      );
    }
  };
  const obeyed = obey();
  const patience = { answerMs: 30_000, quietMs: 200, shortSeconds: 1 };
  const report = await checkSubscriber({ reception, level: 3, patience, strict: true, requiresAll: false });
  await reception.close();
  await obeyed;
  expect(report.scenarios.flatMap(({ findings }) => findings)).toEqual([]);
  expect(report.scenarios.filter(({ outcome }) => outcome !== "passed").map(({ name }) => name)).toEqual(["renegotiate"]);
});

describe("the command", () => {
  it("drives a process over its standard streams, and shows what it did to the world by a probe", async () => {
    const journal = join(folder, "journal");
    writeFileSync(journal, "");
    writeFileSync(join(folder, "scenarios.json"), JSON.stringify({ probe: { run: `cat ${journal}` } }));
    const demo = [DEMO, "--stdio", "--journal", journal];
    const run = await earshot(
      "producer",
      "--level",
      "1",
      "--wait",
      "60",
      "--scenarios",
      "scenarios.json",
      "--json",
      "--",
      process.execPath,
      ...demo,
    );
    expect(run.stderr).toBe("");
    expect(outcomes(run.stdout, "passed")).toEqual(["chat", "tool", "failing-tool", "error", "secret", "two-requests", "two-at-once"]);
    expect(run.status).toBe(0);
    expect(readFileSync(journal, "utf8")).toContain("looked up the weather");
    expect(run.stdout).toContain('"aaep/tool-before-effect"');
  });

  it("ends with 1 when something failed, names the rule, and writes a page", async () => {
    await using producer = await startSeededProducer("state-chain-broken");
    const run = await earshot(
      "producer",
      producer.url,
      "--level",
      "1",
      "--header",
      "Authorization: Bearer seeded",
      "--html",
      "report.html",
    );
    expect(run.status).toBe(1);
    expect(run.stdout).toContain("aaep/state-chain");
    const page = readFileSync(join(folder, "report.html"), "utf8");
    expect(page).toContain("aaep/state-chain");
    expect(page).toContain("Not passed");
  });

  it("ends with 2 when nothing can be shown, and passes nothing", async () => {
    const run = await earshot("producer", `http://127.0.0.1:${await freePort()}/aaep/v1`, "--level", "1", "--json");
    expect(run.status).toBe(2);
    expect(outcomes(run.stdout, "passed")).toEqual([]);
  });

  it("counts what was not shown when that is asked for", async () => {
    await using producer = await startSeededProducer();
    writeFileSync(join(folder, "without-tool.json"), JSON.stringify({ tool: null }));
    const args = [
      "producer",
      producer.url,
      "--level",
      "1",
      "--header",
      "Authorization: Bearer seeded",
      "--scenarios",
      "without-tool.json",
      "--json",
    ];
    const lenient = await earshot(...args);
    expect([lenient.status, outcomes(lenient.stdout, "not-shown")]).toEqual([0, ["tool", "two-at-once"]]);
    expect((await earshot(...args, "--require-all")).status).toBe(1);
  });

  it.each([
    [["producer"], "one address"],
    [["producer", "gopher://x"], "no address"],
    [["producer", "http://x", "--level", "4"], "--level"],
    [["producer", "http://x", "--header", "nonsense"], "--header"],
    [["producer", "http://x", "--scenarios", "nowhere.json"], "cannot be read"],
    [["subscriber"], "--listen is missing"],
    [["subscriber", "--listen", "nowhere"], "--listen"],
  ])("is not understood: %j", async (args, hint) => {
    const run = await earshot(...args);
    expect([run.status, run.stderr.includes(hint)]).toEqual([2, true]);
  });

  it("waits for a subscriber, and shows nothing when none comes", async () => {
    const run = await earshot("subscriber", "--listen", String(await freePort()), "--level", "1", "--wait", "0.2", "--json");
    expect(run.status).toBe(2);
    expect(outcomes(run.stdout, "not-shown")).toEqual(["listen", "unknown"]);
  });
});
