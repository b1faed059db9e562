import { connect } from "node:net";
import { AgentFiles } from "@earshot/agents/files";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Connections } from "../access/connections.ts";
import { gateFor } from "../access/testing/test-access.ts";
import { openBench, rulesFor } from "../decide/testing/engine-bench.ts";
import { NativeHooks } from "../hooks/native-hooks.ts";
import { Admission } from "../intake/admission.ts";
import { createApp } from "./app.ts";
import { registerNativeHooks } from "./native-hook-routes.ts";
import { registerProofs } from "./proven-answers.ts";
import { createShortWayOfHooks } from "./short-way-of-hooks.ts";
import { listenBothWays, postJson, type Sent } from "./testing/two-ways.ts";

const TOKEN = "somebody-who-reads-in-these-tests";
const AUTHORIZATION = `Bearer ${TOKEN}-speaks`;
const RULES = rulesFor({
  "rm -rf": { behaviour: "deny", message: "Not here." },
  wipe: { behaviour: "deny", message: "Nicht hier, bitte schön." },
  ls: { behaviour: "allow" },
  deploy: { behaviour: "ask", hold: "always", holdForMs: 120_000, unanswered: "deny" },
});

/** A hub's address for hooks on a port, with the short way in front or without it. */
async function openServer(isShort: boolean) {
  const bench = await openBench(RULES);
  const { engine, hooks: desk, ledger, failures } = bench;
  const onFailure = (error: unknown) => failures.push(error);
  const now = () => bench.clock.now;
  const access = { gate: gateFor(TOKEN), connections: new Connections(() => true) };
  const app = createApp({ ...access, onFailure });
  const native = new NativeHooks({ agents: new AgentFiles(), engine, hooks: desk, ledger, now, redacts: () => true });
  const admission = new Admission({ queueBytes: 1024 * 1024, sourceShare: 0.5 });
  const hooks = { native, payloadBytes: 512 * 1024, admission };
  registerNativeHooks(app, hooks);
  registerProofs(app, "a-key-of-tests");
  await app.ready();
  const shortWay = createShortWayOfHooks({ ...access, hooks, onFailure });
  const server = await listenBothWays(app, isShort ? shortWay : undefined);
  return {
    port: server.port,
    bench,
    admission,
    taken: server.taken,
    async [Symbol.asyncDispose]() {
      server.close();
      access.connections[Symbol.dispose]();
      await app.close();
      await bench[Symbol.asyncDispose]();
    },
  };
}

type Opened = Awaited<ReturnType<typeof openServer>>;

type Asked = Partial<Sent> & Pick<Sent, "body">;

function post({ port }: Opened, { url = "/hooks/claude?hook=PreToolUse", body, headers }: Asked) {
  return postJson(port, { url, body, headers: { authorization: AUTHORIZATION, ...headers } });
}

const tool = (command: string, id = "toolu_1") =>
  JSON.stringify({
    session_id: "s1",
    hook_event_name: "PreToolUse",
    cwd: "/work",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: id,
  });
const NO = tool("rm -rf /", "toolu_no");

/** What is sent, and whether it goes by the short way: what it hears must be the same either way. */
const CASES: readonly (readonly [string, Asked, boolean])[] = [
  ["a no", { body: NO }, true],
  ["the same no again", { body: NO }, true],
  ["a no, told in UTF-8", { body: tool("wipe it", "toolu_wipe") }, true],
  ["a yes", { body: tool("ls", "toolu_ls") }, true],
  ["nothing to say", { body: tool("make", "toolu_make") }, true],
  ["a no in lines", { url: "/hooks/claude?hook=PreToolUse&as=lines&wait=0&longest=600000", body: tool("rm -rf /", "toolu_2") }, true],
  ["a no to a run that nobody watches", { url: "/hooks/claude?headless=1", body: tool("rm -rf /", "toolu_3") }, true],
  ["somebody who only tells", { url: "/hooks/claude?observe=1", body: tool("rm -rf /", "toolu_4") }, true],
  ["an agent by its other name", { url: "/hooks/claude-code", body: tool("rm -rf /", "toolu_5") }, true],
  ["clues about the agent", { body: tool("rm -rf /", "toolu_6"), headers: { "x-earshot-env": "CURSOR_VERSION=2.4" } }, true],
  ["a resume that is none", { body: NO, headers: { "x-earshot-resume": "nonsense" } }, true],
  ["an agent that nobody has described", { url: "/hooks/nobody", body: NO }, true],
  ["a hook that nobody has described", { url: "/hooks/claude?hook=", body: JSON.stringify({ session_id: "s1" }) }, true],
  ["a number that is none", { url: "/hooks/claude?longest=soon", body: NO }, true],
  ["another number that is none", { url: "/hooks/claude?as=lines&wait=-1", body: NO }, true],
  ["no JSON", { body: "hello" }, true],
  ["no object", { body: "[1]" }, true],
  ["nothing at all", { body: "" }, true],
  ["a query that is written in another way", { url: "/hooks/claude?hook=PreToolUs%65", body: NO }, false],
  ["a query that says something twice", { url: "/hooks/claude?hook=Stop&hook=PreToolUse", body: NO }, false],
  ["a query without a value", { url: "/hooks/claude?hook", body: NO }, false],
  ["an agent that is written in another way", { url: "/hooks/cl%61ude", body: NO }, false],
  ["no agent", { url: "/hooks/", body: NO }, false],
  ["a path below", { url: "/hooks/claude/more", body: NO }, false],
  ["no credential", { body: NO, headers: { authorization: "" } }, false],
  ["an unknown credential", { body: NO, headers: { authorization: "Bearer who-is-this" } }, false],
  ["a viewer's credential", { body: NO, headers: { authorization: `Bearer ${TOKEN}` } }, false],
  ["a page elsewhere", { body: NO, headers: { origin: "http://evil.example" } }, false],
  ["another name of this machine", { body: NO, headers: { host: "evil.example" } }, false],
  ["another content type", { body: NO, headers: { "content-type": "text/plain" } }, false],
  ["a content type that says more", { body: NO, headers: { "content-type": "application/json; charset=utf-8" } }, false],
  ["a body without a length", { body: NO, headers: { "transfer-encoding": "chunked" } }, false],
  ["a large body", { body: tool(`rm -rf ${"x".repeat(300 * 1024)}`, "toolu_7") }, false],
];

