import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testEvent } from "../../../aaep/src/subscriber/testing/events.ts";
import { openLiveProducer } from "../../../aaep/src/subscriber/testing/live-producer.ts";
import { until } from "../../../aaep/src/subscriber/testing/until.ts";
import { callJson } from "../access/testing/test-device.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { type AttachedSource, type AttachingHub, openAttachingHub } from "./testing/attaching-hub.ts";
import { describeAttachingOver, isoNow, pollUntil, questionEvent, toolEntriesOf, toolEvent } from "./testing/transport.contract.ts";

const AGENT = resolve("packages/aaep/src/subscriber/testing/stdio-agent.ts");
/** Shared by all tests, because a hub starts three threads. */
let hub: AttachingHub;
beforeAll(async () => {
  hub = await openAttachingHub();
});
afterAll(() => hub[Symbol.asyncDispose]());

describe("a producer that the hub is attached to over server-sent events", () => {
  describeAttachingOver(
    ({ url }) => url,
    () => hub,
  );
});

describe("what an attached producer says", () => {
  it("that is nonsense, too long or said twice with another content is refused and kept as such, and the rest is heard", async () => {
    await using live = await openLiveProducer();
    await using attached = await hub.attach({ url: live.url });
    const first = testEvent("session.started", { summary_normal: "One.", timestamp: isoNow() });
    live.say(
      first,
      { ...first, summary_normal: "Another." },
      testEvent("tool.invoked", { timestamp: isoNow() }), // without its tool
      testEvent("tool.invoked", { tool: "long", summary_normal: "x".repeat(2 << 20), timestamp: isoNow() }),
      toolEvent(0),
    );
    await pollUntil(
      () => toolEntriesOf(attached),
      (all) => all.length === 1,
    );
    expect(await attached.entries()).toHaveLength(2);
    const refused = await pollUntil(
      () => hub.hub.ledger.refused({ limit: 100 }),
      (all) => all.filter(({ source }) => source === live.url).length === 3,
    );
    const codes = refused.filter(({ source }) => source === live.url).map(({ problem }) => problem.code);
    expect(codes.sort()).toEqual(["EVENT_ID_CONFLICT", "EVENT_INVALID", "TOO_LARGE"]);
  });

  it("unknown types and extensions are kept like any other", async () => {
    await using live = await openLiveProducer();
    await using attached = await hub.attach({ url: live.url });
    const context = ["https://aaep-protocol.org/context/v1", "https://acme.example/opsx/v1"];
    live.say(
      testEvent("x", { type: "opsx:ticket.opened", "@context": context, timestamp: isoNow(), ticket: "OPS-7" }),
      testEvent("mood.changed", { timestamp: isoNow() }),
      testEvent("session.started", {
        "@context": context,
        summary_normal: "Go.",
        timestamp: isoNow(),
        extensions: { opsx: { ticket: "OPS-7" } },
      }),
    );
    const entries = await pollUntil(
      () => attached.entries(),
      (all) => all.length === 3,
    );
    expect(entries.map(({ type }) => type)).toEqual(["opsx:ticket.opened", "aaep:agent.mood.changed", "agent.session.started"]);
  });
});

