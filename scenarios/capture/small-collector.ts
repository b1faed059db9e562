import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";

/**
 * A minimal AOP collector as documented: `POST /events`, a stream without ids or history, sessions and their export by sequence. It
 * stores events in a file so that it can be killed: `small-collector.ts PORT FILE`.
 */
interface Row {
  readonly session_id: string;
  readonly sequence: number;
}

const [port = "0", file = ""] = process.argv.slice(2);
const rows: Row[] = existsSync(file)
  ? readFileSync(file, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Row)
  : [];
const listeners = new Set<ServerResponse>();
const tell = (response: ServerResponse, message: object) => response.write(`data: ${JSON.stringify(message)}\n\n`);
const json = (response: ServerResponse, body: object) =>
  response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));

createServer((request, response) => {
  const path = (request.url ?? "").split("?")[0] ?? "";
  const [, session] = /^\/sessions\/([^/]+)\/export$/.exec(path) ?? [];
  if (request.method === "POST" && path === "/events") {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (piece: string) => {
      body += piece;
    });
    request.on("end", () => {
      const event = JSON.parse(body) as Row;
      appendFileSync(file, `${body}\n`);
      rows.push(event);
      json(response, { ok: true });
      for (const one of listeners) tell(one, { kind: "event", data: event });
    });
  } else if (path === "/stream") {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    tell(response, { type: "connected", timestamp: new Date().toISOString() });
    listeners.add(response);
    response.on("close", () => listeners.delete(response));
  } else if (path === "/sessions") {
    const ids = [...new Set(rows.map((row) => row.session_id))];
    json(response, { sessions: ids.reverse().map((id) => ({ id, status: "running" })) });
  } else if (session !== undefined) {
    const events = rows.filter((row) => row.session_id === session).sort((one, other) => one.sequence - other.sequence);
    response.writeHead(200, { "content-type": "application/x-ndjson" }).end(events.map((row) => JSON.stringify(row)).join("\n"));
  } else if (path === "/health") json(response, { ok: true, version: "0.1.0", subscribers: listeners.size });
  else if (path === "/") json(response, { name: "collector", version: "0.1.0", spec: "aop/1.0", endpoints: {} });
  else response.writeHead(404).end("{}");
}).listen(Number(port), "127.0.0.1", () => process.stdout.write("ready\n"));
