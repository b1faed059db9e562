import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { spawn } from "node:child_process";
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { subscribe } from "./subscriber.ts";

/** Starts a hub, subscribes to it, lets an agent ask a question, and checks that the answer arrives. */
const EARSHOT = resolve(import.meta.dirname, "../../packages/cli/bin/earshot.cjs");
const home = mkdtempSync(join(tmpdir(), "earshot-example-"));
const env = { ...process.env, EARSHOT_HOME: home, EARSHOT_URL: "" };
const hub = spawn(process.execPath, [EARSHOT, "start", "--port", "0", "--no-open"], { env, stdio: ["ignore", "pipe", "ignore"] });
const ended = once(hub, "exit");
const stopping = new AbortController();
try {
  const url = await addressOf();
  const token = await approverToken(url);
  const said: string[] = [];
  const say = (line: string) => {
    said.push(line);
    console.log(line);
  };
  const decide = async (question: string) => {
    console.log(`  ? ${question} — yes`);
    return true;
  };
  const listening = subscribe({ url: `${url}/aaep/v1`, token, say, decide, signal: stopping.signal });

  const answer = await agent(url);
  deepStrictEqual([answer["state"], answer["answer"]], ["answered-by-person", { word: "accept" }]);
  await until(() => said.length === 5);
  deepStrictEqual(said, [
    "cleaner: Tidying the disk.",
    "! cleaner: Delete the old backups?",
    "! cleaner: Allowed by a reader.",
    "cleaner: The old backups are gone.",
    "cleaner: Done.",
  ]);
  stopping.abort();
  await listening;
  const { open } = await ask(url, "/api/requests?limit=1", undefined, file("viewer.token"));
  strictEqual(open, 0);
  console.log("The agent asked, a person answered over AAEP, and everybody heard how it ended.");
} finally {
  stopping.abort();
  hub.kill();
  await ended;
  rmSync(home, { recursive: true, force: true });
}

type Body = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

/** An agent that reports in AAEP and waits for a person before anything irreversible. */
async function agent(url: string): Promise<Body> {
  let number = 0;
  const tell = (type: string, more: object) => {
    number += 1;
    const event = {
      "@context": "https://aaep-protocol.org/context/v1",
      aaep_version: "1.0.0",
      type: `aaep:agent.${type}`,
      event_id: `evt_example${number}`,
      session_id: "sess_example",
      timestamp: new Date().toISOString(),
      producer: { agent_id: "cleaner" },
      localization_hints: { primary_language: "en" },
      ...more,
    };
    return ask(url, "/aaep/v1/events", event, file("producer.token"));
  };
  await subscribed(url);
  await tell("session.started", { summary_normal: "Tidying the disk." });
  const { request } = await tell("awaiting.confirmation", {
    urgency: "critical",
    action: "Delete the old backups.",
    consequence: "They cannot be restored.",
    reply_token: "rpl_example",
    timeout_seconds: 300,
    default_decision: "reject",
    risk_level: "high",
    irreversible: true,
    summary_normal: "Delete the old backups?",
  });
  ok(typeof request === "string", "the hub asks");
  const answer = await ask(url, `/v1/answers/${request}?wait=20000`, undefined, file("producer.token"));
  const call = { tool: "delete_backups", tool_call_id: "call_1" };
  await tell("tool.invoked", { ...call, risk_level: "high", irreversible: true, summary_normal: "The old backups are gone." });
  await tell("tool.completed", { ...call, status: "success" });
  await tell("session.completed", { summary_normal: "Done." });
  return answer;
}

/** Waits for the subscriber: a new one hears current states but no past events. */
async function subscribed(url: string): Promise<void> {
  await until(async () => {
    const metrics = await (await fetch(`${url}/metrics`, { headers: file("viewer.token") })).text();
    return /^earshot_aaep_subscriptions 1$/m.test(metrics);
  });
}

/** Becomes the first approver, as a person would once in a browser, and creates a token for the reader. */
async function approverToken(url: string): Promise<string> {
  const { link } = await ask(url, "/api/start-code", {}, file("viewer.token"));
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { kty, crv, x, y } = publicKey.export({ format: "jwk" });
  const first = { code: String(link).split("#start=")[1], key: { kty, crv, x, y }, name: "a browser", pin: somePin() };
  const { device } = (await ask(url, "/api/pair/start", first)) as { readonly device: { readonly id: string } };
  const { challenge } = await ask(url, "/api/ticket");
  const text = `earshot ticket\n${url}\n${device.id}\n${String(challenge)}`;
  const signature = sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url");
  const { ticket } = await ask(url, "/api/ticket", { device: device.id, challenge, signature });
  const wish = { name: "a reader", role: "approver", owner: "the example" };
  return String((await ask(url, "/api/tokens", wish, { authorization: `Bearer ${String(ticket)}` }))["token"]);
}

/** Clients derive this key from the typed PIN with scrypt; here it is random. */
function somePin(): object {
  const { x } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
  return { salt: randomBytes(16).toString("base64url"), cost: 2 ** 15, key: x };
}

function file(name: string): Headers {
  return { authorization: `Bearer ${readFileSync(join(home, name), "utf8").trim()}` };
}

async function ask(url: string, path: string, body?: object, headers: Headers = {}): Promise<Body> {
  const post = { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } };
  const response = await fetch(url + path, body === undefined ? { headers } : post);
  const answer = (await response.json()) as Body;
  if (!response.ok) throw new Error(`${response.status} ${String(answer["message"])}`);
  return answer;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; !(await holds()); attempt++) {
    if (attempt > 400) throw new Error("It did not come to that.");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
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
