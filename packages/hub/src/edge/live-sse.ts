import type { FastifyInstance } from "fastify";
import type { Fanout } from "../fanout/fanout.ts";
import { type Encoding, sseFrame } from "../fanout/frames.ts";
import { pack } from "../fanout/packed.ts";
import { readLiveQuery } from "./live-query.ts";
import { streamEvents } from "./sse-listener.ts";

export const LIVE_PATH = "/api/live";

/** How long a browser waits before it connects again. */
const RETRY_MS = 1000;

/** One event per entry, its position as id; and two kinds of event of its own, `position` and `closed`. */
export const SSE_ENCODING: Encoding = {
  name: "sse",
  encode: (frames) => pack(frames.map(({ entry, json }) => sseFrame(entry.position, json))),
  hello: (position, head) =>
    Buffer.from(`retry: ${RETRY_MS}\n${sseFrame(position, JSON.stringify({ kind: "position", position, head }), "position")}`),
  heartbeat: (position) => Buffer.from(sseFrame(position, JSON.stringify({ kind: "position", position }), "position")),
  farewell: ({ why, resumeAfter }) => Buffer.from(sseFrame(resumeAfter, JSON.stringify({ kind: "closed", resumeAfter, why }), "closed")),
};

/** `GET /api/live`: what is recorded, as it is recorded, from any position on. */
export function registerLive(app: FastifyInstance, { fanout }: { readonly fanout: Fanout }): void {
  app.get(
    LIVE_PATH,
    { exposeHeadRoute: false, config: { access: "viewer", summary: "everything live (SSE or WebSocket)" } },
    async (request, reply) => {
      const query = readLiveQuery(request.url, lastEventIdOf(request.headers));
      await streamEvents(fanout, { ...query, encoding: SSE_ENCODING }, reply);
    },
  );
  // Before the server waits for its connections to end: these end only when they are told to.
  app.addHook("preClose", () => fanout.close());
}

export function lastEventIdOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>): string | undefined {
  const value = headers["last-event-id"];
  return typeof value === "string" ? value : value?.[0];
}