describe("a question of an attached producer", () => {
  const opened = async (attached: AttachedSource) =>
    pollUntil(
      () => attached.requests("open"),
      (all) => all.length === 1,
    );

  it("is closed when the producer goes on without an answer", async () => {
    await using live = await openLiveProducer();
    await using attached = await hub.attach({ url: live.url });
    live.say(questionEvent("rpl_1"));
    await opened(attached);
    live.say(testEvent("state.changed", { from_state: "awaiting_input", to_state: "awaiting_input", timestamp: isoNow() }));
    live.say(toolEvent(0));
    await pollUntil(
      () => toolEntriesOf(attached),
      (all) => all.length === 1,
    );
    expect(await attached.requests("open")).toHaveLength(1); // a summary of where things stand is no end
    live.say(testEvent("state.changed", { from_state: "awaiting_input", to_state: "thinking", timestamp: isoNow() }));
    await pollUntil(
      () => attached.requests("withdrawn"),
      (all) => all.length === 1,
    );
    expect(live.replies).toEqual([]);
  });

  it("is closed when another hub says that it was answered there", async () => {
    await using live = await openLiveProducer();
    await using attached = await hub.attach({ url: live.url });
    live.say(questionEvent("rpl_1"), questionEvent("rpl_2"));
    await pollUntil(
      () => attached.requests("open"),
      (all) => all.length === 2,
    );
    const extensions = { earshot: { resolved: "rpl_2", outcome: "accepted" } };
    live.say(
      testEvent("state.changed", {
        "@context": ["https://aaep-protocol.org/context/v1", "urn:earshot:aaep:v1"],
        from_state: "awaiting_input",
        to_state: "awaiting_input",
        timestamp: isoNow(),
        extensions,
      }),
    );
    await pollUntil(
      () => attached.requests("withdrawn"),
      (all) => all.length === 1,
    );
    expect(await attached.requests("open")).toHaveLength(1);
  });

  it("that nobody answers is refused here before the producer takes silence for a yes to what is of high risk", async () => {
    await using live = await openLiveProducer();
    await using attached = await hub.attach({ url: live.url });
    live.say(questionEvent("rpl_1", { timeout_seconds: 2, default_decision: "accept", risk_level: "high" }));
    await pollUntil(
      () => attached.requests("defaulted"),
      (all) => all.length === 1,
    );
    await until(() => live.replies.length === 1, "the refusal");
    expect(live.replies[0]).toMatchObject({ decision: "reject", decided_by: "auto:no_answer" });
  });

  it("that nobody answers, and that the producer itself would take for a yes, gets no yes from here", async () => {
    await using live = await openLiveProducer();
    await using attached = await hub.attach({ url: live.url });
    live.say(questionEvent("rpl_1", { timeout_seconds: 1, default_decision: "accept" }));
    await pollUntil(
      () => attached.requests("defaulted"),
      (all) => all.length === 1,
    );
    live.say(toolEvent(0));
    await pollUntil(
      () => toolEntriesOf(attached),
      (all) => all.length === 1,
    );
    expect(live.replies).toEqual([]);
  });

  it("is withdrawn when the hub is detached", async () => {
    await using live = await openLiveProducer();
    const attached = await hub.attach({ url: live.url });
    const { id } = attached.view;
    live.say(questionEvent("rpl_1"));
    await opened(attached);
    expect(await hub.detach(id)).toMatchObject({ id });
    expect(await attached.requests("withdrawn")).toHaveLength(1);
    expect(await hub.list()).toEqual([]);
    await until(() => live.producer.size === 0, "the end of the subscription");
    expect(live.replies).toEqual([]);
    await hub.restart();
    expect(await hub.list()).toEqual([]);
  });
});

