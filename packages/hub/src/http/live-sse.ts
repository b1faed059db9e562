import type { FastifyInstance } from "fastify";
import { type Encoding, sseFrame } from "../live/frames.ts";
import type { LiveFilter } from "../live/live-filter.ts";
import type { LiveStreams } from "../live/live-streams.ts";
import type { Alert } from "../views/views.ts";
import { NAMES_WITH_ALERTS, readLiveQuery } from "./live-query.ts";
import { streamEvents } from "./sse-listener.ts";

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
