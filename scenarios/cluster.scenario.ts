import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { becomeAdmin, callJson as call, provePinInTest } from "../packages/hub/src/access/testing/test-device.ts";
import { hookEventNow } from "../packages/hub/src/requests/testing/asked-now.ts";
import { startPostgres, type TestPostgres } from "../tools/postgres.ts";
import { aopEvent, type HubProcess, startHub } from "./hub/hub-process.ts";

type Headers = Readonly<Record<string, string>>;

let server: TestPostgres;
let folder = "";
let hubs: readonly [HubProcess, HubProcess, HubProcess];
let client: pg.Client;
let store = "";
let admin: Headers;
let producer: Headers;

const startNamed = (name: string) =>
  startHub({ home: join(folder, name), args: ["--store", store], env: { EARSHOT_CLUSTER_KEY_FILE: join(folder, "cluster.key") } });

beforeAll(async () => {
  server = await startPostgres();
  store = await server.createDatabase("cluster");
  folder = mkdtempSync(join(tmpdir(), "earshot-cluster-"));
  writeFileSync(join(folder, "cluster.key"), `${"k".repeat(40)}\n`);
  hubs = await Promise.all([startNamed("one"), startNamed("two"), startNamed("three")]);
  client = new pg.Client({ connectionString: store });
  await client.connect();
  admin = await becomeAdmin(hubs[0].url, hubs[0].viewer());
  producer = { authorization: `Bearer ${readFileSync(join(hubs[0].home, "producer.token"), "utf8").trim()}` };
}, 120_000);
afterAll(async () => {
  await client?.end();
  await Promise.all(hubs?.map((hub) => hub[Symbol.asyncDispose]()) ?? []);
  await server?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** A hook that asks a person and does not wait. Gives the id of its request. */
async function askAt(hub: HubProcess, text: string, query = ""): Promise<string> {
  const event = hookEventNow(text, { session: { id: text } });
  return String((await call(hub.url, `/aep/v1/hooks?asks=1&dialog=1&wait=0${query}`, event, producer))["request"]);
}

const viewAt = (hub: HubProcess, id: string) => call(hub.url, `/api/requests/${id}`, undefined, hub.viewer());
const decisionsAbout = async (id: string) => {
  const sql = "SELECT type FROM earshot.entry WHERE kind IN (2, 3) AND text LIKE $1";
  return (await client.query<{ type: string }>(sql, [`%${id}%`])).rows.map(({ type }) => type);
};

describe("three hubs on one PostgreSQL", () => {
  it("let one credential in everywhere, and count wrong PINs together", async () => {
    for (const hub of hubs) {
      await expect
        .poll(() => call(hub.url, "/api/me", undefined, admin).catch((error: Error) => error.message))
        .toMatchObject({ role: "admin" });
    }
    const { token, id } = await call(hubs[1].url, "/api/tokens", { name: "phone", role: "approver", owner: "tests" }, admin);
    const phone = { authorization: `Bearer ${String(token)}` };
    const roleAt = (hub: HubProcess) =>
      call(hub.url, "/api/me", undefined, phone).then(
        (me) => me["role"],
        () => "nobody",
      );
    await expect.poll(() => roleAt(hubs[2])).toBe("approver");
    await fetch(`${hubs[0].url}/api/tokens/${String(id)}`, { method: "DELETE", headers: admin });
    await expect.poll(() => roleAt(hubs[2])).toBe("nobody");
    const guess = async (hub: HubProcess) =>
      call(hub.url, "/api/unlock", await provePinInTest(hub.url, "not the pin"), hub.viewer()).catch((error: Error) => error.message);
    const guesses: unknown[] = [];
    for (let attempt = 0; attempt < 6; attempt++) guesses.push(await guess(hubs[attempt % 3] as HubProcess));
    expect(guesses.map((message) => String(message).split(" ")[1])).toEqual([...Array(5).fill("PIN_WRONG:"), "PIN_LOCKED:"]);
  });

  it("release a hook that waits at one hub with the answer that is given at another, once", async () => {
    const [one, two, three] = hubs;
    const id = await askAt(one, "asked at one");
    const waiting = call(one.url, `/aep/v1/hooks/${id}?wait=20000`, undefined, producer);
    for (const hub of [two, three])
      await expect.poll(() => viewAt(hub, id).catch(() => undefined)).toMatchObject({ state: "open", waits: true });
    const { digest } = await viewAt(two, id);
    const answers = await Promise.allSettled(
      [two, three].map((hub, index) =>
        call(hub.url, `/api/requests/${id}/answer`, { digest, answer: index === 0 ? "allow" : "deny" }, admin),
      ),
    );
    expect(answers.some(({ status }) => status === "fulfilled")).toBe(true);
    const told = (await waiting) as { readonly response: { readonly control: { readonly behavior: string } } };
    const decided = (await viewAt(three, id)) as { readonly decision: { readonly answer: { readonly word: string } } };
    expect(told.response.control.behavior).toBe(decided.decision.answer.word);
    expect((await decisionsAbout(id)).filter((type) => type === "decision")).toHaveLength(1);
  });

  it("share a pause, and the session views", async () => {
    const [one, two, three] = hubs;
    const pauseAt = async (hub: HubProcess) => (await call(hub.url, "/api/control", undefined, hub.viewer()))["pause"];
    await call(one.url, "/api/pause", { forMs: 60_000, reason: "lunch" }, admin);
    await expect.poll(() => pauseAt(three)).toMatchObject({ reason: "lunch" });
    await call(two.url, "/api/pause", { forMs: 0 }, admin);
    await expect.poll(() => pauseAt(one)).toBe(null);
    await one.post("/v1/events", aopEvent({ session: "seen everywhere", sequence: 1 }));
    for (const hub of hubs) await expect.poll(async () => await (await hub.get("/api/sessions")).text()).toContain("seen everywhere");
  });

  it("show the same views, search results and alerts, and so does a hub that builds them anew", async () => {
    const [one, two, three] = hubs;
    for (let sequence = 1; sequence <= 6; sequence++) {
      const hub = hubs[sequence % 3] ?? one;
      await hub.post(
        "/v1/events",
        aopEvent({ session: "everywhere", sequence, payload: { content: `A pelican, seen ${sequence} times.` } }),
      );
    }
    const fresh = await startNamed("fresh");
    try {
      for (const path of ["/api/sessions", "/api/alerts", "/api/costs", "/api/search?text=pelican"]) {
        const at = async (hub: HubProcess) => {
          const response = await hub.get(path);
          expect(response.status, path).toBe(200);
          return (await response.json()) as object;
        };
        const expected = await at(one);
        for (const hub of [two, three, fresh]) expect(await at(hub), path).toEqual(expected);
      }
      expect(await (await fresh.get("/api/search?text=pelican")).text()).toContain("everywhere");
    } finally {
      await fresh[Symbol.asyncDispose]();
    }
  });

  it("apply a deadline once when the hub that was asked is killed", async () => {
    const id = await askAt(hubs[0], "asked and killed", "&longest=4000");
    await expect.poll(() => viewAt(hubs[1], id).catch(() => undefined)).toMatchObject({ state: "open" });
    await hubs[0].kill("SIGKILL");
    await expect.poll(() => viewAt(hubs[1], id), { timeout: 40_000 }).not.toMatchObject({ state: "open" });
    expect(await decisionsAbout(id)).toEqual(["decision"]);
  });
});