describe("a command that the hub is attached to", () => {
  const run = (...words: readonly string[]) => ({
    command: [process.execPath, AGENT, ...words],
    cwd: process.cwd(),
  });
  const texts = async (attached: AttachedSource) =>
    (await attached.entries()).map(({ text }) => (JSON.parse(text) as { summary_normal?: string }).summary_normal);

  it("is run, heard and answered", async () => {
    await using attached = await hub.attach(run("3"));
    const { view } = attached;
    expect(view).toMatchObject({ transport: "stdio", agent: "stdio-agent" });
    expect(view.source).toMatch(/^run: .*stdio-agent\.ts 3$/);
    await pollUntil(
      () => attached.requests("open"),
      (all) => all.length === 1,
    );
    await attached.answer({ answer: "accept" });
    await pollUntil(
      () => texts(attached),
      (all) => all.includes("Decided by user:the PIN."),
    );
  });

  it("that ends takes its questions with it, and is not run again", async () => {
    await using attached = await hub.attach(run("1", "ask", "end"));
    await pollUntil(
      () => attached.requests("open"),
      (all) => all.length === 1,
    );
    await attached.answer({ answer: "reject" });
    await pollUntil(
      () => attached.now(),
      (one) => one?.state === "ended",
    );
    const count = (await attached.entries()).length;
    await hub.restart();
    expect(await hub.list()).toEqual([]);
    expect((await attached.entries()).length).toBe(count);
  });

  it("whose last words are a question: nobody is asked it", async () => {
    const said = questionEvent("rpl_last", { session_id: "sess_last" });
    const code = `process.stdin.once("data", (line) => {
        const accepted = { type: "subscription.accepted", subscription_id: "sub_1", aaep_version: "1.0.0", producer: { agent_id: "x" },
          honored_capabilities: {} };
        console.log(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(line).id, result: accepted }));
        console.log(JSON.stringify({ jsonrpc: "2.0", method: "aaep.event", params: ${JSON.stringify(said)} }));
        process.stdout.write("", () => process.exit(0));
      });`;
    await using attached = await hub.attach({ command: [process.execPath, "-e", code], cwd: process.cwd() });
    await pollUntil(
      () => attached.requests("withdrawn"),
      (all) => all.length === 1,
    );
    expect(await attached.requests("open")).toEqual([]);
  });

  it("that keeps failing is given up", async () => {
    await using attached = await hub.attach(run("1", "none", "fail"));
    const view = await pollUntil(
      () => attached.now(),
      (one) => one?.state === "ended",
    );
    expect(view?.trouble).toContain("The command failed 3 times, last with code 3");
  });

  it("that fails while it asks: nobody waits for the answer", async () => {
    using folder = temporaryTestFolder();
    const started = folder.file("started");
    // The first run asks; later ones fail at once.
    const code = `
      const { existsSync, writeFileSync } = require("node:fs");
      if (existsSync(${JSON.stringify(started)})) process.exit(9);
      writeFileSync(${JSON.stringify(started)}, String(process.pid));
      const said = (id, type, more) => console.log(JSON.stringify({ jsonrpc: "2.0", method: "aaep.event", params: {
        "@context": "https://aaep-protocol.org/context/v1", type, event_id: "evt_" + id, session_id: "sess_x",
        timestamp: new Date().toISOString(), producer: { agent_id: "x" }, ...more } }));
      process.stdin.once("data", (line) => {
        const { id } = JSON.parse(line);
        console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { type: "subscription.accepted", subscription_id: "sub_1",
          aaep_version: "1.0.0", producer: { agent_id: "x" }, honored_capabilities: {} } }));
        said(1, "aaep:agent.awaiting.confirmation", { urgency: "critical", action: "Go on?", consequence: "It goes on.",
          reply_token: "rpl_x", timeout_seconds: 300, default_decision: "reject" });
      });`;
    await using attached = await hub.attach({ command: [process.execPath, "-e", code], cwd: process.cwd() });
    await pollUntil(
      () => attached.requests("open"),
      (all) => all.length === 1,
    );
    process.kill(Number(readFileSync(started, "utf8")));
    const [request] = await pollUntil(
      () => attached.requests("withdrawn"),
      (all) => all.length === 1,
    );
    expect(request).toMatchObject({ state: "withdrawn" });
  });
});

describe("a hub that is attached to another hub", () => {
  it("hears what is said there, answers what is asked there, and hears what was answered there", async () => {
    await using there = await openAttachingHub();
    const { token } = await there.decide("/api/tokens", { name: "the other hub", role: "approver", owner: "tests" });
    const headers = { authorization: `Bearer ${String(token)}` };
    await using attached = await hub.attach({ url: there.hub.url, headers });
    const asked = async (reply: string) => {
      const said = questionEvent(reply, { session_id: `sess_${reply.slice(4)}` });
      const { request } = await callJson(there.hub.url, "/aaep/v1/events", said, there.producer);
      await pollUntil(
        () => attached.requests("open"),
        (all) => all.length === 1,
      );
      return String(request);
    };
    const first = await asked("rpl_one");
    await attached.answer({ answer: "accept", reason: "Fine." });
    await pollUntil(
      () => there.read(`/api/requests/${first}`),
      ({ state }) => state === "answered-by-person",
    );
    expect(await there.read(`/api/requests/${first}`)).toMatchObject({ decision: { by: "the other hub", answer: { word: "accept" } } });
    const second = await asked("rpl_two");
    const { digest } = await there.read(`/api/requests/${second}`);
    await there.decide(`/api/requests/${second}/answer`, { answer: "reject", digest });
    await pollUntil(
      () => attached.requests("withdrawn"),
      (all) => all.length === 1,
    );
    expect(await attached.requests("open")).toEqual([]);
  });
});

