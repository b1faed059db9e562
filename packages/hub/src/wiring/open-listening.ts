import type { Server } from "node:http";
import { localSocketPath } from "@earshot/aaep/local-socket";
import { EarshotError } from "@earshot/protocol";
import type { OpenAaep } from "../aaep/open-aaep.ts";
import { producerIdOf } from "../home.ts";
import { attachAaepWebSocket, listenForAaep } from "../http/aaep.ts";
import { listenHttp, portOfServer, type RequestHandler } from "../http/listen.ts";
import { listenOnSocket, watchSocket, withCredential } from "../http/socket.ts";
import type { HubContext } from "../hub-options.ts";
import type { Lazy } from "../lazy.ts";
import { describeErrorForLog } from "../log.ts";
import type { AccessParts } from "./open-access.ts";

export const DEFAULT_PORT = 4747;
export const AOP_PORT = 4317;
export const LOOPBACK_HOST = "127.0.0.1";

/** On the requested port, or else on the default one or any free one. */
export async function listenSomewhere(handle: RequestHandler, host: string, port: number | undefined): Promise<Server> {
  if (port !== undefined) return listenHttp(handle, { host, port });
  try {
    return await listenHttp(handle, { host, port: DEFAULT_PORT });
  } catch (error) {
    if (!EarshotError.is(error) || error.problem.code !== "PORT_TAKEN") throw error;
    return listenHttp(handle, { host, port: 0 });
  }
}

/** Clients use `localhost`, which may be either loopback address. Without IPv6, one is enough. */
export async function listenForAop(handle: RequestHandler): Promise<readonly Server[]> {
  const first = await listenHttp(handle, { host: LOOPBACK_HOST, port: AOP_PORT });
  try {
    return [first, await listenHttp(handle, { host: "::1", port: AOP_PORT })];
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT") return [first];
    await stopServer(first);
    throw error;
  }
}

/** Finishes requests in progress; idle connections are closed, at once or after their answer. */
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

/** The first server's address: one that stands for all makes further ones superfluous. */
export function firstHost(dangerousAddress: string | undefined): string {
  return dangerousAddress !== undefined && takesAll(dangerousAddress) ? dangerousAddress : LOOPBACK_HOST;
}

export interface ListeningPorts {
  /** The server that already listens. */
  readonly server: Server;
  readonly handle: RequestHandler;
  readonly own: AccessParts;
  readonly aaep: Lazy<OpenAaep>;
  readonly onAaepSocket: (path: string) => void;
}

/** Listens on all other addresses and sockets, with the same handler. */
export async function openListening(context: HubContext, ports: ListeningPorts): Promise<readonly Server[]> {
  const { options, open, tell, onFailure } = context;
  const { server, handle, own, aaep } = ports;
  const { home, dangerousAddress } = options;
  const onReplaced = (again: Server | undefined) => {
    own.alarm("The socket for hooks was removed or replaced while the hub was running. Another program may have answered hooks.");
    if (again === undefined) return;
    servers.push(again); // they are stopped together
    attachAaepWebSocket(again, aaep, onFailure);
  };
  const servers = [server, ...(options.aop === true ? await listenForAop(handle) : [])];
  if (dangerousAddress !== undefined && !takesAll(dangerousAddress)) {
    servers.push(await listenHttp(handle, { host: dangerousAddress, port: portOfServer(server) }));
  }
  try {
    const isPipe = process.platform === "win32";
    const needsToken = isPipe || home.isSeparate;
    const byHooks = needsToken ? handle : withCredential(handle, own.tokens.producer);
    const listenForHooks = () => listenOnSocket(byHooks, home.socket, { isShared: home.isSeparate });
    const first = await listenForHooks();
    servers.push(first);
    if (!isPipe) open.defer(watchSocket(first, { path: home.socket, listen: listenForHooks, onReplaced }));
  } catch (error) {
    tell("warning", `There is no socket for hooks: ${describeErrorForLog(error)}`);
  }
  try {
    const path = localSocketPath(producerIdOf(home));
    open.defer(await listenForAaep(path, aaep, onFailure));
    ports.onAaepSocket(path);
  } catch (error) {
    tell("warning", `There is no socket for AAEP: ${describeErrorForLog(error)}`);
  }
  for (const one of servers.slice(1)) open.defer(() => stopServer(one));
  for (const one of servers) open.defer(attachAaepWebSocket(one, aaep, onFailure));
  return servers;
}

function takesAll(address: string): boolean {
  return address === "0.0.0.0" || address === "::";
}
