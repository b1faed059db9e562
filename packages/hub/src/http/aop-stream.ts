import type { FastifyInstance } from "fastify";
import { type Encoding, inOneLine, sseFrame, ssePosition } from "../live/frames.ts";
import type { LiveStreams } from "../live/live-streams.ts";
import { readLiveQuery } from "./live-query.ts";
import { lastEventIdOf } from "./live-sse.ts";
import { streamEvents } from "./sse-listener.ts";

/** Something about a session that a person should look at, and the entry that caused it. */
export interface RaisedAlert {
  readonly position: number;
  readonly alert: { readonly session_id: string };
}

export interface AopStreamPorts {
  readonly live: LiveStreams;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Tells every alert from now on. Returns how to stop. */
  readonly onAlert: (hear: (raised: RaisedAlert) => void) => () => void;
}

/**
 * `GET /stream` as the official collector has it, for its clients. Ours adds what they overlook: ids, so that a browser
 * that connects again misses nothing, and `?session=`. An alert follows the event that caused it; alerts are not sent again.
 */
export function registerAopStream(app: FastifyInstance, { live, now, onAlert }: AopStreamPorts): void {
  const encoding = createAopEncoding(now);
  app.get(
    "/stream",
    { exposeHeadRoute: false, config: { access: "aop-reader", summary: "AOP events live (SSE)" } },
    async (request, reply) => {
      const { after, filter } = readLiveQuery(request.url, lastEventIdOf(request.headers), ["after", "session"]);
      const wanted = { ...filter, protocol: ["aop"], kind: "event" } as const;
      const stream = await streamEvents(live, { after, filter: wanted, encoding }, reply);
      if (stream.hasLeft) return;
      const stop = onAlert(({ position, alert }) => {
        if (filter.session !== undefined && filter.session !== alert.session_id) return;
        stream.aside(Buffer.from(`data: ${JSON.stringify({ kind: "alert", data: alert })}\n\n`), position);
      });
      reply.raw.on("close", stop);
    },
  );
}

function createAopEncoding(now: () => number): Encoding {
  return {
    name: "aop",
    encode: (frames) =>
      Buffer.from(frames.map(({ entry }) => sseFrame(entry.position, `{"kind":"event","data":${inOneLine(entry.text)}}`)).join("")),
    hello: (position) => Buffer.from(sseFrame(position, JSON.stringify({ type: "connected", timestamp: new Date(now()).toISOString() }))),
    heartbeat: (position) => ssePosition(position, "ping"),
    // Its clients know messages of three kinds only: the goodbye is a comment, and the id says where to resume.
    farewell: ({ why, resumeAfter }) => ssePosition(resumeAfter, `closed (${why}), resume after ${resumeAfter}`),
  };
}
