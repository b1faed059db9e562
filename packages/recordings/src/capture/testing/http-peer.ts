import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface HttpPeer extends AsyncDisposable {
  readonly url: string;
  /** `GET /path`, in order of arrival. */
  readonly asked: readonly string[];
  /** Breaks all connections. */
  cut(): void;
}

/** An HTTP server with a table of paths, and 404 for all others. */
export async function openHttpPeer(
  routes: Readonly<Record<string, (response: ServerResponse, request: IncomingMessage) => void>>,
): Promise<HttpPeer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    asked.push(`${request.method} ${request.url}`);
    const route = routes[path];
    if (route === undefined) response.writeHead(404, { "content-type": "application/json" }).end("{}");
    else route(response, request);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function answerJson(body: object): (response: ServerResponse) => void {
  return (response) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}
