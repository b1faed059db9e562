import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Connections } from "../access/connections.ts";
import { gateFor } from "../access/testing/test-access.ts";
import { Admission } from "../intake/admission.ts";
import { createLifecycle } from "../intake/lifecycle.ts";
import { openSqliteLedger } from "../ledger/sqlite/open-ledger.ts";
import { temporaryFolder } from "../ledger/testing/temporary-folder.ts";
import { createApp } from "./app.ts";
import { EVENT_LIMITS, openIntake, registerEvents } from "./events.ts";
import { createShortWay } from "./short-way.ts";
import { said, saidText } from "./testing/said.ts";
import { listenBothWays, postJson, type Sent } from "./testing/two-ways.ts";

const TOKEN = "somebody-who-reads-in-these-tests";
const SPEAKER = `${TOKEN}-speaks`;

/** A hub's event routes on a port, with the short way in front or without it. */
async function openServer(isShort: boolean) {
  const folder = temporaryFolder();
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  const lifecycle = createLifecycle({ strict: false, redacts: () => true, captures: () => "full" });
  const ledger = openSqliteLedger(folder.file("ledger.db"), { lifecycle, now: Date.now, onFailure });
  const access = { gate: gateFor(TOKEN), connections: new Connections(() => true) };
  const app = createApp({ ...access, onFailure });
  const limits = { ...EVENT_LIMITS, eventBytes: 4096, idleMs: 300 };
  const intake = openIntake({ ledger, admission: new Admission(), now: () => 1, redacts: () => true }, limits);
  registerEvents(app, intake);
  await app.ready();
  const shortWay = createShortWay({ ...access, intake, onFailure });
  const server = await listenBothWays(app, isShort ? shortWay : undefined);
  return {
    port: server.port,
    ledger,
    failures,
    taken: server.taken,
    async [Symbol.asyncDispose]() {
      server.close();
      access.connections[Symbol.dispose]();
      await app.close();
      await ledger.close();
      folder[Symbol.dispose]();
    },
  };
}

type Opened = Awaited<ReturnType<typeof openServer>>;

type Asked = Partial<Sent> & Pick<Sent, "body">;

function post({ port }: Opened, asked: Asked) {
  return postJson(port, { url: "/v1/events", ...asked });
}

const SECRET = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB".slice(0, 40);
const LONG = said("aop", { payload: { content: "x".repeat(5000) } });

/** What is sent, and whether it goes by the short way: what it hears must be the same either way. */
const CASES: readonly (readonly [string, Asked, boolean])[] = [
  ["a good event", { body: saidText("aop") }, true],
  ["an event at its protocol's own address", { url: "/aep/v1/events", body: saidText("aep") }, true],
  ["an event of another protocol there", { url: "/aaep/v1/events", body: saidText("aep") }, true],
  ["an event as collectors take it", { url: "/events", body: saidText("aop") }, true],
  ["several events as collectors do not take them", { url: "/events", body: `[${saidText("aop")}]` }, true],
  ["an event with a secret", { body: saidText("aaep", { from_state: `idle ${SECRET}` }) }, true],
  ["an event that breaks a rule, told in UTF-8", { body: saidText("aaep", { to_state: "träumt" }) }, true],
  ["no JSON", { body: "hello" }, true],
  ["no UTF-8", { body: Buffer.from([0x22, 0xff, 0x22]) }, true],
  ["nothing at all", { body: "" }, true],
  ["an empty array", { body: "[]" }, true],
  ["an array", { body: `[${saidText("aop")},${saidText("aep")},{}]` }, true],
  ["an event that is too long", { body: JSON.stringify(LONG) }, true],
  ["a producer's credential", { body: saidText("aep"), headers: { authorization: `Bearer ${SPEAKER}` } }, true],
  ["a viewer's credential", { body: saidText("aep"), headers: { authorization: `Bearer ${TOKEN}` } }, true],
  ["an unknown credential", { body: saidText("aep"), headers: { authorization: "Bearer who-is-this" } }, false],
  ["a page elsewhere", { body: saidText("aep"), headers: { origin: "http://evil.example" } }, false],
  ["another name of this machine", { body: saidText("aep"), headers: { host: "evil.example" } }, false],
  ["another content type", { body: saidText("aep"), headers: { "content-type": "text/plain" } }, false],
  ["lines", { body: `${saidText("aop")}\n${saidText("aop")}\n`, headers: { "content-type": "application/x-ndjson" } }, false],
  ["a body that is compressed", { body: saidText("aop"), headers: { "content-encoding": "gzip" } }, false],
  ["a query", { url: "/v1/events?protocol=nonsense", body: saidText("aop") }, false],
  ["an address that there is not", { url: "/v2/events", body: saidText("aop") }, false],
  ["an address like a member of objects", { url: "constructor", body: saidText("aop") }, false],
];

describe("the short way of single events", () => {
  let short: Opened;
  let long: Opened;
  beforeAll(async () => {
    short = await openServer(true);
    long = await openServer(false);
  });
  afterAll(async () => {
    await short[Symbol.asyncDispose]();
    await long[Symbol.asyncDispose]();
  });

  it.each(CASES)("answers %s as the router does", async (_name, sent, isShort) => {
    const before = short.taken();
    const answer = await post(short, sent);
    expect(short.taken() - before).toBe(isShort ? 1 : 0);
    expect(answer).toEqual(await post(long, sent));
    expect(short.failures).toEqual([]);
  });

  it("has stored what the router has stored", async () => {
    const entries = async ({ ledger }: Opened) => (await ledger.read({ after: 0, limit: 100 })).entries;
    expect(await entries(short)).toEqual(await entries(long));
    expect((await entries(short)).length).toBeGreaterThan(5);
    const refused = async ({ ledger }: Opened) => ledger.refused({ limit: 100 });
    expect(await refused(short)).toEqual(await refused(long));
  });

  it("gives up a body that does not come, and does not take what comes later for a request", async () => {
    for (const server of [short, long]) {
      const socket = connect(server.port, "127.0.0.1");
      let heard = "";
      socket.on("data", (chunk) => {
        heard += String(chunk);
      });
      socket.write(
        `POST /v1/events HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
      );
      await once(socket, "close");
      expect(heard).toMatch(/^HTTP\/1\.1 408 .*connection: close.*"BODY_TIMEOUT"/is);
    }
    expect(short.failures).toEqual([]);
  });

  it("forgets a sender that leaves before its body is complete", async () => {
    const socket = connect(short.port, "127.0.0.1");
    socket.write(
      `POST /v1/events HTTP/1.1\r\nHost: 127.0.0.1:${short.port}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    await once(socket, "connect");
    socket.destroy();
    expect((await post(short, { body: saidText("aop") })).status).toBe(200);
    expect(short.failures).toEqual([]);
  });

  it("answers many at once, each with its own verdict", async () => {
    const bodies = Array.from({ length: 100 }, (_, index) => (index % 10 === 3 ? "{" : saidText("aep")));
    const answers = await Promise.all(bodies.map((body) => post(short, { body })));
    expect(answers.map(({ status }) => status)).toEqual(bodies.map((body) => (body === "{" ? 400 : 200)));
    const positions = answers.filter(({ status }) => status === 200).map(({ text }) => (JSON.parse(text) as { position: number }).position);
    expect(new Set(positions).size).toBe(90);
  });
});
