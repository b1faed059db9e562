import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { unsentBytes } from "@earshot/aaep/node";
import type { FastifyInstance, FastifyReply } from "fastify";
import Type from "typebox";
import { listOf, protocolSchema } from "../api-schema.ts";
import { type Encoding, type LiveFilter, liveSseFrame } from "../live/frames.ts";
import type { LiveListener, LiveStream } from "../live/live-stream.ts";
import type { JoinRequest, LiveStreams } from "../live/live-streams.ts";
import type { Alert } from "../views/api.ts";
import { SECURITY_HEADERS } from "./app.ts";
import { invalidRequest } from "./request-routes.ts";
import { defineRoute } from "./validation.ts";

export const LIVE_PATH = "/api/live";

/** How long a browser waits before reconnecting. */
const RETRY_MS = 1000;

/** One SSE event per entry with its position as id; and two further events, `position` and `closed`. */
export const SSE_ENCODING: Encoding = {
  name: "sse",
  encode: (frames) => Buffer.from(frames.map(({ entry, json }) => liveSseFrame(entry.position, json)).join("")),
  hello: (position, head) =>
    Buffer.from(`retry: ${RETRY_MS}\n${liveSseFrame(position, JSON.stringify({ kind: "position", position, head }), "position")}`),
  heartbeat: (position) => Buffer.from(liveSseFrame(position, JSON.stringify({ kind: "position", position }), "position")),
  farewell: ({ why, resumeAfter }) =>
    Buffer.from(liveSseFrame(resumeAfter, JSON.stringify({ kind: "closed", resumeAfter, why }), "closed")),
};

/** A stream of server-sent events. */
export const SSE = { type: "text/event-stream" };

const maybe = Type.Optional;
export const streamQuery = Type.Object(
  {
    after: maybe(Type.String({ minLength: 1, description: "the position to resume after, or `now`" })),
    session: maybe(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
);
const liveQuery = Type.Object(
  {
    ...streamQuery.properties,
    agent: maybe(Type.String({ minLength: 1 })),
    protocol: maybe(listOf(protocolSchema, { description: "separated by commas" })),
    type: maybe(listOf(Type.String({ pattern: "^(?:[^*]+\\*?|\\*)$" }), { description: "separated by commas; a * may end a name" })),
    alerts: maybe(Type.Enum(["1"], { description: "whether alerts are sent with the events" })),
  },
  { additionalProperties: false },
);

/**
 * `GET /api/live`: entries as they are stored, from any position. With `alerts=1` also alerts, as events `alert` without an id, each once
 * after the entry that raised it. `onAlert` returns the function that stops it.
 */
export function registerLive(
  app: FastifyInstance,
  { live, onAlert }: { readonly live: LiveStreams; readonly onAlert: (hear: (alert: Alert) => void) => () => void },
): void {
  const options = {
    exposeHeadRoute: false,
    ...defineRoute("viewer", "everything live (SSE)", { querystring: liveQuery }, { answers: SSE }),
  };
  app.get(LIVE_PATH, options, async ({ query: { after, alerts, ...filter }, headers }, reply) => {
    const stream = await streamEvents(live, { after: resumeAfter(after, headers), filter, encoding: SSE_ENCODING }, reply);
    if (alerts === undefined || stream.hasLeft) return;
    const stop = onAlert((alert) => {
      if (!isWanted(alert, filter)) return;
      stream.aside(Buffer.from(`event: alert\ndata: ${JSON.stringify(alert)}\n\n`), alert.position);
    });
    reply.raw.on("close", stop);
  });
  // Before the server waits for its connections, which only end when told to.
  app.addHook("preClose", () => live.close());
}

/** Alerts have no event type, so type filters do not apply. */
function isWanted(alert: Alert, { session, agent, protocol }: LiveFilter): boolean {
  if (session !== undefined && session !== alert.sessionId) return false;
  if (agent !== undefined && agent !== alert.agent) return false;
  return protocol === undefined || protocol.includes(alert.protocol);
}

/** A reconnecting browser repeats the URL and adds `Last-Event-ID`, so that header takes precedence over `after`. */
export function resumeAfter(after: string | undefined, headers: IncomingHttpHeaders): number | "now" {
  const [last] = [headers["last-event-id"]].flat();
  const [name, text] = last === undefined || last === "" ? ["after", after] : ["Last-Event-ID", last];
  if (text === undefined || text === "now") return "now";
  const position = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(position)) throw invalidRequest(`\`${name}\` is a position, a whole number from 0 on, or \`now\`.`);
  return position;
}

/** How long a listener may take to read the farewell. */
export const FAREWELL_GRACE_MS = 2000;

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  ...SECURITY_HEADERS,
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
  // The stream ends with the connection. Without chunked encoding, all listeners share the same buffer.
  connection: "close",
};

/** Joins the live streams and answers with an event stream; throws if refused, while an answer is still possible. */
export async function streamEvents(live: LiveStreams, request: JoinRequest, reply: FastifyReply): Promise<LiveStream> {
  const response = reply.raw;
  const stream = await live.join(createSseListener(response), request);
  reply.hijack();
  response.on("drain", () => stream.drained());
  response.on("close", () => stream.leave());
  // A broken connection is closed next, which is handled.
  response.on("error", () => {});
  // The connection may have gone meanwhile, or an earlier pipelined request still holds it.
  if (response.destroyed || response.socket === null) {
    stream.leave();
    response.writeHead(503, { "retry-after": "1", connection: "close" }).end();
    return stream;
  }
  response.useChunkedEncodingByDefault = false;
  // Headers set earlier allow a web application to read this.
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) response.setHeader(name, value);
  response.writeHead(200, HEADERS);
  stream.start();
  return stream;
}

function createSseListener(response: ServerResponse): LiveListener {
  return {
    send: (bytes) => response.write(bytes),
    unsentBytes: () => (response.socket === null ? 0 : unsentBytes(response.socket)),
    close(lastBytes) {
      response.end(lastBytes);
      setTimeout(() => response.destroy(), FAREWELL_GRACE_MS).unref();
    },
  };
}
