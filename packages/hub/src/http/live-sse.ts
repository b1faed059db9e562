import type { ServerResponse } from "node:http";
import { unsentBytes } from "@earshot/aaep/node";
import type { FastifyInstance, FastifyReply } from "fastify";
import { type Encoding, type LiveFilter, sseFrame } from "../live/frames.ts";
import type { Listener, LiveStream } from "../live/live-stream.ts";
import type { JoinRequest, LiveStreams } from "../live/live-streams.ts";
import type { Alert } from "../views/api.ts";
import { SECURITY_HEADERS } from "./app.ts";
import { NAMES_WITH_ALERTS, readLiveQuery } from "./live-query.ts";

export const LIVE_PATH = "/api/live";

/** How long a browser waits before it connects again. */
const RETRY_MS = 1000;

/** One event per entry, its position as id; and two kinds of event of its own, `position` and `closed`. */
export const SSE_ENCODING: Encoding = {
  name: "sse",
  encode: (frames) => Buffer.from(frames.map(({ entry, json }) => sseFrame(entry.position, json)).join("")),
  hello: (position, head) =>
    Buffer.from(`retry: ${RETRY_MS}\n${sseFrame(position, JSON.stringify({ kind: "position", position, head }), "position")}`),
  heartbeat: (position) => Buffer.from(sseFrame(position, JSON.stringify({ kind: "position", position }), "position")),
  farewell: ({ why, resumeAfter }) => Buffer.from(sseFrame(resumeAfter, JSON.stringify({ kind: "closed", resumeAfter, why }), "closed")),
};

export interface LivePorts {
  readonly live: LiveStreams;
  /** Tells every alert from now on. Returns how to stop. */
  readonly onAlert: (hear: (alert: Alert) => void) => () => void;
}

/**
 * `GET /api/live`: what is recorded, as it is recorded, from any position on. With `alerts=1` also what the hub notices by
 * itself, as events `alert` without an id: each after the entry that raised it, and none of them again.
 */
export function registerLive(app: FastifyInstance, { live, onAlert }: LivePorts): void {
  app.get(LIVE_PATH, { exposeHeadRoute: false, config: { access: "viewer", summary: "everything live (SSE)" } }, async (request, reply) => {
    const query = readLiveQuery(request.url, lastEventIdOf(request.headers), NAMES_WITH_ALERTS);
    const { alerts, ...wanted } = query;
    const stream = await streamEvents(live, { ...wanted, encoding: SSE_ENCODING }, reply);
    if (!alerts || stream.hasLeft) return;
    const stop = onAlert((alert) => {
      if (!isWanted(alert, wanted.filter)) return;
      stream.aside(Buffer.from(`event: alert\ndata: ${JSON.stringify(alert)}\n\n`), alert.position);
    });
    reply.raw.on("close", stop);
  });
  // Before the server waits for its connections to end: these end only when they are told to.
  app.addHook("preClose", () => live.close());
}

/** Types of events say nothing about alerts. */
function isWanted(alert: Alert, { session, agent, protocol }: LiveFilter): boolean {
  if (session !== undefined && session !== alert.sessionId) return false;
  if (agent !== undefined && agent !== alert.agent) return false;
  return protocol === undefined || protocol.includes(alert.protocol);
}

export function lastEventIdOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>): string | undefined {
  const value = headers["last-event-id"];
  return typeof value === "string" ? value : value?.[0];
}

/** How long a listener that was told goodbye may take to read it. */
export const GRACE_MS = 2000;

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  ...SECURITY_HEADERS,
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
  // The stream ends with the connection. Without chunks inside it, what is sent is the same buffer for every listener.
  connection: "close",
};

/** Joins the live streams and answers with a stream of events; or throws why not, as long as that can still be answered. */
export async function streamEvents(live: LiveStreams, request: JoinRequest, reply: FastifyReply): Promise<LiveStream> {
  const response = reply.raw;
  const stream = await live.join(createSseListener(response), request);
  reply.hijack();
  response.on("drain", () => stream.drained());
  response.on("close", () => stream.leave());
  // A connection that breaks is closed next, and that is listened to.
  response.on("error", () => {});
  // The connection may have gone while the place was prepared; or the answer to an earlier request still has it, and whoever
  // sends several at once must not wait for ever for the one after it.
  if (response.destroyed || response.socket === null) {
    stream.leave();
    response.writeHead(503, { "retry-after": "1", connection: "close" }).end();
    return stream;
  }
  response.useChunkedEncodingByDefault = false;
  // What was set before tells a web application that it may read this.
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) response.setHeader(name, value);
  response.writeHead(200, HEADERS);
  stream.start();
  return stream;
}

function createSseListener(response: ServerResponse): Listener {
  return {
    send: (bytes) => response.write(bytes),
    unsentBytes: () => (response.socket === null ? 0 : unsentBytes(response.socket)),
    close(lastBytes) {
      response.end(lastBytes);
      setTimeout(() => response.destroy(), GRACE_MS).unref();
    },
  };
}