describe("the short way of hooks", () => {
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
    expect(short.bench.failures).toEqual([]);
  });

  it("says no, and has recorded what the router has recorded", async () => {
    expect(await post(short, { body: NO })).toMatchObject({ status: 200, text: expect.stringContaining('"deny"') });
    await post(long, { body: NO });
    const entries = async ({ bench }: Opened) => {
      await bench.settled();
      return (await bench.ledger.read({ after: 0, limit: 200 })).entries.map(({ kind, type, source, agent }) => [
        kind,
        type,
        source,
        agent,
      ]);
    };
    expect(await entries(short)).toEqual(await entries(long));
    expect((await entries(short)).length).toBeGreaterThan(15);
  });

  it("leaves who wants the answer proven to the router", async () => {
    const before = short.taken();
    const { headers } = await post(short, { body: NO, headers: { "x-earshot-nonce": "n1" } });
    expect([headers["x-earshot-proof"], short.taken() - before]).toEqual([expect.stringMatching(/^[\w-]{43}$/), 0]);
  });

  it("turns away whom there is no room for, as the router does", async () => {
    const answers = [short, long].map(async (server) => {
      server.admission.admit("producer", 512 * 1024);
      const answer = await post(server, { body: NO });
      server.admission.release("producer", 512 * 1024);
      return answer;
    });
    const [one, other] = await Promise.all(answers);
    expect(one).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    expect(one).toEqual(other);
    for (const server of [short, long]) expect(server.admission.waitingBytes).toBe(0);
  });

  it("waits for a person, and tells what was answered", async () => {
    const answers = [short, long].map(async (server) => {
      const answered = post(server, { url: "/hooks/claude?longest=60000", body: tool("deploy", "toolu_wait") });
      const held = await vi.waitFor(() => heldIn(server));
      await server.bench.engine.answer(held.id, { by: "ada", answer: { word: "deny", message: "Tomorrow." }, digest: held.digest });
      return answered;
    });
    const [one, other] = await Promise.all(answers);
    expect(one).toMatchObject({ status: 200, text: expect.stringContaining("Tomorrow.") });
    expect(one).toEqual(other);
  });

  it("notices that whoever waits has gone", async () => {
    for (const server of [short, long]) {
      const body = tool("deploy", "toolu_gone");
      const socket = connect(server.port, "127.0.0.1");
      socket.write(
        `POST /hooks/claude?longest=60000 HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: ${AUTHORIZATION}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      const held = await vi.waitFor(() => heldIn(server));
      socket.destroy();
      await vi.waitFor(() => expect(held.machine.polls).toBe(0));
      expect(held.machine.settlement).toBeNull();
    }
    expect(short.bench.failures).toEqual([]);
  });

  it("forgets who leaves before the body is complete", async () => {
    for (const server of [short, long]) {
      const socket = connect(server.port, "127.0.0.1");
      socket.write(
        `POST /hooks/claude HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: ${AUTHORIZATION}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
      );
      await vi.waitFor(() => expect(server.admission.waitingBytes).toBe(100));
      socket.destroy();
      await vi.waitFor(() => expect(server.admission.waitingBytes).toBe(0));
      expect((await post(server, { body: NO })).status).toBe(200);
    }
    expect(short.bench.failures).toEqual([]);
  });
});

/** What waits for a person, once somebody waits for it. */
async function heldIn({ bench: { engine } }: Opened) {
  const [view] = await engine.list({ state: "open", limit: 1 });
  const held = await engine.find(view?.id ?? "");
  if (held.machine.polls !== 1) throw new Error("Nobody waits yet.");
  return held;
}
