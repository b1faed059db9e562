import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CORE_CONTEXT, type JsonObject } from "@earshot/protocol";
import { expect, it } from "vitest";
import { createHttpPeer } from "../peer/http-peer.ts";
import { DEFAULT_PATIENCE, defaultSituations } from "../situations.ts";
import { DriveMemory } from "./drive-memory.ts";
import { LEVEL_1 } from "./levels.ts";
import { ProducerStage } from "./producer-stage.ts";

let count = 0;
const event = (session: string, type: string, at: number): JsonObject => ({
  "@context": CORE_CONTEXT,
  type: `aaep:agent.session.${type}`,
  event_id: `evt_${++count}`,
  session_id: session,
  timestamp: new Date(at).toISOString(),
  producer: { agent_id: "plain" },
  localization_hints: { primary_language: "en" },
  summary_normal: `The session has ${type}.`,
});

/** A minimal producer: a plain stream without a handshake, whose headers are sent with the first event. */
async function servePlainly(history: readonly JsonObject[]) {
  const streams = new Set<ServerResponse>();
  const send = (response: ServerResponse, said: JsonObject) => response.write(`data: ${JSON.stringify(said)}\n\n`);
  let session = 0;
  const server = createServer((request, response) => {
    if (request.url === "/events") {
      response.writeHead(200, { "content-type": "text/event-stream" }); // and not flushed
      for (const said of history) send(response, said);
      streams.add(response);
    } else if (request.url === "/messages") {
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on("end", () => {
        response.writeHead(202).end();
        if (!body.includes("user_input")) return;
        const id = `sess_new${++session}`;
        for (const stream of streams) for (const type of ["started", "completed"]) send(stream, event(id, type, Date.now()));
      });
    } else response.writeHead(404).end();
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

/** The first scenario of a drive: why it was not shown, and the broken rules. */
async function chatWith(url: string, level: 1 | 3) {
  const patience = { ...DEFAULT_PATIENCE, answerMs: 5000, quietMs: 150 };
  const peer = createHttpPeer(url, {});
  const stage = new ProducerStage({
    peer,
    level,
    situations: defaultSituations(),
    patience,
    manifestKey: undefined,
    memory: new DriveMemory(),
  });
  const shown = await LEVEL_1[0]?.run(stage);
  const { findings, events } = await stage.finish();
  return { shown, events, broken: findings.map(({ rule }) => rule) };
}

it.each([1, 3] as const)("drives a producer whose headers come with its first event, without a handshake, at level %i", async (level) => {
  await using producer = await servePlainly([]);
  const broken = level === 3 ? ["aaep/handshake-answered"] : [];
  expect(await chatWith(producer.url, level)).toEqual({ shown: undefined, events: 2, broken });
});

it("does not take what a producer replays for what it was asked to do", async () => {
  const hour = Date.now() - 3_600_000;
  await using producer = await servePlainly([event("sess_old", "completed", hour), event("sess_older", "started", hour)]);
  expect(await chatWith(producer.url, 1)).toEqual({ shown: undefined, events: 2, broken: [] });
});
