import { connect } from "node:net";
import { AgentFiles } from "@earshot/agents/files";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { gateFor } from "../access/testing/test-access.ts";
import { NativeHooks } from "../hooks/native-hooks.ts";
import { IntakeAdmission } from "../intake/admission.ts";
import { openBench, rulesFor } from "../requests/testing/engine-bench.ts";
import { createApp } from "./app.ts";
import { registerNativeHooks } from "./hooks.ts";
import { listenHttp, portOfServer } from "./listen.ts";

const TOKEN = "somebody-who-reads-in-these-tests";
const AUTHORIZATION = `Bearer ${TOKEN}-speaks`;
const RULES = rulesFor({
  "rm -rf": { behaviour: "deny", message: "Not here." },
  deploy: { behaviour: "ask", hold: "always", holdForMs: 120_000, unanswered: "deny" },
});

async function openServer() {
  const bench = await openBench(RULES);
  const { hooks, failures } = bench;
  const app = createApp({ gate: gateFor(TOKEN), onFailure: (error) => failures.push(error) });
  const native = new NativeHooks(new AgentFiles(), hooks);
  const admission = new IntakeAdmission({ queueBytes: 1024 * 1024, sourceShare: 0.5 });
  registerNativeHooks(app, { native, secret: "a secret for tests", admission });
  await app.ready();
  const server = await listenHttp(app.routing, { host: "127.0.0.1", port: 0 });
  return {
    port: portOfServer(server),
    bench,
    admission,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await app.close();
      await bench[Symbol.asyncDispose]();
    },
  };
}

type Opened = Awaited<ReturnType<typeof openServer>>;

const tool = (command: string, id: string) =>
  JSON.stringify({
    session_id: "s1",
    hook_event_name: "PreToolUse",
    cwd: "/work",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: id,
  });
const DENIED = tool("rm -rf /", "toolu_no");

function post({ port }: Opened, body: string, query = ""): Promise<Response> {
  const headers = { authorization: AUTHORIZATION, "content-type": "application/json" };
  return fetch(`http://127.0.0.1:${port}/hooks/claude${query}`, { method: "POST", body, headers });
}

function startPost({ port }: Opened, contentLength: number, body: string, query = "") {
  const socket = connect(port, "127.0.0.1");
  socket.write(
    `POST /hooks/claude${query} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: ${AUTHORIZATION}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${contentLength}\r\n\r\n${body}`,
  );
  return socket;
}

/** The open request once a call waits for it. */
async function findWaiting({ bench: { engine } }: Opened) {
  const [view] = await engine.list({ state: "open", limit: 1 });
  const held = await engine.find(view?.id ?? "");
  if (held.machine.polls !== 1) throw new Error("No call waits yet.");
  return held;
}

describe("a hook over HTTP", () => {
  let server: Opened;
  beforeAll(async () => {
    server = await openServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("is refused while its source has used its share of memory", async () => {
    server.admission.admit("producer", 512 * 1024);
    const answer = await post(server, DENIED);
    server.admission.release("producer", 512 * 1024);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(server.admission.waitingBytes).toBe(0);
  });

  it("waits for a person, and returns the answer", async () => {
    const answered = post(server, tool("deploy", "toolu_wait"), "?longest=60000");
    const held = await vi.waitFor(() => findWaiting(server), { timeout: 30_000 });
    await server.bench.engine.answer(held.id, { by: "ada", answer: { word: "deny", message: "Tomorrow." }, digest: held.digest });
    const answer = await answered;
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("Tomorrow.")]);
  });

  it("leaves its request open when the connection is closed", async () => {
    const body = tool("deploy", "toolu_gone");
    const socket = startPost(server, body.length, body, "?longest=60000");
    const held = await vi.waitFor(() => findWaiting(server), { timeout: 30_000 });
    socket.destroy();
    await expect.poll(() => held.machine.polls).toBe(0);
    expect(held.machine.settlement).toBeNull();
    expect(server.bench.failures).toEqual([]);
  });

  it("gives its memory back when the connection is closed before the body is complete", async () => {
    const socket = startPost(server, 100, "{");
    await expect.poll(() => server.admission.waitingBytes).toBe(1);
    socket.destroy();
    await expect.poll(() => server.admission.waitingBytes).toBe(0);
    expect((await post(server, DENIED)).status).toBe(200);
    expect(server.bench.failures).toEqual([]);
  });
});
