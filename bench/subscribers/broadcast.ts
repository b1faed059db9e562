import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What is sent to everybody as it comes: no terms, no checks, nothing kept. As little as an event stream can cost. */
const listening = new Set<ServerResponse>();
const server = createServer({ noDelay: true, keepAliveTimeout: 72_000 }, (request, response) => {
  if (request.method === "GET") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(":\n\n");
    listening.add(response);
    response.once("close", () => listening.delete(response));
    return;
  }
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const frame = `data: ${Buffer.concat(chunks).toString()}\n\n`;
    for (const one of listening) one.write(frame);
    response.writeHead(200, { "content-type": "application/json", "content-length": 2 });
    response.end("{}");
  });
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
