import { once } from "node:events";
import { type IncomingHttpHeaders, request } from "node:http";
import type { FastifyInstance } from "fastify";
import { listen, portOf } from "../listen.ts";
import type { ShortWay } from "../plain-post.ts";

/** A router on a port, with a short way in front of it or without one. */
export async function listenBothWays(app: FastifyInstance, shortWay: ShortWay | undefined) {
  let taken = 0;
  const counted: ShortWay = (post) => {
    const isTaken = shortWay?.(post) === true;
    if (isTaken) taken++;
    return isTaken;
  };
  const server = await listen({ handle: app.routing, shortWay: counted }, { host: "127.0.0.1", port: 0 });
  return {
    port: portOf(server),
    /** How many went by the short way. */
    taken: () => taken,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export interface Sent {
  readonly url: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Posts JSON, and gives all that was answered but the time. */
export async function postJson(port: number, { url, body, headers = {} }: Sent) {
  const bytes = Buffer.from(body);
  const length: Record<string, string> = headers["transfer-encoding"] === undefined ? { "content-length": String(bytes.length) } : {};
  const asked = request({ port, path: url, method: "POST", headers: { "content-type": "application/json", ...length, ...headers } });
  asked.end(bytes);
  const [response] = (await once(asked, "response")) as [NodeJS.ReadableStream & { statusCode: number; headers: IncomingHttpHeaders }];
  let text = "";
  for await (const chunk of response) text += String(chunk);
  const { date: _date, ...rest } = response.headers;
  return { status: response.statusCode, headers: rest, text };
}
