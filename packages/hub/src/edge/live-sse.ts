import type { FastifyInstance } from "fastify";
import type { Fanout } from "../fanout/fanout.ts";
import { type Encoding, sseFrame, ssePosition } from "../fanout/frames.ts";
import { readLiveQuery } from "./live-query.ts";
import { streamEvents } from "./sse-listener.ts";

export const LIVE_PATH = "/api/live";

/** How long a browser waits before it connects again. */
const RETRY_MS = 1000;

/** One event per entry, its position as id; a position alone when there is nothing to say; `closed` at the end. */
export const SSE_ENCODING: Encoding = {
  name: "sse",
  encode: (frames) => Buffer.from(frames.map(({ entry, json }) => sseFrame(entry.position, json)).join("")),
  hello: (position) => Buffer.from(`retry: ${RETRY_MS}\n: at ${position}\nid: ${position}\n\n`),
  heartbeat: (position) => ssePosition(position, `at ${position}`),
  farewell: ({ why, resumeAfter }) =>
    Buffer.from(`event: closed\nid: ${resumeAfter}\ndata: ${JSON.stringify({ kind: "closed", resumeAfter, why })}\n\n`),
};

/** `GET /api/live`: what is recorded, as it is recorded, from any position on. */
export function registerLive(app: FastifyInstance, { fanout }: { readonly fanout: Fanout }): void {
  app.get(LIVE_PATH, { exposeHeadRoute: false, config: { access: "viewer" } }, async (request, reply) => {
    const query = readLiveQuery(request.url, lastEventIdOf(request.headers));
    await streamEvents(fanout, { ...query, encoding: SSE_ENCODING }, reply);
  });
  // Before the server waits for its connections to end: these end only when they are told to.
  app.addHook("preClose", () => fanout.close());
}

export function lastEventIdOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>): string | undefined {
  const value = headers["last-event-id"];
  return typeof value === "string" ? value : value?.[0];
}
