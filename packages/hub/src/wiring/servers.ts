import type { Server } from "node:http";
import { EarshotError } from "@earshot/protocol";
import { listen } from "../edge/listen.ts";
import type { Desk } from "../edge/plain-server.ts";

export const DEFAULT_PORT = 4747;
export const AOP_PORT = 4317;
export const HOST = "127.0.0.1";

/** On the port that was asked for; otherwise on the usual one, or on any that is free. */
export async function listenSomewhere(desk: Desk, host: string, port: number | undefined): Promise<Server> {
  if (port !== undefined) return listen(desk, { host, port });
  try {
    return await listen(desk, { host, port: DEFAULT_PORT });
  } catch (error) {
    if (!EarshotError.is(error) || error.problem.code !== "PORT_TAKEN") throw error;
    return listen(desk, { host, port: 0 });
  }
}

/** Clients look for `localhost`, which may be either loopback. Where there is no IPv6, one is enough. */
export async function listenForAop(desk: Desk): Promise<readonly Server[]> {
  const first = await listen(desk, { host: HOST, port: AOP_PORT });
  try {
    return [first, await listen(desk, { host: "::1", port: AOP_PORT })];
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT") return [first];
    await stopServer(first);
    throw error;
  }
}

/** Requests under way are finished; connections that only wait are closed, at once or when their answer is out. */
export function stopServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const late = setTimeout(() => server.closeAllConnections(), 2000);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
  });
}
