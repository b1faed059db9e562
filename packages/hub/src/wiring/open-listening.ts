import type { Server } from "node:http";
import { localSocketPath } from "@earshot/aaep/local-socket";
import type { AaepDesk } from "../aaep/aaep-desk.ts";
import { producerIdOf } from "../aaep/producer-id.ts";
import { listenForAaep } from "../edge/aaep-socket.ts";
import { attachAaepWebSocket, isAaepUpgrade } from "../edge/aaep-websocket.ts";
import { listen, portOf } from "../edge/listen.ts";
import { attachLiveWebSocket } from "../edge/live-websocket.ts";
import type { Desk } from "../edge/plain-server.ts";
import { listenOnSocket, withCredential } from "../edge/socket.ts";
import { describeError } from "./describe-error.ts";
import type { Ground } from "./ground.ts";
import type { OpenAccess } from "./open-access.ts";
import type { OpenRecord } from "./open-record.ts";
import { HOST, listenForAop, stopServer } from "./servers.ts";

/** Where the first server listens: an address that stands for all of them makes any further one superfluous. */
export function firstHost(dangerousAddress: string | undefined): string {
  return dangerousAddress !== undefined && takesAll(dangerousAddress) ? dangerousAddress : HOST;
}

export interface ListeningPorts {
  /** The one that listens already. */
  readonly server: Server;
  readonly desk: Desk;
  readonly record: OpenRecord;
  readonly own: OpenAccess;
  readonly aaep: AaepDesk;
  readonly onAaepSocket: (path: string) => void;
}

/** Listens wherever else it was asked to, and on sockets where there can be some; all of them have the same to say. */
export async function openListening(ground: Ground, ports: ListeningPorts): Promise<readonly Server[]> {
  const { options, open, tell, onFailure } = ground;
  const { server, desk, record, own, aaep } = ports;
  const { home, dangerousAddress } = options;
  const servers = [server, ...(options.aop === true ? await listenForAop(desk) : [])];
  if (dangerousAddress !== undefined && !takesAll(dangerousAddress)) {
    servers.push(await listen(desk, { host: dangerousAddress, port: portOf(server) }));
  }
  try {
    const isPipe = process.platform === "win32";
    servers.push(await listenOnSocket(isPipe ? desk : withCredential(desk, own.tokens.producer), home.socket));
  } catch (error) {
    tell("warning", `There is no socket for hooks: ${describeError(error)}`);
  }
  try {
    const path = localSocketPath(producerIdOf(home));
    open.defer(await listenForAaep(path, aaep, onFailure));
    ports.onAaepSocket(path);
  } catch (error) {
    tell("warning", `There is no socket for AAEP: ${describeError(error)}`);
  }
  for (const one of servers.slice(1)) open.defer(() => stopServer(one));
  for (const one of servers) {
    open.defer(attachLiveWebSocket(one, { fanout: record.fanout, authorise: own.admit, onFailure, isElsewhere: isAaepUpgrade }));
    open.defer(attachAaepWebSocket(one, aaep, onFailure));
  }
  return servers;
}

function takesAll(address: string): boolean {
  return address === "0.0.0.0" || address === "::";
}
