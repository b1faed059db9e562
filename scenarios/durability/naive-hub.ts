import { createServer, type ServerResponse } from "node:http";
import { parseArgs } from "node:util";

/**
 * The negative control for slow listeners: writes to every listener without checking for backpressure. It stores nothing and implements
 * only the API that test needs.
 */
const { values } = parseArgs({
  options: { port: { type: "string" }, open: { type: "boolean" }, notify: { type: "boolean" } },
  allowPositionals: true,
  allowNegative: true,
});
const listeners = new Set<ServerResponse>();
let position = 0;

const server = createServer(async (request, response) => {
  if (request.method === "POST") {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    for (const line of body.split("\n")) {
      position += 1;
      for (const listener of listeners) listener.write(`id: ${position}\ndata: ${line}\n\n`);
    }
    response.end("{}");
  } else if (request.url?.startsWith("/api/live")) {
    response.useChunkedEncodingByDefault = false;
    response.writeHead(200, { "content-type": "text/event-stream", connection: "close" }).flushHeaders();
    listeners.add(response);
    response.on("close", () => listeners.delete(response));
  } else response.end(JSON.stringify({ ok: true, ready: true }));
});
server.listen(Number(values.port), "127.0.0.1");
