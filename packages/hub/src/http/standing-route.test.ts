import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ask, prepareAdmin } from "../access/testing/test-device.ts";
import { homeOf } from "../home.ts";
import { startHub } from "../hub.ts";
import type { Hub } from "../hub-options.ts";
import { temporaryFolder } from "../ledger/testing/temporary-folder.ts";

const folder = temporaryFolder();
const home = homeOf({ EARSHOT_HOME: folder.file("home") });
let hub: Hub;
let admin: Readonly<Record<string, string>>;
let producer: Readonly<Record<string, string>>;

beforeAll(async () => {
  admin = await prepareAdmin(home);
  hub = await startHub({ home, version: "0.0.0", port: 0 });
  const file = (path: string) => ({ authorization: `Bearer ${readFileSync(path, "utf8").trim()}` });
  producer = file(home.producerToken);
});
afterAll(async () => {
  await hub.close();
  folder[Symbol.dispose]();
});

const standing = async (session: string, wait: number, headers = producer): Promise<unknown> =>
  (await fetch(`${hub.url}/v1/sessions/${session}/standing?wait=${wait}`, { headers })).json();

async function start(session: string): Promise<void> {
  const event = {
    "@context": "https://aaep-protocol.org/context/v1",
    type: "aaep:agent.session.started",
    event_id: `evt_${session.slice(5)}`,
    session_id: session,
    timestamp: new Date().toISOString(),
    producer: { agent_id: "agent" },
    summary_normal: "Begins.",
  };
  await ask(hub.url, "/aaep/v1/events", event, producer);
}

it("a producer hears that its session was stopped, while it waits and whenever it asks", async () => {
  await start("sess_a");
  expect(await standing("sess_a", 0)).toEqual({ stopped: false });
  const waiting = standing("sess_a", 25_000);
  await ask(hub.url, "/api/sessions/sess_a/stop", { reason: "Enough." }, admin);
  expect(await waiting).toEqual({ stopped: true, reason: "Enough." });
  expect(await standing("sess_a", 25_000)).toEqual({ stopped: true, reason: "Enough." });
});

it("nobody hears about the sessions of another", async () => {
  const token = await ask(hub.url, "/api/tokens", { name: "other", role: "producer", owner: "tests" }, admin);
  const other = { authorization: `Bearer ${String(token["token"])}` };
  await start("sess_b");
  await ask(hub.url, "/api/sessions/sess_b/stop", {}, admin);
  expect(await standing("sess_b", 0)).toEqual({ stopped: true });
  expect(await standing("sess_b", 0, other)).toEqual({ stopped: false });
});
