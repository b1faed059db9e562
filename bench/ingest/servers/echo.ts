import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The limit of HTTP itself in Node: takes the body, parses it, answers, and keeps nothing. */
const server = createServer({ noDelay: true, keepAliveTimeout: 72_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const value = JSON.parse((chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString()) as { type?: string };
    const answer = JSON.stringify({ ok: true, type: value.type });
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) });
    response.end(answer);
  });
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
