import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface Collector extends AsyncDisposable {
  readonly url: string;
  /** Every copy of every event in order of arrival, as the official collector stores them. */
  readonly events: { readonly sequence: number; readonly session_id: string; readonly type: string }[];
  readonly requests: { readonly method: string; readonly url: string; readonly contentType: string | undefined }[];
}

/** The parts of an AOP collector that a sender uses: one event per post, JSON objects only, at most 64 KiB, a health route. */
export async function startCollector(): Promise<Collector> {
  const events: Collector["events"] = [];
  const requests: Collector["requests"] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      requests.push({ method, url, contentType: headers["content-type"] });
      const answer = (status: number, body: object) =>
        response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
      if (method === "GET" && url === "/health") return answer(200, { ok: true, version: "0.1.0", subscribers: 0 });
      if (method !== "POST" || url !== "/events") return answer(404, { message: "Route not found", error: "Not Found", statusCode: 404 });
      if (headers["content-type"] !== "application/json") return answer(415, { statusCode: 415, error: "Unsupported Media Type" });
      const body = Buffer.concat(chunks);
      if (body.length > 65_536) return answer(413, { statusCode: 413, error: "Payload Too Large" });
      const event: unknown = JSON.parse(body.toString());
      if (typeof event !== "object" || event === null || !("spec" in event && "session_id" in event && "type" in event)) {
        return answer(400, { error: "Missing required fields: spec, session_id, type" });
      }
      events.push(event as unknown as Collector["events"][number]);
      return answer(200, { ok: true });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    events,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