describe("attaching", () => {
  it("needs an approver: to read or to speak is not enough", async () => {
    await using live = await openLiveProducer();
    for (const headers of [{}, hub.viewer, hub.producer]) {
      await expect(callJson(hub.hub.url, "/api/attachments", { url: live.url }, headers)).rejects.toThrow(/40[13]/);
      const response = await fetch(`${hub.hub.url}/api/attachments/x`, { method: "DELETE", headers });
      expect([401, 403]).toContain(response.status);
    }
    await expect(callJson(hub.hub.url, "/api/attachments", undefined, hub.producer)).rejects.toThrow(/403/);
    expect(await hub.list()).toEqual([]);
    expect(live.requests).toEqual([]);
  });

  it.each([
    ["no address", { url: "nonsense" }, "WRONG_USAGE"],
    ["an address with a credential", { url: "http://ana:x@127.0.0.1:1" }, "WRONG_USAGE"],
    ["another machine, without TLS", { url: "http://192.0.2.1:8090" }, "WRONG_QUERY"],
    ["a header that says where it goes", { url: "http://127.0.0.1:1", headers: { Host: "elsewhere" } }, "WRONG_QUERY"],
    ["a header with two lines", { url: "http://127.0.0.1:1", headers: { "x-a": "1\r\nx-b: 2" } }, "WRONG_QUERY"],
    ["a private key", { url: "http://127.0.0.1:1", keys: [{ kty: "EC", d: "secret" }] }, "WRONG_QUERY"],
    ["both", { url: "http://127.0.0.1:1", command: ["x"], cwd: "/" }, "WRONG_QUERY"],
    ["neither", {}, "WRONG_QUERY"],
    ["a command that is a text", { command: "rm -rf /", cwd: "/" }, "WRONG_QUERY"],
    ["a command without a folder", { command: ["x"] }, "WRONG_QUERY"],
    ["a command that there is not", { command: ["/no/such/program"], cwd: "/" }, "PRODUCER_UNREACHABLE"],
    ["an address where nobody is", { url: "http://127.0.0.1:1" }, "PRODUCER_UNREACHABLE"],
  ])("is refused, and nothing is kept: %s", async (_name, body, code) => {
    await expect(hub.attach(body)).rejects.toThrow(code);
    expect(await hub.list()).toEqual([]);
  });

  it("is not done twice, nor to the hub itself", async () => {
    await using live = await openLiveProducer();
    await using _attached = await hub.attach({ url: live.url });
    await expect(hub.attach({ url: `${live.url}/events` })).rejects.toThrow("ATTACHED_ALREADY");
    await expect(hub.attach({ url: hub.hub.url })).rejects.toThrow("this hub itself");
    await expect(hub.attach({ url: hub.hub.url.replace("127.0.0.1", "localhost") })).rejects.toThrow("this hub itself");
    await expect(hub.attach({ url: hub.hub.url.replace("http", "ws") })).rejects.toThrow("this hub itself");
  });

  it("shows a credential to the producer, and to nobody else", async () => {
    await using live = await openLiveProducer({ token: "a-long-secret-of-a-producer" });
    await expect(hub.attach({ url: live.url })).rejects.toThrow("PRODUCER_REFUSED");
    await using attached = await hub.attach({ url: live.url, headers: { Authorization: "Bearer a-long-secret-of-a-producer" } });
    expect(JSON.stringify(await hub.list())).not.toContain("a-long-secret");
    await hub.restart();
    await pollUntil(
      () => attached.now(),
      (one) => one?.state === "open",
    );
  });

  it("is recorded with who wished it, and kept where only the user reads it", async () => {
    await using live = await openLiveProducer();
    const { view } = await hub.attach({ url: live.url });
    await hub.detach(view.id);
    const session = (await hub.hub.ledger.findSessions("control", "aep"))[0];
    const { entries } = session === undefined ? { entries: [] } : await hub.hub.ledger.readSession({ session, limit: 500 });
    const own = entries.filter(({ type, text }) => type.startsWith("attachment.") && text.includes(view.id));
    expect(own.map(({ type, agent }) => [type, agent])).toEqual([
      ["attachment.added", "the PIN"],
      ["attachment.removed", "the PIN"],
    ]);
  });
});
