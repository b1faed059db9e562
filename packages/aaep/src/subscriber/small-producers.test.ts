import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { createConnector } from "../node/connectors.ts";
import type { IncomingEvent, SubscriptionProblem } from "./incoming.ts";
import { readProducerAddress } from "./producer-address.ts";
import { Subscriber } from "./subscriber.ts";
import type { SubscriberOptions } from "./subscriber-options.ts";
import { confirmationEvent, testEvent } from "./testing/events.ts";
import { until } from "./testing/until.ts";

const ALL = { supports_confirmation_reply: true, supports_clarification_reply: true };
const AGENT = resolve("packages/aaep/src/subscriber/testing/stdio-agent.ts");

function subscriberTo(
  connector: SubscriberOptions["connector"],
  troubles: SubscriptionProblem[] = [],
  more: Partial<SubscriberOptions> = {},
) {
  return new Subscriber({
    connector,
    request: { type: "subscription.request", aaep_version: "1.0.0", subscriber_id: "tests", capabilities: ALL },
    clock: {
      monotonic: () => performance.now(),
      now: () => Date.now(),
      random: () => 0,
      after: (ms, call) => {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
    },
    onTrouble: (trouble) => troubles.push(trouble),
    limits: { retryMs: 20, longestRetryMs: 100 },
    ...more,
  });
}

function listen(subscriber: Subscriber): IncomingEvent[] {
  const heard: IncomingEvent[] = [];
  void (async () => {
    for await (const incoming of subscriber) heard.push(incoming);
  })().catch(() => {}); // the tests ask for what it ends with
  return heard;
}

type Handle = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A minimal producer, like the protocol's examples. */
async function serve(handle: Handle) {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    handle(request, response, body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

describe("a producer that says where to resume before it says anything else", () => {
  it("is asked to go on from there when it was cut off before the first event", async () => {
    const asked: (string | undefined)[] = [];
    const streams: ServerResponse[] = [];
    await using small = await serve((request, response) => {
      if (request.url !== "/events") {
        response.writeHead(404).end();
        return;
      }
      asked.push(request.headers["last-event-id"] as string | undefined);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("id: evt_Beginning\n\n");
      streams.push(response);
    });
    const troubles: SubscriptionProblem[] = [];
    await using subscriber = subscriberTo(createConnector(readProducerAddress(`${small.url}/events`)), troubles);
    listen(subscriber);
    await until(() => subscriber.resume.lastEventId === "evt_Beginning");
    streams[0]?.destroy();
    await until(() => asked.length === 2);
    expect(asked).toEqual([undefined, "evt_Beginning"]);
    expect(troubles.map(({ kind }) => kind)).toEqual(["cut"]);
  });
});

describe("a producer without a handshake", () => {
  it("is heard and answered all the same", async () => {
    const [posted, streams] = [[], []] as [{ url: string; body: Record<string, unknown> }[], ServerResponse[]];
    await using small = await serve((request, response, body) => {
      if (request.url === "/events") {
        response.writeHead(200, { "content-type": "text/event-stream" });
        // Unnamed, without ids, with CRLF line ends.
        response.write(`: hello\r\n\r\ndata: ${JSON.stringify(testEvent("session.started", { summary_normal: "Go." }))}\r\n\r\n`);
        streams.push(response);
      } else if (request.url === "/messages") {
        const value = JSON.parse(body) as Record<string, unknown>;
        if (value["type"] === "subscription.request") response.writeHead(400).end("what?");
        else {
          posted.push({ url: request.url, body: value });
          response.writeHead(202).end();
        }
      } else response.writeHead(404).end();
    });
    await using subscriber = subscriberTo(createConnector(readProducerAddress(`${small.url}/events`)));
    expect(await subscriber.opened).toBeUndefined();
    const heard = listen(subscriber);
    await until(() => heard.length === 1);
    const asked = confirmationEvent("rpl_1", { timestamp: new Date().toISOString() });
    streams[0]?.write(`data: ${JSON.stringify(asked)}\n\n`);
    await until(() => heard.length === 2);
    expect(await subscriber.reply("rpl_1", { decision: "accept" })).toBe(true);
    expect(posted).toMatchObject([{ body: { type: "confirmation.reply", reply_token: "rpl_1", subscription_id: "sub_none" } }]);
  });

  it("that answers on the stream is listened to on its terms", async () => {
    const streams: ServerResponse[] = [];
    const accepted = {
      type: "subscription.accepted",
      subscription_id: "sub_7",
      aaep_version: "1.0.0",
      producer: { agent_id: "small" },
      honored_capabilities: { max_events_per_second: 3 },
    };
    await using small = await serve((request, response) => {
      if (request.url === "/aaep/v1/events") {
        response.writeHead(200, { "content-type": "text/event-stream" }).write(": hello\n\n");
        streams.push(response);
      } else if (request.url === "/aaep/v1/messages") {
        streams[0]?.write(`data: ${JSON.stringify(accepted)}\n\n`);
        response.writeHead(202).end();
      } else response.writeHead(404).end();
    });
    await using subscriber = subscriberTo(createConnector(readProducerAddress(small.url)));
    await subscriber.opened;
    listen(subscriber);
    await until(() => subscriber.accepted?.subscription_id === "sub_7");
  });

  it("says nonsense, and is listened to on", async () => {
    const troubles: SubscriptionProblem[] = [];
    await using small = await serve((request, response) => {
      if (request.url !== "/aaep/v1/events") return void response.writeHead(404).end();
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(
        `data: nonsense\n\ndata: {"type":3}\n\ndata: ${JSON.stringify(testEvent("session.started", { summary_normal: "Go." }))}\n\n`,
      );
    });
    await using subscriber = subscriberTo(createConnector(readProducerAddress(small.url)), troubles);
    const heard = listen(subscriber);
    await until(() => heard.length === 1);
    expect(troubles.map(({ kind }) => kind)).toEqual(["malformed", "malformed"]);
  });
});

describe("who is no producer", () => {
  it.each([
    ["a page", 200, "text/html"],
    ["an error", 500, "text/plain"],
    ["nothing", 404, "text/plain"],
  ])("is told apart: %s", async (_name, status, type) => {
    await using other = await serve((_request, response) => void response.writeHead(status, { "content-type": type }).end("<p>Hello"));
    const subscriber = subscriberTo(createConnector(readProducerAddress(other.url)));
    await expect(subscriber.opened).rejects.toMatchObject({ problem: { code: "PRODUCER_UNREACHABLE" } });
  });

  it("sends elsewhere in vain: a redirection is not followed", async () => {
    let asked = 0;
    await using elsewhere = await serve((_request, response) => {
      asked++;
      response.writeHead(200).end();
    });
    await using other = await serve((_request, response) => void response.writeHead(307, { location: elsewhere.url }).end());
    const subscriber = subscriberTo(createConnector(readProducerAddress(other.url), { headers: { authorization: "Bearer secret" } }));
    await expect(subscriber.opened).rejects.toMatchObject({ problem: { code: "PRODUCER_UNREACHABLE" } });
    expect(asked).toBe(0);
  });
});

describe("a producer of which only the host is known", () => {
  const serveAt = (prefix: string, manifest?: object) =>
    serve((request, response) => {
      if (request.url === "/.well-known/aaep-manifest.json" && manifest !== undefined) response.end(JSON.stringify(manifest));
      else if (request.url === `${prefix}/events`) {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(`data: ${JSON.stringify(testEvent("session.started", { summary_normal: "Go." }))}\n\n`);
      } else response.writeHead(404).end();
    });

  it.each([
    ["at a usual path", "", undefined],
    ["where its manifest says", "/agents/7", { extensions: { acme: { prefix: "/agents/7" } } }],
  ])("is found %s", async (_, prefix, manifest) => {
    await using small = await serveAt(prefix, manifest);
    await using subscriber = subscriberTo(createConnector(readProducerAddress(small.url)));
    const heard = listen(subscriber);
    await until(() => heard.length === 1);
  });

  it("is not looked for elsewhere, and what was tried is told", async () => {
    await using small = await serveAt("/hidden", { extensions: { acme: { endpoint: "http://127.0.0.1:9/hidden" } } });
    const subscriber = subscriberTo(createConnector(readProducerAddress(small.url)));
    const tried = ["/.well-known/aaep-manifest.json", "/aaep/v1", "/v1"].map((path) => expect.stringContaining(path));
    const failure: unknown = await subscriber.opened.catch((error: unknown) => error);
    for (const path of tried) expect(failure).toMatchObject({ problem: { code: "PRODUCER_UNREACHABLE", message: path } });
  });
});

describe("a producer that is run", () => {
  const run = (...words: readonly string[]) => ({ command: [process.execPath, AGENT, ...words] });

  it("is heard, answered, and ends when nobody listens any more", async () => {
    const [exits, logs] = [[], []] as [(number | null)[], string[]];
    const connector = createConnector({ ...run("3"), onExit: (code) => exits.push(code), onLog: (text) => logs.push(text) });
    const subscriber = subscriberTo(connector);
    expect(await subscriber.opened).toMatchObject({ producer: { agent_id: "stdio-agent" } });
    const heard = listen(subscriber);
    await until(() => subscriber.prompts.length === 1);
    const [prompt] = subscriber.prompts;
    expect(await subscriber.reply(prompt?.token ?? "", { decision: "accept", decidedBy: "user:ana" })).toBe(true);
    await until(() => heard.at(-1)?.type === "aaep:agent.session.completed");
    expect(heard.at(-1)?.event["summary_normal"]).toBe("Decided by user:ana.");
    await subscriber.close();
    await until(() => exits.length === 1, "its end");
    expect(exits).toEqual([0]);
    expect(logs.join("")).toContain("ready");
  });

  it("that does not exist is told", async () => {
    const subscriber = subscriberTo(createConnector({ command: ["/no/such/program"] }));
    await expect(subscriber.opened).rejects.toMatchObject({ problem: { code: "PRODUCER_UNREACHABLE" } });
  });

  it("that speaks something else is given up", async () => {
    const subscriber = subscriberTo(createConnector({ command: [process.execPath, "-e", "console.log('hello')"] }));
    await expect(subscriber.opened).rejects.toMatchObject({ problem: { code: "PRODUCER_UNREACHABLE" } });
  });
});

describe("addresses", () => {
  it.each([
    ["http://127.0.0.1:8090", { kind: "http", base: "http://127.0.0.1:8090/aaep/v1", query: "", isHost: true }],
    ["http://127.0.0.1:8090/aaep/v1/events", { kind: "http", base: "http://127.0.0.1:8090/aaep/v1", query: "" }],
    ["https://a.example/x/?key=1#y", { kind: "http", base: "https://a.example/x", query: "key=1" }],
    ["ws://[::1]:1", { kind: "websocket", url: "ws://[::1]:1/aaep/v1/ws" }],
    ["wss://a.example/live?x=1", { kind: "websocket", url: "wss://a.example/live?x=1" }],
    ["unix:/run/a.sock", { kind: "socket", path: "/run/a.sock" }],
    ["unix:///run/a.sock", { kind: "socket", path: "/run/a.sock" }],
  ])("%s", (text, expected) => expect(readProducerAddress(text)).toEqual(expected));

  it.each(["", "8090", "ftp://a.example", "http://ana:secret@a.example", "file:///etc/passwd"])("%j is none", (text) =>
    expect(() => readProducerAddress(text)).toThrow(),
  );
});
