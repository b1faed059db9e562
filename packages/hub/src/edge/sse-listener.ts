import type { ServerResponse } from "node:http";
import { EarshotError } from "@earshot/protocol";
import type { FastifyReply } from "fastify";
import type { Fanout, JoinRequest } from "../fanout/fanout.ts";
import type { Listener, Subscription } from "../fanout/subscription.ts";
import { SECURITY_HEADERS } from "./app.ts";
import { unsentBytes } from "./unsent-bytes.ts";

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

/** Joins the fan-out and answers with a stream of events; or throws why not, as long as that can still be answered. */
export async function streamEvents(fanout: Fanout, request: JoinRequest, reply: FastifyReply): Promise<Subscription> {
  const response = reply.raw;
  const joining = await fanout.join(createSseListener(response), request);
  if (!joining.ok) throw new EarshotError(joining.problem);
  const { subscription } = joining;
  reply.hijack();
  response.on("drain", () => subscription.drained());
  response.on("close", () => subscription.leave());
  // A connection that breaks is closed next, and that is listened to.
  response.on("error", () => {});
  // The connection may have gone while the place was prepared; or the answer to an earlier request still has it, and whoever
  // sends several at once must not wait for ever for the one after it.
  if (response.destroyed || response.socket === null) {
    subscription.leave();
    response.writeHead(503, { "retry-after": "1", connection: "close" }).end();
    return subscription;
  }
  response.useChunkedEncodingByDefault = false;
  // What was set before tells a web application that it may read this.
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) response.setHeader(name, value);
  response.writeHead(200, HEADERS);
  subscription.start();
  return subscription;
}

function createSseListener(response: ServerResponse): Listener {
  return {
    send(chunks) {
      if (chunks.length > 1) response.cork();
      let room = true;
      for (const chunk of chunks) room = response.write(chunk);
      if (chunks.length > 1) response.uncork();
      return room;
    },
    unsentBytes: () => (response.socket === null ? 0 : unsentBytes(response.socket)),
    close(lastBytes) {
      response.end(lastBytes);
      setTimeout(() => response.destroy(), GRACE_MS).unref();
    },
  };
}
